/** Returns a module of Node.js. Unlike an import it adds nothing to the start-up time. */
export const getBuiltinModule = ((id: string) => process.getBuiltinModule(id)) as typeof process.getBuiltinModule;

/**
 * Returns the milliseconds of a monotonic clock. Not `performance.now()`: its first use loads eleven modules of Node.js, about 3 % of
 * the start-up time.
 */
export function monotonicNow(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1000 + nanos / 1e6;
}

/** The time at which `monotonicNow` was zero, in milliseconds since 1970. */
export const TIME_ORIGIN = Date.now() - monotonicNow();

/** Its `then` is much cheaper than `queueMicrotask`, which also notifies async hooks. */
const RESOLVED = Promise.resolve();

/** The clock of one server. For timestamps only: reading the time for each of many messages would cost as much as recording them. */
export class TurnClock {
  /** Not 0: a field that starts with an integer would get a new object for each time. */
  #time = 0.5;
  #isFresh = false;
  readonly #expire = (): void => {
    this.#isFresh = false;
  };

  /** Reads the time, and keeps it until the current microtasks have run. */
  update(): number {
    this.#time = monotonicNow();
    if (!this.#isFresh) {
      this.#isFresh = true;
      void RESOLVED.then(this.#expire);
    }
    return this.#time;
  }

  /** Returns the time that was last read in the same run of code. */
  now(): number {
    return this.#isFresh ? this.#time : this.update();
  }
}

let hasStderrErrorHandler = false;

/**
 * Writes to stderr. The stream is opened on first use, because opening it takes time and few servers write to it. Errors of the stream
 * are ignored: they would be logged to the same stream again.
 */
export function writeStderr(text: string): void {
  if (!hasStderrErrorHandler) {
    hasStderrErrorHandler = true;
    process.stderr.on("error", () => undefined);
  }
  process.stderr.write(text);
}

const isBun = "bun" in process.versions;
const isDeno = "deno" in process.versions;
const isNode = !isBun && !isDeno;

/** Whether a synchronous read of stdin returns at once. Otherwise it blocks, and consumes bytes that nobody else gets. */
export const readsStdinSync: boolean = isNode;

/** Whether `console` writes through `process.stdout`. */
export const consoleUsesStdout: boolean = isNode;

/** Whether a TLS server rejects an invalid certificate or key when it is created. In Deno every client would fail instead. */
export const validatesTls: boolean = isNode;

/** Whether a response over a corked socket is completed. Over TLS, Deno does not do it. */
export const flushesCorkedSockets: boolean = isNode;

/** Whether the process emits `exit` after an uncaught error. */
export const emitsExitOnCrash: boolean = !isDeno;

/** Whether an input emits `end` after `read(0)`, even if its buffered bytes are not read at once. */
export const emitsEndAfterPeek: boolean = !isBun;

/** Whether `writableLength` of stdout includes what is still to be written. In Bun it is always 0. */
export const tracksStdoutLength: boolean = !isBun;

/** Whether a socket has `bytesRead`. */
export const tracksBytesRead: boolean = !isBun;

/** Whether `Buffer.toString` decodes non-ASCII text fast. Node does since version 24. */
const hasFastUtf8: boolean = !isNode || Number.parseInt(process.versions.node, 10) >= 24;

const { isAscii, isUtf8, transcode } = getBuiltinModule("node:buffer");

/** Where decoding is slow, going through UTF-16 is five times faster between these sizes, at the cost of a buffer of twice the size. */
const TRANSCODE_BYTES = { min: 512, max: 64 * 1024 };

/** Decodes UTF-8; undefined if the bytes are not valid. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return undefined;
  const shouldTranscode = !hasFastUtf8 && bytes.length >= TRANSCODE_BYTES.min && bytes.length <= TRANSCODE_BYTES.max;
  // A Node build without ICU has no `transcode`.
  return shouldTranscode && transcode ? transcode(bytes, "utf8", "utf16le").toString("utf16le") : bytes.toString();
}
