import { type RpcError, truncate } from "../../jsonrpc/errors.js";
import type { RequestId } from "../../jsonrpc/messages.js";
import { sleepSync } from "../../processes/child-processes.js";
import { DEFAULT_LIMITS } from "../../server/limits/limits.js";
import { createRedaction, type Redaction } from "../../server/logging/redaction.js";
import { getBuiltinModule, monotonicNow, readsStdinSync } from "../../server/runtime.js";
import { LineReader } from "../line-framing.js";
import { errorResponseLine, requestIds } from "../streams.js";

/**
 * How long an exiting process waits: for a client that does not read, for the first request, for each request after that, in
 * total, and at least for a child process that reads.
 */
const TIMEOUT_MS = { write: 500, firstRequest: 2000, nextRequest: 1000, total: 5000, childProcess: 300 };
/** The capacity of a pipe. */
const PIPE_BYTES = 65_536;
const POLL_MS = 10;

/** Writes to stdout synchronously, for use just before the process exits. */
export function writeStdoutSync(text: string): void {
  const { writeSync } = getBuiltinModule("node:fs");
  const bytes = Buffer.from(text);
  const deadline = monotonicNow() + TIMEOUT_MS.write;
  let offset = 0;
  while (offset < bytes.length) {
    const written = retrySync(deadline, () => writeSync(1, bytes, offset));
    if (written === undefined) return;
    offset += written;
  }
}

/** Reads or writes as soon as the pipe is ready. Returns undefined if it fails or is not ready before the deadline. */
function retrySync(deadline: number, operation: () => number): number | undefined {
  for (;;) {
    try {
      return operation();
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === "EAGAIN";
      if (!isBusy || monotonicNow() >= deadline) return undefined;
      sleepSync(POLL_MS);
    }
  }
}

/**
 * Answers the requests that wait on stdin with an error, just before the process exits. With `waitForMore` it waits a moment for
 * the first request and for others after it, because a client that has just started a server is about to send them.
 */
export function rejectPendingRequests(error: RpcError, waitForMore: boolean): void {
  const finalDeadline = monotonicNow() + TIMEOUT_MS.total;
  let deadline = monotonicNow() + (waitForMore ? TIMEOUT_MS.firstRequest : 0);
  const respond = (ids: readonly RequestId[]): void => {
    if (ids.length === 0) return;
    writeStdoutSync(ids.map((id) => errorResponseLine(id, error)).join(""));
    if (waitForMore) deadline = monotonicNow() + TIMEOUT_MS.nextRequest;
  };
  const reader = new LineReader(DEFAULT_LIMITS.messageBytes, {
    isBackpressured: false,
    onLine: (text) => respond(requestIds(text)),
    onError: ({ id }) => respond(id === undefined ? [] : [id]),
  });
  let chunk = readStdinSync(deadline);
  while (chunk !== undefined && monotonicNow() < finalDeadline) {
    reader.push(chunk);
    chunk = readStdinSync(deadline);
  }
  reader.end();
}

/**
 * Waits for the first bytes on stdin in runtimes where a read that has begun consumes them: when the process exits, they would
 * be lost.
 */
export async function awaitPendingRead(): Promise<void> {
  const { stdin } = process;
  const deadline = monotonicNow() + (readsStdinSync ? 0 : TIMEOUT_MS.firstRequest);
  while (stdin.readableLength === 0 && !stdin.readableEnded && monotonicNow() < deadline)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** The next bytes on stdin; undefined if it has ended or nothing comes before the deadline. */
function readStdinSync(deadline: number): Buffer | undefined {
  // Using `process.stdin` makes the pipe non-blocking. What the stream has buffered comes first.
  const { stdin } = process;
  if (stdin.isTTY || stdin.destroyed) return undefined;
  // In other runtimes than Node, reading an empty stream may consume bytes that come later.
  const buffered = (readsStdinSync || stdin.readableLength > 0 ? stdin.read() : null) as Buffer | string | null;
  if (buffered !== null) return Buffer.from(buffered);
  if (!readsStdinSync) return readWithChildProcess(deadline);
  const { readSync } = getBuiltinModule("node:fs");
  const buffer = Buffer.allocUnsafe(PIPE_BYTES);
  const size = retrySync(deadline, () => readSync(0, buffer));
  return size ? buffer.subarray(0, size) : undefined;
}

/** In runtimes where a synchronous read blocks forever, `dd` reads once, because a child can be given a timeout. */
function readWithChildProcess(deadline: number): Buffer | undefined {
  const { spawnSync } = getBuiltinModule("node:child_process");
  const timeout = Math.ceil(Math.max(deadline - monotonicNow(), TIMEOUT_MS.childProcess));
  // Without `dd`, as on Windows, nothing is read.
  const { stdout } = spawnSync("dd", [`bs=${PIPE_BYTES}`, "count=1"], {
    stdio: ["inherit", "pipe", "ignore"],
    timeout,
  });
  return stdout?.length > 0 ? stdout : undefined;
}

/** What to do about an error that prevents a server from starting, by its code. */
const STARTUP_HINTS: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND: "Install it in the server's folder with npm install, or build the server first.",
  MODULE_NOT_FOUND: "Install it in the server's folder with npm install, or build the server first.",
  EADDRINUSE: "Stop the program that uses the port, or choose another one.",
};

/** Why a server cannot start, for the user of the client: what is wrong, and what to do about it. */
export function explainStartupError(error: unknown, redaction?: Redaction): string {
  const summary = summarizeError(error, redaction);
  const hint = error instanceof Error ? STARTUP_HINTS[(error as NodeJS.ErrnoException).code ?? ""] : undefined;
  return hint === undefined ? summary : `${summary}. ${hint}`;
}

/** The longest error summary that is sent to a client. */
const MAX_SUMMARY_CHARS = 500;

/** The message of an error in one line, without secrets and without the folders of this machine. */
export function summarizeError(error: unknown, redaction: Redaction = createRedaction()): string {
  const summary = redaction
    .text(stripFolders(errorMessage(error)))
    .replaceAll(/\s+/g, " ")
    // The text that V8 quotes may be a secret.
    .replace(/, (?:\.\.\.)?".*" is not valid JSON$/, " in JSON")
    .trim();
  if (summary === "") return "no error message";
  return truncate(summary, MAX_SUMMARY_CHARS);
}

/** Reduces each absolute path and file URL in a text to its last segment. */
function stripFolders(text: string): string {
  return text
    .replaceAll(/\bfile:\/\/[^\s"'`)]*\/([^\s"'`)/]*)/g, "$1")
    .replaceAll(/(?<![\w.:/\\@-])\/(?:[^\s"'`:;,()/]+\/)+([^\s"'`:;,()/]*)/g, "$1")
    .replaceAll(/(?<![\w])[A-Za-z]:\\(?:[^\s"'`:;,()\\]+\\)*([^\s"'`:;,()\\]*)/g, "$1");
}

function errorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "";
  }
}
