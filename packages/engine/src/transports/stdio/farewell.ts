import { pauseNow } from "../../children/pause.js";
import { encodeError, parse, readMessage } from "../../jsonrpc/codec.js";
import type { RpcError } from "../../jsonrpc/errors.js";
import type { Id } from "../../jsonrpc/messages.js";
import { DEFAULT_LIMITS } from "../../server/limits.js";
import { LineReader } from "../lines.js";
import { isNode } from "../runtime.js";

/** How long the last words wait: for a client that does not read, for its first request, for another after that, and in all. */
const PATIENCE_MS = { writing: 500, first: 2000, next: 1000, all: 5000 };
const LOOK_MS = 10;

/** Writes to stdout before the process ends, when nothing that waits would ever go on. */
export function writeNow(text: string): void {
  const { writeSync } = process.getBuiltinModule("node:fs");
  const bytes = Buffer.from(text);
  const until = performance.now() + PATIENCE_MS.writing;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!isAgain(error) || performance.now() > until) return;
      pauseNow(LOOK_MS);
    }
  }
}

/** The ids of the requests in a text that is a message or a batch; none in anything else. */
export function requestIds(text: string): readonly Id[] {
  try {
    const value = parse(text);
    return (Array.isArray(value) ? value : [value]).flatMap((item) => {
      const { method, id } = readMessage(item, text);
      return method === undefined || id === undefined ? [] : [id];
    });
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
  const last = performance.now() + PATIENCE_MS.all;
  let until = performance.now() + (isPatient ? PATIENCE_MS.first : 0);
  const answer = (ids: readonly Id[]): void => {
    if (ids.length === 0) return;
    writeNow(ids.map((id) => refusalLine(id, error)).join(""));
    if (isPatient) until = performance.now() + PATIENCE_MS.next;
  };
  const reader = new LineReader(DEFAULT_LIMITS.messageBytes, {
    isFull: false,
    line: (text) => answer(requestIds(text)),
    fault: ({ id }) => answer(id === undefined ? [] : [id]),
  });
  for (let chunk = readNow(until); chunk !== undefined && performance.now() < last; chunk = readNow(until))
    reader.push(chunk);
  reader.end();
}

/** What comes next on stdin; undefined = it has ended, or nothing has come in time. */
function readNow(until: number): Buffer | undefined {
  // Opened, so that a read does not wait for ever; what was read ahead comes first.
  const { stdin } = process;
  if (stdin.isTTY || stdin.destroyed) return undefined;
  const ahead = stdin.read() as Buffer | string | null;
  if (ahead !== null) return Buffer.from(ahead);
  // Elsewhere a read does wait for ever.
  if (!isNode) return undefined;
  const { readSync } = process.getBuiltinModule("node:fs");
  const room = Buffer.allocUnsafe(65_536);
  for (;;) {
    try {
      const size = readSync(0, room);
      return size === 0 ? undefined : room.subarray(0, size);
    } catch (error) {
      if (!isAgain(error) || performance.now() >= until) return undefined;
      pauseNow(LOOK_MS);
    }
  }
}

const isAgain = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EAGAIN";
