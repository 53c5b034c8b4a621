import { methodNotFound } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { TIMEOUT_META_KEY } from "../protocol/request-meta.js";
import type { Revision } from "../revisions/revision.js";
import { type Deadline, type Deferred, deferred, startDeadline } from "./deadline.js";
import { ConnectionError, connectionLost, objectOrEmpty, ResponseError, stringOr } from "./errors.js";
import type { HttpHeaders } from "./http-request.js";
import type { ClientTransport } from "./transport.js";

/** The progress of a request, as the server reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Options of a single request. */
export interface RequestOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for a response; every progress notification restarts it. */
  readonly timeoutMs?: number | undefined;
  /** How long to wait for a response in total, whatever progress is reported. */
  readonly totalTimeoutMs?: number | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of a request inside the client. */
export interface SendOptions extends RequestOptions {
  readonly headers?: HttpHeaders | undefined;
  /** Receives the id of the request before any message about it arrives. */
  readonly onStart?: (id: number) => void;
  /** Progress is reported until this settles, if it does so after the response: a task continues after it. */
  readonly untilSettled?: Promise<void>;
}

/** A request that was sent. */
export interface StartedRequest {
  readonly id: number;
  /** The whole response message, with a result or an error. */
  readonly response: Promise<JsonObject>;
}

/** Input that the server requests from the client: elicitation, sampling or roots. */
export interface InputRequest {
  /** The name that the server gives the request; "" if it has none. */
  readonly name: string;
  readonly method: string;
  readonly params: JsonObject;
  /** Aborted when the response is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
}

/** Responds to an input request. Returns undefined if it does not support the method. */
export type InputRequestHandler = (request: InputRequest) => JsonObject | undefined | Promise<JsonObject | undefined>;

/** Options of a connection. */
export interface ConnectionOptions {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly onInputRequest: InputRequestHandler;
}

/** Receives every notification except the progress of requests. */
export type NotificationListener = (method: string, params: JsonObject) => void;

/** A JSON-RPC connection to one server: requests with timeouts, cancellation and progress over any transport. */
export class ClientConnection {
  readonly options: ConnectionOptions;
  readonly listeners = new Set<NotificationListener>();
  readonly #pending = new Map<unknown, Deferred<JsonObject>>();
  /** Requests of the server that are being answered. */
  readonly #incoming = new Map<Json, AbortController>();
  /** The requests that may have progress, by token. */
  readonly #active = new Map<
    Json,
    { readonly deadline: Deadline; readonly onProgress: RequestOptions["onProgress"] }
  >();
  readonly #closed = deferred<Error>();
  #transport: ClientTransport | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;
  #lastId = 0;

  constructor(options: ConnectionOptions) {
    this.options = options;
  }

  /** Resolves with the reason when the connection has ended. */
  get closed(): Promise<Error> {
    return this.#closed.promise;
  }

  get mirrorsHeaders(): boolean {
    return this.#transport?.mirrorsHeaders ?? false;
  }

  /** Opens the transport and performs the handshake within the timeout. Closes the connection on failure. */
  async open<T>(
    openTransport: (signal: AbortSignal) => Promise<ClientTransport>,
    timeoutMs: number,
    handshake: () => Promise<T>,
  ): Promise<T> {
    const abort = new AbortController();
    const opened = async (): Promise<T> => {
      this.#transport = await openTransport(abort.signal);
      // It opened after the timeout.
      if (abort.signal.aborted) await this.close();
      return handshake();
    };
    try {
      return await startDeadline("connect", { timeoutMs }).race(opened());
    } catch (error) {
      if (this.#transport) await this.close();
      else abort.abort();
      throw error;
    }
  }

  /** Sets the negotiated revision, and completes the handshake if it has one. */
  async setRevision(revision: Revision): Promise<void> {
    this.#transport?.setRevision?.(revision);
    if (revision.handshake) await this.notify("notifications/initialized");
  }

  /** Sends a request and returns its result. Rejects with `ResponseError`, `ConnectionError` or `TimeoutError`. */
  async request(method: string, params: JsonObject, options: SendOptions = {}): Promise<JsonObject> {
    options.signal?.throwIfAborted();
    if (this.#failure) throw this.#failure;
    const { timeoutMs = this.options.timeoutMs, totalTimeoutMs = this.options.totalTimeoutMs, onProgress } = options;
    const timeouts = { timeoutMs, totalTimeoutMs, signal: options.signal };
    const deadline = startDeadline(method, timeouts, () => this.#incoming.size > 0);
    // The id that the request will have.
    const token = this.#lastId + 1;
    this.#active.set(token, { deadline, onProgress });
    // Progress restarts `timeoutMs`.
    const maxMs = onProgress ? totalTimeoutMs : Math.min(timeoutMs, totalTimeoutMs);
    const meta = {
      ...(HANDLER_METHODS.has(method) && Number.isFinite(maxMs) && { [TIMEOUT_META_KEY]: maxMs }),
      ...(params["_meta"] as JsonObject | undefined),
      ...(onProgress && { progressToken: token }),
    };
    const sentParams = Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
    const { id, response } = this.startRequest(method, sentParams, options.headers);
    options.onStart?.(id);
    try {
      return readResult(method, await Promise.race([response, deadline.expired]));
    } catch (error) {
      if (this.isPending(id)) this.#cancel(id, method, error);
      throw error;
    } finally {
      deadline.clear();
      void Promise.resolve(options.untilSettled).then(() => this.#active.delete(token));
    }
  }

  /** Sends a request without a timeout, and returns at once. */
  startRequest(method: string, params: JsonObject, headers?: HttpHeaders): StartedRequest {
    this.#lastId += 1;
    const id = this.#lastId;
    const pending = deferred<JsonObject>();
    // A caller that does not wait for the response need not handle its rejection.
    pending.promise.catch(() => undefined);
    this.#pending.set(id, pending);
    this.#send({ jsonrpc: "2.0", id, method, params }, headers);
    if (this.#failure) this.onRequestError(id, this.#failure);
    return { id, response: pending.promise };
  }

  /** Sends a notification. */
  async notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#failure) throw this.#failure;
    await this.#transport?.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  /** Closes the connection; pending requests are rejected. */
  async close(): Promise<void> {
    this.onClose(connectionLost("The client closed the connection; connect again to continue"));
    this.#closing ??= this.#transport?.close();
    await this.#closing;
  }

  /** Called by the transport for each message, or batch of messages. */
  onMessage(message: Json): void {
    for (const item of Array.isArray(message) ? message : [message]) if (isObject(item)) this.#receive(item);
  }

  /** Whether the response to a request is outstanding. */
  isPending(id: number): boolean {
    return this.#pending.has(id);
  }

  /** Called by the transport if the response to a request will not come. Ignored if the request is not pending. */
  onRequestError(id: number, error: Error): void {
    this.#takePending(id)?.reject(error);
  }

  /** Called by the transport when no more messages will come. */
  onClose(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    for (const incoming of this.#incoming.values()) incoming.abort();
    this.#closed.resolve(this.#failure);
  }

  #takePending(id: unknown): Deferred<JsonObject> | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #send(message: JsonObject, headers?: HttpHeaders): void {
    // The errors of a request go to `onRequestError`, and those of a response concern no request of the client.
    this.#transport?.send(message, headers)?.catch(() => undefined);
  }

  #receive(message: JsonObject): void {
    const { id, method } = message;
    const params = objectOrEmpty(message["params"]);
    if (typeof method !== "string") this.#takePending(id)?.resolve(message);
    else if (id !== undefined) void this.#handleRequest(id, method, params);
    else if (method === "notifications/cancelled") this.#incoming.get(params["requestId"] ?? null)?.abort();
    else this.#handleNotification(method, params);
  }

  async #handleRequest(id: Json, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    this.#incoming.set(id, controller);
    const body = await this.#respond(method, params, controller.signal).catch((error: unknown) => ({
      error: { code: 1, message: error instanceof Error ? error.message : String(error) },
    }));
    this.#incoming.delete(id);
    if (!controller.signal.aborted) this.#send({ jsonrpc: "2.0", id, ...body });
    // The server was waiting for this response, so its time starts again.
    for (const { deadline } of this.#active.values()) deadline.reset();
  }

  async #respond(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const name = stringOr(objectOrEmpty(params["_meta"])["toolwright/inputRequest"]);
    const result = method === "ping" ? {} : await this.options.onInputRequest({ name, method, params, signal });
    if (result !== undefined) return { result };
    const { code, message } = methodNotFound(method);
    return { error: { code, message } };
  }

  #handleNotification(method: string, params: JsonObject): void {
    const { progressToken = null, ...progress } = params;
    const active = method === "notifications/progress" ? this.#active.get(progressToken) : undefined;
    try {
      if (active?.onProgress) {
        active.deadline.reset();
        active.onProgress(progress as unknown as Progress);
      } else for (const listener of this.listeners) listener(method, params);
    } catch (error) {
      // An error of the callback must not be taken for one of the transport.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #cancel(id: number, method: string, cause: unknown): void {
    this.#pending.delete(id);
    if (this.#transport?.abortRequest?.(id) || method === "initialize" || this.#failure) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.notify("notifications/cancelled", { requestId: id, reason }).catch(() => undefined);
  }
}

/** The methods that run handlers. Servers of this engine stop a call when the client no longer waits for it. */
const HANDLER_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
]);

function readResult(method: string, { result, error }: JsonObject): JsonObject {
  if (isObject(error)) throw new ResponseError(error);
  if (isObject(result)) return result;
  throw new ConnectionError(
    `Invalid response to ${method}: it has neither a result nor an error. Is this an MCP server?`,
  );
}
