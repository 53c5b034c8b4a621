import type { RpcError } from "../jsonrpc/errors.js";
import { encodeNotification, isObject, type Json, type JsonRpcResponse, type RequestId } from "../jsonrpc/messages.js";
import { type Caller, LIST_KINDS, type LogLevel, resourceTopic } from "../protocol/types.js";
import { defaultHttpRevision } from "../revisions/negotiation.js";
import type { Revision } from "../revisions/revision.js";
import { ActiveRequests } from "./active-requests.js";
import type { Root } from "./call.js";
import type { ChangeListener } from "./changes.js";
import type { Negotiated, SessionOptions } from "./connection.js";
import { startKeepAlive } from "./keep-alive.js";
import type { Client } from "./limits/limiter.js";
import type { TokenBucket } from "./limits/quota.js";
import { logToSession } from "./logging/client-log.js";
import type { RequestContext } from "./request-context.js";
import { monotonicNow } from "./runtime.js";
import type { ServerState } from "./state.js";

/** A request to the client without a response so far. */
export interface PendingRequest {
  onResponse(response: { readonly result?: Json; readonly error?: Json }): void;
  onAbandoned(reason: string): void;
}

/** URL elicitations that a session remembers; the oldest are forgotten. */
const MAX_ELICITATIONS = 1000;

/** The state of one client: what the handshake negotiated, and what is open. */
export class Session {
  /** The negotiated revision; undefined before the handshake and for stateless clients. */
  revision: Revision | undefined;
  caller: Caller | undefined;
  /** The revision of the last stateless request. Errors about unreadable messages are encoded in it. */
  lastStateless: Revision | undefined;
  /** The log level that the client has set with `logging/setLevel`. */
  logLevel: LogLevel | undefined;
  /** It was logged that the client sends requests before `notifications/initialized`. */
  isEarlyLogged = false;
  /** Settles when an `initialize` that runs through middleware is answered; resolves with true if it was cancelled. */
  handshake: Promise<boolean> | undefined;
  /** Messages that wait for it. */
  readonly queued: string[] = [];
  /** Requests without a response so far, by id. Created on first use: most are answered in the turn in which they arrive. */
  active: ActiveRequests | undefined;
  /** The revision of requests that name none, if there is no handshake. */
  assumed: Revision | undefined;
  /** Whether the client has sent `notifications/initialized`. */
  isReady = false;
  /** Whether the session has ended; later messages are ignored. */
  isClosed = false;
  isReachable = true;
  lastSeenAt = 0;
  /** Open `subscriptions/listen` calls. */
  subscriptions = 0;
  /** The calls of this session; undefined if it made none or the client is authenticated. */
  client: Client | undefined;
  /** How many requests the client may send; undefined if there is no rate, or none was sent. */
  requests: TokenBucket | undefined;
  /** Incremented when the client reports that its roots have changed. */
  rootsVersion = 0;
  /** The number of this session in recordings; 0 = not recorded so far. */
  recordingId = 0;
  /** When the server registered it; 0 = not registered. */
  openedAt = 0;
  readonly options: SessionOptions;
  readonly #server: ServerState;
  readonly #push: (message: string) => void;
  // Created on first use: over HTTP each request may have its own session.
  #pendingRequests: Map<RequestId, PendingRequest> | undefined;
  /** The functions that end resource subscriptions, by URI. */
  #resourceSubscriptions: Map<string, () => void> | undefined;
  #releaseKept: (() => void) | undefined;
  #roots: readonly Root[] | undefined;
  #forgetRoots: (() => void) | undefined;
  /** URL elicitations that were sent and not completed. */
  #elicitations: Set<string> | undefined;
  #lastRequestId = 0;
  #stopKeepAlive: (() => void) | undefined;
  #changeListener: ChangeListener | undefined;
  /** Responses that are held back for a moment. */
  #delayed: Set<() => void> | undefined;

  /** `push` sends messages that belong to no request. */
  constructor(server: ServerState, push: (message: string) => void, options: SessionOptions = {}) {
    this.options = options;
    this.#server = server;
    this.#push = push;
    if (options.isSingleRequest !== true) this.register();
    if (options.negotiated !== undefined || options.assumed !== undefined) this.#restore(options);
  }

  get isBusy(): boolean {
    return (this.active?.size ?? 0) + (this.#pendingRequests?.size ?? 0) + (this.#delayed?.size ?? 0) > 0;
  }

  get negotiated(): Negotiated | undefined {
    return this.revision && this.caller && { version: this.revision.version, caller: this.caller };
  }

  /** Continues a session that was negotiated in another process, or has no handshake. */
  #restore({ negotiated, assumed }: SessionOptions): void {
    const served = this.#server.settings.revisions;
    const find = (version: string | undefined) => served.find((revision) => revision.version === version);
    this.assumed = assumed === true ? defaultHttpRevision(served) : find(assumed);
    this.revision = find(negotiated?.version);
    this.caller = negotiated?.caller;
    if (negotiated === undefined) return;
    // Ids of the other process may still be in use.
    this.#lastRequestId = Math.floor(Math.random() * 2 ** 48);
    this.markReady();
  }

  addActive(request: RequestContext): void {
    (this.active ??= new ActiveRequests(this.#server.turns)).add(request);
  }

  /** Registers a session that lasts longer than a turn of the event loop with the server. */
  register(): void {
    if (this.openedAt !== 0 || this.isClosed) return;
    this.openedAt = monotonicNow();
    this.#server.sessions.add(this);
  }

  markReady(): void {
    if (this.revision === undefined || this.isReady) return;
    this.isReady = true;
    if (this.isClosed) return;
    logToSession(this.#server, this, "the session is operating");
    const { dynamic, capabilities } = this.#server.settings;
    for (const list of dynamic ? LIST_KINDS : []) {
      const announced = capabilities?.[list];
      if (capabilities === undefined || (isObject(announced) && announced["listChanged"] === true))
        this.#server.changes.subscribe(list, this.#listener);
    }
    this.#stopKeepAlive = startKeepAlive(this, this.#server.settings, (message) => this.push(message));
  }

  /** Calls a function when the session has ended, or at once if another one replaces it. */
  keepUntilEnd(release: () => void): void {
    this.#releaseKept?.();
    this.#releaseKept = release;
    if (this.isClosed) release();
  }

  /** How many resources the client has subscribed to. */
  get subscriptionCount(): number {
    return this.#resourceSubscriptions?.size ?? 0;
  }

  isSubscribed(uri: string): boolean {
    return this.#resourceSubscriptions?.has(uri) === true;
  }

  /** Notifies the client of changes to a resource and to those below it. `onEnd` is called when the subscription ends. */
  subscribe(uri: string, onEnd: () => void): void {
    if (this.isClosed || this.isSubscribed(uri)) return onEnd();
    const stop = this.#server.changes.subscribe(resourceTopic(uri), this.#listener);
    (this.#resourceSubscriptions ??= new Map()).set(uri, () => {
      stop();
      onEnd();
    });
  }

  unsubscribe(uri: string): void {
    this.#resourceSubscriptions?.get(uri)?.();
    this.#resourceSubscriptions?.delete(uri);
  }

  /** The roots that the client last sent; undefined = unknown. */
  get roots(): readonly Root[] | undefined {
    return this.#roots;
  }

  /** Keeps the roots of the client; `onForgotten` is called when they are no longer kept. */
  keepRoots(roots: readonly Root[], onForgotten: () => void): void {
    this.#forgetRoots?.();
    if (this.isClosed) return onForgotten();
    this.#roots = roots;
    this.#forgetRoots = onForgotten;
  }

  invalidateRoots(): void {
    this.#forgetRoots?.();
    this.#forgetRoots = undefined;
    this.#roots = undefined;
    this.rootsVersion += 1;
  }

  /** Remembers the id of a URL elicitation. */
  addElicitation(id: string): void {
    const elicitations = (this.#elicitations ??= new Set()).add(id);
    const [oldest] = elicitations;
    if (oldest !== undefined && elicitations.size > MAX_ELICITATIONS) elicitations.delete(oldest);
  }

  /** Notifies the client that a URL elicitation is complete, once, and only if it was sent to this client. */
  completeElicitation(id: string): void {
    if (this.#elicitations?.delete(id) !== true || this.isClosed) return;
    this.push(encodeNotification("notifications/elicitation/complete", JSON.stringify({ elicitationId: id })));
  }

  /** Registers a request to the client under a new id. */
  addPendingRequest(request: PendingRequest): RequestId {
    this.#lastRequestId += 1;
    (this.#pendingRequests ??= new Map()).set(this.#lastRequestId, request);
    return this.#lastRequestId;
  }

  removePendingRequest(id: RequestId): void {
    this.#pendingRequests?.delete(id);
  }

  /** Passes a response to its request; false if there is none with this id. */
  receiveResponse(response: JsonRpcResponse): boolean {
    const request = this.#pendingRequests?.get(response.id);
    if (request === undefined) return false;
    this.#pendingRequests?.delete(response.id);
    request.onResponse(response);
    return true;
  }

  /** The client sends nothing more: input requests are abandoned and subscriptions end; running calls may finish. */
  end(reason = "the client has gone"): void {
    const wasClosed = this.isClosed;
    if (!wasClosed) logToSession(this.#server, this, "the session is shutting down");
    this.#release(reason);
    this.sendDelayed();
    if (!wasClosed) this.options.onEnd?.();
  }

  /** Responds to every active request with this error at once, because the process is about to exit. */
  abortAll(error: RpcError): void {
    this.sendDelayed();
    for (const request of this.active?.all() ?? []) request.abortWith(error);
  }

  /** Sends a response a little later, or when the session is aborted. */
  delay(send: () => void, ms: number): void {
    const delayed = (this.#delayed ??= new Set());
    const sendOnce = (): void => {
      clearTimeout(timer);
      if (delayed.delete(sendOnce)) send();
    };
    const timer = setTimeout(sendOnce, ms);
    delayed.add(sendOnce);
  }

  /** Sends the delayed responses at once. */
  sendDelayed(): void {
    for (const send of this.#delayed ?? []) send();
  }

  /** The client is gone: cancels everything. */
  close(): void {
    this.#release("the client has gone");
    for (const request of this.active?.all() ?? []) request.cancel("the connection was closed");
    this.#server.onSessionClosed(this);
  }

  #release(reason: string): void {
    this.isClosed = true;
    if (this.#changeListener !== undefined)
      for (const list of LIST_KINDS) this.#server.changes.unsubscribe(list, this.#changeListener);
    this.#stopKeepAlive?.();
    for (const stop of this.#resourceSubscriptions?.values() ?? []) stop();
    this.#resourceSubscriptions?.clear();
    this.#releaseKept?.();
    this.invalidateRoots();
    for (const request of this.#pendingRequests?.values() ?? []) request.onAbandoned(reason);
    this.#pendingRequests?.clear();
    for (const request of this.active?.all() ?? []) request.conclude();
  }

  /** One function for all topics, so that a change is reported once. */
  get #listener(): ChangeListener {
    this.#changeListener ??= (notice) => this.push(notice.message);
    return this.#changeListener;
  }

  /** Sends a message that belongs to no request. */
  push(message: string): void {
    this.#server.recorder?.record("server", this, message);
    this.#push(message);
  }
}
