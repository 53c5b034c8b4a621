import type { Writable } from "node:stream";
import { internalError } from "../../jsonrpc/errors.js";
import type { Redaction } from "../../server/logging/redaction.js";
import { consoleUsesStdout, emitsExitOnCrash, getBuiltinModule, writeStderr } from "../../server/runtime.js";
import { awaitPendingRead, explainStartupError, rejectPendingRequests, summarizeError } from "./exit-replies.js";

/** Where a guard keeps the original write, so that another copy of the engine in the same process finds it. */
const ORIGINAL_WRITE = Symbol.for("toolwright.stdout");

type GuardedWrite = Writable["write"] & { [ORIGINAL_WRITE]?: Writable["write"] };

/**
 * Reserves stdout for the protocol: what anything else writes to it, such as `console.log` in a tool, goes to stderr as a line.
 * Returns the original write.
 */
export function guardStdout(): Writable["write"] {
  const { stdout } = process;
  const original = (stdout.write as GuardedWrite)[ORIGINAL_WRITE];
  if (original !== undefined) return original;
  const write = stdout.write.bind(stdout) as Writable["write"];
  const redirect = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : chunk;
    if (typeof text === "string") writeStderr(`[STDOUT] ${text.endsWith("\n") ? text : `${text}\n`}`);
    const done = [chunk, encoding, callback].find((argument) => typeof argument === "function");
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stdout.write = Object.assign(redirect, { [ORIGINAL_WRITE]: write });
  // Ending stdout would end the connection, so only the last chunk is taken.
  stdout.end = (chunk?: unknown, encoding?: unknown, callback?: unknown): typeof stdout => {
    redirect(chunk, encoding, callback);
    return stdout;
  };
  if (!consoleUsesStdout) {
    const { Console } = getBuiltinModule("node:console");
    Object.assign(console, new Console(process.stdout, process.stderr));
  }
  return write;
}

/** Gives stdout back to everyone. */
function releaseStdout(): void {
  const { stdout } = process;
  if ((stdout.write as GuardedWrite)[ORIGINAL_WRITE] === undefined) return;
  // The prototype has the original methods.
  for (const member of ["write", "end"] as const) Reflect.deleteProperty(stdout, member);
}

/** Owns stdin and stdout until a server serves on them. If the process exits before, pending requests get the reason. */
export class StartupGuard {
  /** That of the server, once it is known. */
  redaction: Redaction | undefined;
  readonly #consoleError = console.error;
  #reason: string | undefined;
  #lastPrinted: string | undefined;
  #isIdle = false;

  constructor() {
    console.error = this.#captureError;
    process.on("uncaughtExceptionMonitor", this.#onUncaught);
    if (!emitsExitOnCrash) process.on("uncaughtException", this.#exitAfterCrash);
    process.on("beforeExit", this.#onBeforeExit);
    process.on("exit", this.#onExit);
  }

  /** Records the error that is about to end the process. Returns it as the client will see it. */
  fail(error: unknown): string {
    this.#reason = explainStartupError(error, this.redaction);
    return this.#reason;
  }

  /** Gives stdin and stdout back, because nothing speaks MCP over them. */
  release(): void {
    this.close();
    releaseStdout();
  }

  /** Stops answering, because a server answers from now on. */
  close(): void {
    if (console.error === this.#captureError) console.error = this.#consoleError;
    process.off("uncaughtExceptionMonitor", this.#onUncaught).off("uncaughtException", this.#exitAfterCrash);
    process.off("beforeExit", this.#onBeforeExit);
    process.off("exit", this.#onExit);
  }

  /** Many programs print what is missing and exit, so the last printed error is the reason. */
  readonly #captureError = (...values: unknown[]): void => {
    this.#lastPrinted = getBuiltinModule("node:util").format(...values);
    this.#consoleError.apply(console, values);
  };

  readonly #onUncaught = (error: unknown): void => void this.fail(error);

  readonly #exitAfterCrash = (thrown: unknown): void => {
    if (process.listenerCount("uncaughtException") > 1) return;
    this.#consoleError.call(console, thrown);
    void awaitPendingRead().then(() => process.exit(1));
  };

  readonly #onBeforeExit = (): void => {
    this.#isIdle = true;
  };

  readonly #onExit = (code: number): void => {
    if (code === 0 && !this.#isIdle) return;
    const reason = this.#reason ?? this.#describeExit(code);
    rejectPendingRequests(internalError(`The server cannot start: ${reason}`), true);
  };

  #describeExit(code: number): string {
    if (this.#isIdle) return "the program ended without serving, or awaits a promise that never settles.";
    if (this.#lastPrinted !== undefined) return summarizeError(this.#lastPrinted, this.redaction);
    return `the program exited with code ${code} without an error message; check its output on stderr.`;
  }
}
