import type { JsonObject } from "../jsonrpc/json.js";
import type { LogLevel } from "../protocol/caller.js";
import type { Implementation } from "../protocol/description.js";
import { refuseUnknown } from "../server/known-members.js";
import { DEFAULT_LIMITS } from "../server/limits.js";
import type { Server } from "../server/server.js";
import type { Answers } from "./answers.js";
import type { RequestOptions } from "./connection.js";
import type { HttpAccess } from "./http-courier.js";
import type { CommandTarget } from "./stdio.js";
import type { TaskState } from "./tasks.js";

/** Where a server is. */
export type Target =
  | CommandTarget
  /** `http:` and `https:` are Streamable HTTP, `ws:` and `wss:` a WebSocket. */
  | { readonly url: string | URL }
  /** The event stream of HTTP+SSE, the older HTTP. */
  | { readonly sse: string | URL }
  /** A Unix domain socket, or a Windows named pipe. */
  | { readonly socket: string }
  /** A server in this process, and who it takes us for. */
  | { readonly server: Server; readonly principal?: string };

/** How to talk to a server. */
export interface ClientOptions extends Answers, HttpAccess {
  /** The only revision to speak; the newest that both ends know by default. */
  readonly revision?: string;
  /** Who we are, as servers are told. */
  readonly info?: Implementation;
  /** What we can do beside what there are handlers for. */
  readonly capabilities?: JsonObject;
  /** How long a server may be silent before a request is given up; 60 s by default. */
  readonly timeoutMs?: number;
  /** How long a request may take, however much progress it reports; 15 min by default. */
  readonly totalMs?: number;
  /** How long the first answer may take before the server is taken for one of the older era; 5 s. */
  readonly probeMs?: number;
  /** The largest message that is read, in bytes; 10 MiB by default. */
  readonly messageBytes?: number;
  /** Log lines of the server, where it sends any; `setLogLevel` says which are wanted. */
  readonly onLog?: (line: LogLine) => void;
  /** Every notification that is no progress of a request. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
}

/** The names of all options, so that a misspelt one is not passed over. */
export const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  revision: true,
  info: true,
  capabilities: true,
  timeoutMs: true,
  totalMs: true,
  probeMs: true,
  messageBytes: true,
  onLog: true,
  onNotification: true,
  onElicit: true,
  onVisit: true,
  onSample: true,
  roots: true,
  headers: true,
  token: true,
  fetch: true,
};

/** Throws `TypeError` for an option that nobody knows. */
export const checkOptions = (given: object, known: Readonly<Record<string, true>>): void =>
  refuseUnknown("connect", given, known);

/** A log line of the server. */
export interface LogLine {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** How one tool is called. */
export interface CallOptions extends RequestOptions {
  /** Asks the server to go on with the call as a task; off by default. */
  readonly task?: boolean | { readonly ttlMs: number };
  /** Hears where the task stands that a call has become. */
  readonly onTask?: (task: TaskState) => void;
}

/** What holds where nothing else is said. */
export const DEFAULTS = {
  info: { name: "toolwright-client", version: "1.0.0" },
  timeoutMs: 60_000,
  totalMs: 900_000,
  probeMs: 5000,
  messageBytes: DEFAULT_LIMITS.messageBytes,
} as const;
