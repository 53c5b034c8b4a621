import type { JsonObject } from "../jsonrpc/messages.js";
import type { Implementation, LogLevel } from "../protocol/types.js";
import type { Root } from "../server/call.js";
import { DEFAULT_LIMITS } from "../server/limits/limits.js";
import type { Server } from "../server/server.js";
import type { InputRequestHandler, RequestOptions } from "./connection.js";
import { objectOrEmpty, stringOr } from "./errors.js";
import type { HttpClientOptions } from "./http-request.js";
import type { TaskState } from "./round-trips.js";
import type { CommandTarget } from "./stream-transports.js";

/** A form that the server asks the user to fill in. */
export interface ElicitFormRequest {
  /** The name that the server gives the request; "" if it has none. */
  readonly name: string;
  readonly message: string;
  /** A flat JSON Schema of the form. */
  readonly requestedSchema: JsonObject;
  /** Aborted when the response is no longer wanted. */
  readonly signal: AbortSignal | undefined;
}

/** A URL that the server asks the user to open. */
export interface ElicitUrlRequest extends Omit<ElicitFormRequest, "requestedSchema"> {
  readonly url: string;
}

/** The user's response; `content` is the completed form. */
export interface ElicitResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

/** A completion that the server requests from the client's model. */
export interface CreateMessageRequest {
  readonly name: string;
  /** The params of `sampling/createMessage`: `messages`, `maxTokens`, `systemPrompt` and more. */
  readonly params: JsonObject;
  readonly signal: AbortSignal | undefined;
}

/** The model's response as the protocol defines it: `role`, `content`, `model`, `stopReason`. */
export type CreateMessageResult = JsonObject;

type MaybePromise<Value> = Value | Promise<Value>;

/** Handlers for the requests of a server. Each one declares the matching client capability. */
export interface InputHandlers {
  readonly onElicit?: (request: ElicitFormRequest) => MaybePromise<ElicitResult>;
  readonly onElicitUrl?: (request: ElicitUrlRequest) => MaybePromise<ElicitResult>;
  readonly onSample?: (request: CreateMessageRequest) => MaybePromise<CreateMessageResult>;
  readonly roots?: readonly Root[] | (() => MaybePromise<readonly Root[]>);
}

/** Returns the client capabilities that a set of handlers provides. */
export function clientCapabilities({ onElicit, onElicitUrl, onSample, roots }: InputHandlers): JsonObject {
  const elicitation = { ...(onElicit && { form: {} }), ...(onElicitUrl && { url: {} }) };
  return {
    ...((onElicit ?? onElicitUrl) && { elicitation }),
    ...(onSample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/** Returns a function that passes each request of the server to its handler. */
export function createInputRequestHandler(handlers: InputHandlers): InputRequestHandler {
  const { onElicit, onElicitUrl, onSample, roots } = handlers;
  return async ({ name, method, params, signal }) => {
    if (method === "sampling/createMessage") return onSample?.({ name, params, signal });
    if (method === "roots/list") {
      const resolvedRoots = typeof roots === "function" ? await roots() : roots;
      return resolvedRoots && { roots: resolvedRoots.map((root) => ({ ...root })) };
    }
    if (method !== "elicitation/create") return undefined;
    const request = { name, message: stringOr(params["message"]), signal };
    const result = await (params["mode"] === "url"
      ? onElicitUrl?.({ ...request, url: stringOr(params["url"]) })
      : onElicit?.({ ...request, requestedSchema: objectOrEmpty(params["requestedSchema"]) }));
    if (!result) return undefined;
    const { action, content } = result;
    return { action, ...(action === "accept" && content !== undefined && { content }) };
  };
}

/** Where a server is. */
export type Target =
  /** A program to start, which is connected through stdio. */
  | CommandTarget
  /** `http:` and `https:` use Streamable HTTP, `ws:` and `wss:` a WebSocket. */
  | { readonly url: string | URL }
  /** The event stream of the deprecated HTTP+SSE transport. */
  | { readonly sse: string | URL }
  /** A Unix domain socket, or a Windows named pipe. */
  | { readonly socket: string }
  /** A server in this process, and the principal that it sees. */
  | { readonly server: Server; readonly principal?: string };

/** Options of `connect`. */
export interface ClientOptions extends InputHandlers, HttpClientOptions {
  /** The only protocol revision to use; by default the newest that both sides support. */
  readonly revision?: string;
  /** The client's name and version. */
  readonly info?: Implementation;
  /** Client capabilities in addition to those that the handlers declare. */
  readonly capabilities?: JsonObject;
  /** How long to wait for a response; every progress notification restarts it. 60 s by default. */
  readonly timeoutMs?: number;
  /** How long to wait for a response in total, whatever progress is reported. 15 min by default. */
  readonly totalTimeoutMs?: number;
  /** How long to wait for a response in a stateless revision before trying `initialize`. 5 s by default. */
  readonly probeTimeoutMs?: number;
  /** The largest message that is read, in bytes. 10 MiB by default. */
  readonly maxMessageBytes?: number;
  /** Receives the server's log messages; `setLogLevel` chooses which. */
  readonly onLog?: (message: LogMessage) => void;
  /** Receives every notification except the progress of requests. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
}

/** The default of every option. */
export const DEFAULT_CLIENT_OPTIONS = {
  revision: undefined,
  info: { name: "toolwright-client", version: "1.0.0" },
  capabilities: {},
  timeoutMs: 60_000,
  totalTimeoutMs: 900_000,
  probeTimeoutMs: 5000,
  maxMessageBytes: DEFAULT_LIMITS.messageBytes,
  onLog: undefined,
  onNotification: undefined,
  onElicit: undefined,
  onElicitUrl: undefined,
  onSample: undefined,
  roots: undefined,
  headers: undefined,
  token: undefined,
  fetch: undefined,
} as const satisfies Record<keyof ClientOptions, unknown>;

/** A log message of the server. */
export interface LogMessage {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** Options of a tool call. */
export interface CallOptions extends RequestOptions {
  /** Asks the server to run the call as a task. By default only tools that require it. */
  readonly task?: boolean | { readonly ttlMs: number };
  /** Receives the state of the task that a call has become. */
  readonly onTask?: (task: TaskState) => void;
}
