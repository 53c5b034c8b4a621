import type { Id } from "../jsonrpc/messages.js";
import type { LogLevel } from "../protocol/caller.js";

/** One line of the server's own log, for the people who run it; never sent to a client. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly requestId?: Id;
  /** The tool that the line is about. */
  readonly tool?: string;
  /** Who called. */
  readonly principal?: string;
  readonly session?: string;
  readonly durationMs?: number;
  readonly error?: unknown;
}
