import type { JsonObject, RequestId } from "../jsonrpc/messages.js";
import type { Outcome } from "../protocol/outcome.js";
import type { TraceContext } from "../protocol/request-meta.js";
import type { Caller } from "../protocol/types.js";
import type { LogEntry } from "./logging/log.js";
import type { Redaction } from "./logging/redaction.js";

/** A request as middleware sees it. */
export interface MiddlewareRequest {
  readonly id: RequestId;
  /** The method, such as `tools/call`. */
  readonly method: string;
  /**
   * The name of the tool or prompt, or the URI of the resource; undefined for other methods. A tool that the client calls by an
   * alias has its own name here.
   */
  readonly name: string | undefined;
  /** As the client sent them, not validated. */
  readonly params: JsonObject;
  /** What the client says about itself. */
  readonly caller: Caller;
  /** The authenticated client; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** Aborted when the request is cancelled or times out. */
  readonly signal: AbortSignal;
  /** The W3C trace context that the client sent, if any. */
  readonly trace: TraceContext | undefined;
  /** The protocol revision, for logs and metrics. Behaviour should not depend on it. */
  readonly revision: string;
  /** The kind of transport, such as `stdio`, for logs and metrics. */
  readonly transport: string;
  /** The HTTP session id; undefined if there is none. */
  readonly sessionId: string | undefined;
}

/** A session with a handshake that has ended. */
export interface EndedSession {
  readonly revision: string;
  readonly durationMs: number;
}

/** A server as middleware sees it. */
export interface MiddlewareHost {
  readonly name: string;
  readonly version: string;
  /** Redacts secrets in what is logged about requests. */
  readonly redaction: Redaction;
  /** Writes to the server's own log. */
  log(entry: LogEntry): void;
  /** Whether a tool or prompt exists; names in requests come from clients. */
  has(kind: "tool" | "prompt", name: string): boolean;
  /** Calls a listener for each session that ends from now on. */
  onSessionEnd(listener: (session: EndedSession) => void): void;
}

/**
 * Runs around every request. It calls `next` once or not at all, and returns its outcome or another one. `next` rejects with the
 * error of a rejected request, and with an `AbortError` if the request was cancelled. A thrown `ToolError` becomes a tool result
 * with `isError`, an `RpcError` a JSON-RPC error.
 *
 * @example
 * const timing: Middleware = async (request, next) => {
 *   const start = performance.now();
 *   try {
 *     return await next();
 *   } finally {
 *     console.error(request.method, performance.now() - start);
 *   }
 * };
 */
export interface Middleware {
  (request: MiddlewareRequest, next: () => Promise<Outcome>): Outcome | Promise<Outcome>;
  /** Called when the server starts, before its packs are opened. Return false to be left out. */
  open?(host: MiddlewareHost): void | false | Promise<void | false>;
  /** Called when the server closes, after its packs. */
  close?(): void | Promise<void>;
}
