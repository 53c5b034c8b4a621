import { InsufficientScopeError, ShuttingDownError } from "../../jsonrpc/errors.js";
import type { RequestId } from "../../jsonrpc/messages.js";
import type { Rejection, TransportConnection, TransportSession } from "../../server/connection.js";
import {
  HeaderValidation,
  parseToolFilterHeaders,
  type RequestToolFilter,
} from "../../server/features/request-headers.js";
import type { Session } from "../../server/session.js";
import { type EventStream, formatEvent } from "./event-streams.js";
import {
  type AuthenticatedRequest,
  type HttpHeaders,
  JSON_HEADERS,
  RETRY_SOON,
  sendError,
  sendTooManyStreams,
} from "./http-message.js";
import type { HttpSession, SessionStream } from "./http-session.js";
import type { StreamableHttpEndpoint } from "./streamable-http.js";

/** The session that a POST request belongs to. */
export interface PostTarget {
  readonly session: TransportSession;
  /** The session of Streamable HTTP; undefined if the session ends with this request. */
  readonly httpSession?: HttpSession;
  /** The request is in a revision without sessions, so a disconnect cancels it. */
  readonly isStateless?: boolean;
  /** Called instead of sending the response. */
  readonly onResponse?: (message: string | undefined, rejection: Rejection | undefined) => void;
}

/** A POST request. In a session a disconnect does not cancel it: the client can resume the stream to get the response. */
export class PostConnection implements TransportConnection {
  readonly session: TransportSession;
  readonly principal: string | undefined;
  readonly scopes: ReadonlySet<string> | undefined;
  readonly headerValidation: HeaderValidation;
  readonly #endpoint: StreamableHttpEndpoint;
  readonly #authenticated: AuthenticatedRequest;
  readonly #target: PostTarget;
  #stream: SessionStream | EventStream | undefined;
  #isResponded = false;
  #isDisconnected = false;
  #pollTimer: NodeJS.Timeout | undefined;

  constructor(endpoint: StreamableHttpEndpoint, authenticated: AuthenticatedRequest, target: PostTarget) {
    const { request, authInfo } = authenticated;
    this.session = target.session;
    this.principal = authInfo.principal;
    this.scopes = authInfo.scopes;
    this.headerValidation = new HeaderValidation(request, this);
    this.#endpoint = endpoint;
    this.#authenticated = authenticated;
    this.#target = target;
  }

  get transport(): string {
    return "http";
  }

  get address(): string | undefined {
    return this.#authenticated.request.remoteAddress;
  }

  get toolFilter(): RequestToolFilter | undefined {
    return parseToolFilterHeaders(this.#authenticated.request);
  }

  get headers(): HttpHeaders {
    return this.#authenticated.request.headers;
  }

  get sessionId(): string | undefined {
    return this.#target.httpSession?.id;
  }

  /** Whether messages can reach the client before the response, on the request's stream or one of its session. */
  get acceptsStream(): boolean {
    const { streams } = this.#endpoint;
    const hasStream = this.#stream !== undefined || this.#target.httpSession !== undefined;
    return this.#authenticated.accepts.stream && (hasStream || !streams.isFullFor(this.#authenticated));
  }

  /** Sends a message on the request's stream; without one, or after the response, on the session's standalone stream. */
  send(message: string): void {
    if (this.#isResponded || !this.#canStream) this.#target.httpSession?.push(message);
    else this.#openStream().send(message);
  }

  onLongRunning(): void {
    // The client may have been dropped while the request was dispatched.
    if (this.#isResponded && this.#isDisconnected && this.#target.isStateless) this.session.close();
    const { activePosts, pollAfterMs } = this.#endpoint;
    if (this.#isResponded || activePosts.has(this)) return;
    activePosts.add(this);
    if (this.#stream === undefined) this.#authenticated.response.onDisconnect = () => this.#handleDisconnect();
    if (pollAfterMs === Number.POSITIVE_INFINITY || !this.session.revision?.polling) return;
    this.#pollTimer = setTimeout(() => {
      const stream = this.#canStream ? this.#openStream() : undefined;
      if (stream !== undefined && "disconnect" in stream) stream.disconnect();
    }, pollAfterMs).unref();
  }

  respond(message: string | undefined, rejection?: Rejection, bytes?: number): void {
    if (this.#isResponded) return;
    this.#isResponded = true;
    const { httpSession, isStateless, onResponse } = this.#target;
    const { accepts, response } = this.#authenticated;
    // A stateless request that is answered at once leaves nothing behind.
    const isShort = this.#stream === undefined && !this.#endpoint.activePosts.has(this);
    if (!isShort || (httpSession === undefined && !isStateless)) this.#finish();
    if (this.#stream !== undefined) this.#endStream(this.#stream, message);
    if (onResponse !== undefined) onResponse(message, rejection);
    else if (this.#stream !== undefined || this.#isDisconnected) return;
    // The client must not wait for a response if its session has ended.
    else if (message === undefined && httpSession?.session.isClosed) sendError(response, 404, "the session has ended");
    else if (message !== undefined && rejection === undefined && accepts.json) this.#sendJson(message, bytes);
    else sendResponse(this.#authenticated, message, rejection);
  }

  #sendJson(message: string, bytes: number | undefined): void {
    const { request, response } = this.#authenticated;
    const { activePosts, compressedBytes } = this.#endpoint;
    // No character takes more than three bytes.
    if (compressedBytes === undefined || message.length * 3 < compressedBytes)
      return response.send(200, JSON_HEADERS, message, bytes);
    activePosts.add(this);
    import("./compression.js")
      .then(({ sendCompressed }) => sendCompressed(request, response, message, compressedBytes))
      .catch(() => response.send(200, JSON_HEADERS, message, bytes))
      .finally(() => activePosts.delete(this));
  }

  get #canStream(): boolean {
    if (this.#stream !== undefined) return true;
    if (!this.#authenticated.accepts.stream || this.#isDisconnected) return false;
    // Subscriptions are useless without a stream, so they may exceed the limit.
    return !this.#endpoint.streams.isFullFor(this.#authenticated) || (this.session as Session).subscriptions > 0;
  }

  #openStream(): SessionStream | EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const connection = this.#endpoint.streams.open(this.#authenticated, () => this.#handleDisconnect());
    this.#stream = this.#target.httpSession?.openStream(connection) ?? connection;
    return this.#stream;
  }

  #endStream(stream: SessionStream | EventStream, message: string | undefined): void {
    if (message === undefined) stream.end();
    else stream.send(message, true);
    if ("pendingWrites" in stream) this.#target.httpSession?.removeStream(stream);
  }

  #handleDisconnect(): void {
    this.#isDisconnected = true;
    if (this.#isResponded || !this.#target.isStateless) return;
    this.#isResponded = true;
    this.#finish();
  }

  #finish(): void {
    clearTimeout(this.#pollTimer);
    if (this.#target.httpSession === undefined) this.session.close();
    else this.#target.httpSession.touch();
    this.#endpoint.activePosts.delete(this);
  }
}

/** Sends the response to a JSON-RPC message; without a message, 202 Accepted. */
export function sendResponse(authenticated: AuthenticatedRequest, message?: string, rejection?: Rejection): void {
  const { response, accepts } = authenticated;
  if (message === undefined) response.send(202, {});
  else if (rejection !== undefined) sendRejection(authenticated, message, rejection);
  else if (accepts.json) response.send(200, JSON_HEADERS, message);
  else response.send(200, { "content-type": "text/event-stream" }, formatEvent(message));
}

function sendRejection(authenticated: AuthenticatedRequest, message: string, rejection: Rejection): void {
  const { request, response, accepts, authenticator } = authenticated;
  const { status, error, retryAfterMs } = rejection;
  // The client accepts a stream, but the limit is reached.
  if (status === 406 && accepts.stream)
    return sendTooManyStreams(response, (JSON.parse(message) as { id: RequestId }).id);
  const isRetryable = error instanceof ShuttingDownError && error.data?.["retryable"] === true;
  response.send(
    status,
    {
      ...JSON_HEADERS,
      ...(retryAfterMs !== undefined && { "retry-after": `${Math.ceil(retryAfterMs / 1000)}` }),
      ...(isRetryable && RETRY_SOON),
      ...(error instanceof ShuttingDownError && { connection: "close" }),
      ...(error instanceof InsufficientScopeError &&
        authenticator !== undefined && { "www-authenticate": authenticator.challenge(request, error.scopes) }),
    },
    message,
  );
}
