import type { JsonObject } from "../jsonrpc/json.js";

/** The eight severities of RFC 5424, least severe first. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** How severe a log line is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Tells a log level from any other value. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}

/** Who calls, as the client says of itself: never a reason to trust it. */
export interface Caller {
  readonly info: JsonObject | undefined;
  readonly capabilities: JsonObject;
  /** The least severe log line that the caller wants to hear of; undefined = none. */
  readonly logLevel: LogLevel | undefined;
}
