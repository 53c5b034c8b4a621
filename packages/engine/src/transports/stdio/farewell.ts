import { pauseNow } from "../../children/pause.js";
import { encodeError, parse, readMessage } from "../../jsonrpc/codec.js";
import { elementTexts } from "../../jsonrpc/elements.js";
import type { RpcError } from "../../jsonrpc/errors.js";
import type { Id } from "../../jsonrpc/messages.js";
import { builtin } from "../../server/builtin.js";
import { monotonic } from "../../server/clock.js";
import { DEFAULT_LIMITS } from "../../server/limits.js";
import { LineReader } from "../lines.js";
import { readsAtOnce } from "../runtime.js";

/**
 * How long the last words wait: for a client that does not read, for its first request, for another after that, and in all. A
 * program that reads needs a moment to start.
 */
const PATIENCE_MS = { writing: 500, first: 2000, next: 1000, all: 5000, program: 300 };
/** As much as a pipe holds. */
const CHUNK_BYTES = 65_536;
const LOOK_MS = 10;

/** Writes to stdout before the process ends, when nothing that waits would ever go on. */
export function writeNow(text: string): void {
  const { writeSync } = builtin("node:fs");
  const bytes = Buffer.from(text);
  const until = monotonic() + PATIENCE_MS.writing;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!isAgain(error) || monotonic() > until) return;
      pauseNow(LOOK_MS);
    }
  }
}

/** The ids of the requests in a text that is a message or a batch; none in anything else. */
export function requestIds(text: string): readonly Id[] {
  try {
    const value = parse(text);
    if (Array.isArray(value)) return elementTexts(text).flatMap(requestIds);
    const { method, id } = readMessage(value, text);
    return method === undefined || id === undefined ? [] : [id];
  } catch {
    return [];
  }
}

/** The line that refuses a request in every revision alike. */
export function refusalLine(id: Id, { code, message, data }: RpcError): string {
  return `${encodeError(id, { code, message, ...(data && { data }) })}\n`;
}

/**
 * Refuses, before the process ends, the requests that wait on stdin. `isPatient`: the first one is waited for a moment, because a
 * client that has just started a server is about to speak; and so are others after it.
 */
export function refuseWaiting(error: RpcError, isPatient: boolean): void {
  const last = monotonic() + PATIENCE_MS.all;
  let until = monotonic() + (isPatient ? PATIENCE_MS.first : 0);
  const answer = (ids: readonly Id[]): void => {
    if (ids.length === 0) return;
    writeNow(ids.map((id) => refusalLine(id, error)).join(""));
    if (isPatient) until = monotonic() + PATIENCE_MS.next;
  };
  const reader = new LineReader(DEFAULT_LIMITS.messageBytes, {
    isFull: false,
    line: (text) => answer(requestIds(text)),
    fault: ({ id }) => answer(id === undefined ? [] : [id]),
  });
  for (let chunk = readNow(until); chunk !== undefined && monotonic() < last; chunk = readNow(until))
    reader.push(chunk);
  reader.end();
}

/** Waits, while the process still lives, for what a read has begun to take: when it ends, nobody gets it any more. */
export async function awaitRead(): Promise<void> {
  const { stdin } = process;
  const until = monotonic() + (readsAtOnce ? 0 : PATIENCE_MS.first);
  while (stdin.readableLength === 0 && !stdin.readableEnded && monotonic() < until)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** What comes next on stdin; undefined = it has ended, or nothing has come in time. */
function readNow(until: number): Buffer | undefined {
  // Opened, so that a read does not wait for ever; what was read ahead comes first.
  const { stdin } = process;
  if (stdin.isTTY || stdin.destroyed) return undefined;
  // Elsewhere, a stream that is asked with nothing there may take what comes next and give it to nobody.
  const ahead = (readsAtOnce || stdin.readableLength > 0 ? stdin.read() : null) as Buffer | string | null;
  if (ahead !== null) return Buffer.from(ahead);
  if (!readsAtOnce) return readByProgram(until);
  const { readSync } = builtin("node:fs");
  const room = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    try {
      const size = readSync(0, room);
      return size === 0 ? undefined : room.subarray(0, size);
    } catch (error) {
      if (!isAgain(error) || monotonic() >= until) return undefined;
      pauseNow(LOOK_MS);
    }
  }
}

/** Where a read waits for ever, a program that reads once in its place can be given up. */
function readByProgram(until: number): Buffer | undefined {
  const { spawnSync } = builtin("node:child_process");
  const timeout = Math.ceil(Math.max(until - monotonic(), PATIENCE_MS.program));
  // Where there is no such program, as on Windows, nothing is read.
  const { stdout } = spawnSync("dd", [`bs=${CHUNK_BYTES}`, "count=1"], {
    stdio: ["inherit", "pipe", "ignore"],
    timeout,
  });
  return stdout?.length > 0 ? stdout : undefined;
}

const isAgain = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EAGAIN";
