import { type ResourceLimits, Worker } from "node:worker_threads";
import { builtFile } from "@toolwright/kit/files";
import { type Chunk, type ChunkOptions, chunk } from "../chunks/chunk.js";
import { type Passage, toChunk } from "../chunks/passage.js";
import { kindOfFile } from "./kind.js";
import type { FileToRead } from "./make-reading.js";
import { PackedText } from "./packed-text.js";
import { readDocument } from "./read-document.js";
import type { ReadAnswer, ReadJob, SentReading } from "./reader-worker.js";
import {
  type DocumentKind,
  READ_LIMITS,
  type Reading,
  type ReadLimits,
  type SomeText,
  UnreadableDocument,
} from "./reading.js";
import { type Locate, locateIn } from "./source-map.js";

/** The options of a reader. */
export interface ReaderOptions {
  /** The worker script. */
  readonly file: URL;
  readonly limits?: ReadLimits;
  /** Sends small documents to the thread, too, because many are to be read. */
  readonly isBusy?: boolean;
  /** The time limit for one document. */
  readonly documentMs?: number;
  /** How much process memory may grow while the thread reads a document. */
  readonly growthBytes?: number;
  /** How long an idle thread is kept. */
  readonly idleMs?: number;
  readonly memory?: ResourceLimits;
}

/** A document that was read, possibly with a packed text, and its passages if they were requested. */
export interface Read {
  readonly reading: Omit<Reading, "text"> & { readonly text: SomeText };
  readonly chunks: readonly Chunk[];
}

interface Waiting {
  readonly job: ReadJob;
  /** Whether its memory should be released immediately. */
  readonly isLarge: boolean;
  readonly resolve: (read: Read) => void;
  readonly reject: (error: unknown) => void;
}

const DOCUMENT_MS = 30_000;
const GROWTH_BYTES = 120_000_000;
/** The memory that the process stays below, unless it already uses more. */
const WHOLE_BYTES = 270_000_000;
const IDLE_MS = 20_000;
const WATCH_MS = 20;
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 6 };

const TOO_MUCH = "it needs more memory than the limit";

/** Kinds whose cost is proportional to their size. Small files of these kinds are read without a thread. */
const PLAIN = new Set<DocumentKind>(["markdown", "text", "json", "html", "csv"]);
const SMALL = 1_000_000;
const LARGE = 2_000_000;

/**
 * Reads untrusted documents one at a time. Documents that may take too much time or memory are read in a worker thread, which is
 * terminated and replaced if they do.
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #limits: ReadLimits;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #hasAnswered = false;
  #isClosed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#limits = options.limits ?? READ_LIMITS;
  }

  /**
   * Reads a file. Throws `UnreadableDocument` with the reason, or the abort reason of the signal. The bytes of a file with
   * `isOwned` are transferred to the thread and detached.
   */
  async read(file: FileToRead, signal?: AbortSignal): Promise<Reading> {
    signal?.throwIfAborted();
    if (this.#isQuick(file)) return readDocument(file, this.#limits);
    const { reading } = await this.#ask(file, undefined, signal);
    return { ...reading, text: reading.text.slice(0, reading.text.length) };
  }

  /** Like `read`, with passages instead of blocks. */
  async readAndCut(file: FileToRead, cut: ChunkOptions, signal?: AbortSignal): Promise<Read> {
    signal?.throwIfAborted();
    if ((this.#options.isBusy && file.bytes.length <= SMALL) || !this.#isQuick(file))
      return this.#ask(file, cut, signal);
    const reading = await readDocument(file, this.#limits);
    return { reading, chunks: chunk(reading, cut) };
  }

  #isQuick({ name, bytes }: FileToRead): boolean {
    const kind = kindOfFile(name, bytes);
    return (PLAIN.has(kind) && bytes.length <= SMALL) || bytes.length > this.#limits.bytes;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#queue.splice(0), ...(this.#current === undefined ? [] : [this.#current])];
    for (const { reject } of left) reject(new Error("Cannot read a document: the reader is closed"));
    await this.#drop();
  }

  #ask(file: FileToRead, cut: ChunkOptions | undefined, signal: AbortSignal | undefined): Promise<Read> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error("Cannot read a document: the reader is closed");
      const stop = (): void => {
        waiting.reject(signal?.reason);
        const at = this.#queue.indexOf(waiting);
        if (at !== -1) this.#queue.splice(at, 1);
        else if (this.#current === waiting) this.#replace();
      };
      const done = <Value>(end: (value: Value) => void) => {
        return (value: Value): void => {
          signal?.removeEventListener("abort", stop);
          end(value);
        };
      };
      this.#lastId += 1;
      const job = { id: this.#lastId, file, limits: this.#limits, cut };
      const waiting = { job, isLarge: file.bytes.length > LARGE, resolve: done(resolve), reject: done(reject) };
      signal?.addEventListener("abort", stop, { once: true });
      this.#queue.push(waiting);
      this.#handOut();
    });
  }

  #handOut(): void {
    if (this.#current !== undefined) return;
    clearTimeout(this.#idle);
    const next = this.#queue.shift();
    if (next === undefined) {
      this.#idle = setTimeout(() => void this.#drop(), this.#options.idleMs ?? IDLE_MS).unref();
      return;
    }
    this.#current = next;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#watchOver();
    const { bytes, isOwned } = next.job.file;
    this.#worker.postMessage(next.job, isOwned && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
  }

  #start(): Worker {
    const { file, memory = MEMORY } = this.#options;
    // Output of parsers must not reach stdout, which carries the protocol.
    const worker = new Worker(file, { resourceLimits: memory, execArgv: [], stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) stream.destroy();
    worker.on("message", (answer: ReadAnswer) => this.#onProgress(answer));
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (worker !== this.#worker) return;
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#fail(TOO_MUCH);
      else if (this.#hasAnswered) this.#fail(`the thread that read it failed: ${error.message}`);
      // If not even the first document could be read, the thread is at fault, not the document.
      else
        this.#fail(
          new Error(`Cannot read documents: a worker thread could not be started (${error.message}). Try again.`),
        );
    });
    worker.on("exit", () => {
      if (worker === this.#worker) this.#fail("the thread that read it has ended");
    });
    return worker;
  }

  /** Terminates the thread if a document exceeds its time or memory. Resource limits do not cover buffers. */
  #watchOver(): void {
    const { documentMs = DOCUMENT_MS, growthBytes = GROWTH_BYTES } = this.#options;
    const end = performance.now() + documentMs;
    const now = process.memoryUsage.rss();
    const limit = Math.min(now + growthBytes, Math.max(now + growthBytes / 2, WHOLE_BYTES));
    this.#watch = setInterval(() => {
      if (process.memoryUsage.rss() > limit) this.#fail(TOO_MUCH);
      else if (performance.now() > end) this.#fail(`it takes longer than ${documentMs / 1000} seconds to read`);
    }, WATCH_MS);
  }

  #onProgress({ id, reading, passages = [], reason = "", isSpent }: ReadAnswer): void {
    const waiting = this.#current;
    if (waiting?.job.id !== id) return;
    this.#hasAnswered = true;
    if (isSpent) return this.#fail(reason);
    if (reading === undefined) waiting.reject(new UnreadableDocument(reason));
    else waiting.resolve(toRead(reading, passages));
    if (waiting.isLarge || (reading?.text.length ?? 0) > LARGE) return this.#replace();
    this.#release();
    this.#handOut();
  }

  #fail(reason: string | Error): void {
    this.#current?.reject(typeof reason === "string" ? new UnreadableDocument(reason) : reason);
    this.#replace();
  }

  /** Terminates the thread; the next document gets a new one. */
  #replace(): void {
    // The next document waits until the memory is free.
    void this.#drop().then(() => this.#handOut());
  }

  #release(): void {
    clearInterval(this.#watch);
    this.#current = undefined;
    this.#worker?.unref();
  }

  async #drop(): Promise<void> {
    const [worker, current] = [this.#worker, this.#current];
    clearInterval(this.#watch);
    clearTimeout(this.#idle);
    this.#worker = undefined;
    await worker?.terminate();
    if (this.#current === current) this.#current = undefined;
  }
}

function toRead(sent: SentReading, passages: readonly Passage[]): Read {
  const text = typeof sent.text === "string" ? sent.text : new PackedText(sent.text);
  const reading = { ...sent, text, locate: locateLater(sent.map) };
  return { reading, chunks: passages.map((passage) => toChunk(text, passage)) };
}

/** Parses the source map on first use, because few callers need it. */
function locateLater(map: Uint8Array): Locate {
  let locate: Locate | undefined;
  return (start, end) => {
    locate ??= locateIn(map);
    return locate(start, end);
  };
}

/** The built script of the worker thread. */
export const READER_FILE = builtFile("knowledge-reader.js");
