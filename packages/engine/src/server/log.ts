import { encodeId } from "../jsonrpc/codec.js";
import type { Id } from "../jsonrpc/messages.js";
import type { LogLevel } from "../protocol/caller.js";
import { writeStderr } from "./stderr.js";

/** One line of the server's own log, for the people who run it; never sent to a client. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly requestId?: Id;
  readonly error?: unknown;
}

/** Where the server's own log goes. */
export type Log = (entry: LogEntry) => void;

/** Writes log lines to stderr, all but debug ones: `[ERROR] [req_id=7] text`. */
export const logToStderr: Log = ({ level, message, requestId, error }) => {
  if (level === "debug") return;
  const request = requestId === undefined ? "" : ` [req_id=${encodeId(requestId)}]`;
  const detail = error === undefined ? "" : `\n${describe(error)}`;
  writeStderr(`[${level.toUpperCase()}]${request} ${message}${detail}\n`);
};

/** Anything can be thrown, also what cannot be looked at. */
function describe(error: unknown): string {
  try {
    if (error instanceof Error) return error.stack ?? error.message;
    return process.getBuiltinModule("node:util").inspect(error);
  } catch {
    return "an error that cannot be shown";
  }
}
