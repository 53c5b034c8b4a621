import type { RpcError } from "../jsonrpc/errors.js";
import type { Caller } from "../protocol/types.js";
import type { HeaderValidation, RequestToolFilter } from "./features/request-headers.js";
import type { Session } from "./session.js";

/** A revision as transports see it. */
export interface ServedRevision {
  readonly version: string;
  /** Starts with `initialize` and has a session; otherwise each request is self-contained. */
  readonly handshake: boolean;
  /** The server may close a stream early and the client resumes it later. */
  readonly polling: boolean;
}

/** The result of a handshake. Another process can continue the session with it. */
export interface Negotiated {
  readonly version: string;
  readonly caller: Caller;
}

/** How a transport opens a session. */
export interface SessionOptions {
  /** Ends the connection of a client that does not answer pings. */
  readonly disconnect?: () => void;
  /** Called once when the session has ended; calls may still be running. */
  readonly onEnd?: () => void;
  /** The result of a handshake that took place in another process. */
  readonly negotiated?: Negotiated | undefined;
  /** The session ends with the response to one request, so the server keeps track of it only if that takes long. */
  readonly isSingleRequest?: boolean;
  /** There is no handshake: requests that name no revision use this one; `true` means the default of the specification. */
  readonly assumed?: string | true | undefined;
}

/** A session as a transport sees it; `server.openSession` creates it. */
export interface TransportSession {
  /** The negotiated revision; undefined before the handshake and for stateless clients. */
  readonly revision: ServedRevision | undefined;
  /** The result of the handshake; undefined if there was none. */
  readonly negotiated: Negotiated | undefined;
  /** Whether messages that belong to no request can reach the client now. Set by transports whose streams come and go. */
  isReachable: boolean;
  /** When the client was last seen, on the monotonic clock. Set by the same transports. */
  lastSeenAt: number;
  /** Whether any request is unanswered, in either direction. */
  readonly isBusy: boolean;
  /** Whether it has ended; later messages are ignored. */
  readonly isClosed: boolean;
  /** Messages that wait for the response to `initialize`. */
  readonly queued: readonly string[];
  /** The client sends nothing more: input requests are abandoned and subscriptions end; running calls may finish. */
  end(reason?: string): void;
  /** Responds to every active request with this error at once, because the process is about to exit. */
  abortAll(error: RpcError): void;
  /** The client is gone: cancels everything. */
  close(): void;
}

/** Why a request was rejected, for transports that report it outside the message as well. */
export interface Rejection {
  /** The corresponding HTTP status. */
  readonly status: number;
  /** The error in the message; undefined if it is a tool result with `isError`. */
  readonly error?: RpcError;
  /** When the client may retry. */
  readonly retryAfterMs?: number;
}

/** The client as a transport sees it: a whole connection, or one HTTP request. */
export interface TransportConnection {
  readonly session: TransportSession;
  /** The kind of transport, such as `stdio`, for logs and telemetry. */
  readonly transport?: string | undefined;
  /** The session id of the transport, if it has one, for logs and telemetry. */
  readonly sessionId?: string | undefined;
  /** The authenticated client; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The network address of the client, if it has one. Clients that are not authenticated share its limits. */
  readonly address?: string | undefined;
  /** The scopes granted to the client; undefined = unrestricted. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The headers of the HTTP request, or of the request that opened the connection. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Restricts the tools, as the request headers ask; undefined = all tools. */
  readonly toolFilter?: RequestToolFilter | undefined;
  /** Compares the headers of an HTTP request with its body. */
  readonly headerValidation?: HeaderValidation | undefined;
  /** The client does not read fast enough: optional messages are dropped. */
  readonly isBackpressured?: boolean;
  /** Sends a message that is not a response: progress, a log message, an input request. */
  send(message: string): void;
  /** Called, possibly more than once, when the response takes longer than the current event-loop turn. */
  onLongRunning?(): void;
  /**
   * Sends the response to a received message, or reports with undefined that there is none. Called once for each `receive`.
   * `bytes` is the length of the message, if known.
   */
  respond(message: string | undefined, rejection?: Rejection, bytes?: number): void;
}

/** A connection as the engine uses it, with the full session. */
export interface Connection extends TransportConnection {
  readonly session: Session;
}
