import { isObject, type Json, type JsonObject, parseJson } from "../jsonrpc/messages.js";
import { PROTOCOL_VERSION_KEY } from "../revisions/meta-keys.js";
import { getMeta, type Revision } from "../revisions/revision.js";
import { delay } from "./deadline.js";
import { ConnectionError, httpStatusOf, ResponseError, stringOr } from "./errors.js";
import { readEventStream, type StreamPosition } from "./event-stream.js";
import {
  challengeOf,
  type HttpCall,
  type HttpHeaders,
  mediaTypeOf,
  readText,
  requestHeaders,
  sendHttp,
} from "./http-request.js";
import type { ClientTransport, TransportContext } from "./transport.js";

/** Defaults for resuming a stream, if the server does not say when. */
const STREAM_RETRY = { firstMs: 1000, maxMs: 30_000, maxAttempts: 5 };
const SESSION_DELETE_TIMEOUT_MS = 2000;
const ACCEPT_JSON_OR_STREAM = "application/json, text/event-stream";

/** The Streamable HTTP transport: a POST for each message, and in a session a GET for messages that belong to no request. */
export class StreamableHttpTransport implements ClientTransport {
  readonly mirrorsHeaders = true;
  readonly #url: string;
  readonly #context: TransportContext;
  /** Aborts everything. */
  readonly #abort = new AbortController();
  /** Aborts single requests, by id. */
  readonly #requests = new Map<number, AbortController>();
  #sessionId: string | undefined;
  #revision: Revision | undefined;

  constructor(url: string, context: TransportContext) {
    this.#url = url;
    this.#context = context;
  }

  async send(message: JsonObject, headers: HttpHeaders = {}): Promise<void> {
    const id = typeof message["method"] === "string" ? (message["id"] as number | undefined) : undefined;
    if (id === undefined) {
      await this.#post(message, headers, undefined, this.#abort.signal);
      if (message["method"] === "notifications/initialized") this.#readServerStream().catch(() => undefined);
      return;
    }
    const controller = new AbortController();
    this.#requests.set(id, controller);
    try {
      await this.#post(message, headers, id, controller.signal);
      throw new ConnectionError("The server's HTTP response ended without a JSON-RPC response");
    } catch (error) {
      // Ignored if the response has arrived.
      this.#context.connection.onRequestError(id, error as Error);
    } finally {
      this.#requests.delete(id);
    }
  }

  setRevision(revision: Revision): void {
    this.#revision = revision;
  }

  abortRequest(id: number): boolean {
    this.#requests.get(id)?.abort();
    return this.#revision?.handshake === false;
  }

  async close(): Promise<void> {
    for (const controller of [this.#abort, ...this.#requests.values()]) controller.abort();
    if (this.#sessionId === undefined) return;
    try {
      const signal = AbortSignal.timeout(SESSION_DELETE_TIMEOUT_MS);
      const response = await this.#call({ method: "DELETE", headers: this.#headers(), signal });
      await response.body?.cancel();
    } catch {
      // The server will expire the session.
    }
  }

  #call(call: HttpCall): Promise<Response> {
    return sendHttp(this.#context.http, this.#url, call);
  }

  #headers(version = this.#revision?.version): HttpHeaders {
    return {
      ...(version !== undefined && { "mcp-protocol-version": version }),
      ...(this.#sessionId !== undefined && { "mcp-session-id": this.#sessionId }),
    };
  }

  async #post(message: JsonObject, extra: HttpHeaders, id: number | undefined, signal: AbortSignal): Promise<void> {
    const statelessVersion = getMeta(message)?.[PROTOCOL_VERSION_KEY] as string | undefined;
    const headers = {
      ...this.#headers(statelessVersion),
      ...(statelessVersion !== undefined && { ...requestHeaders(message), ...extra }),
      accept: ACCEPT_JSON_OR_STREAM,
      "content-type": "application/json",
    };
    const response = await this.#call({ method: "POST", headers, body: JSON.stringify(message), signal });
    if (message["method"] === "initialize") this.#sessionId = response.headers.get("mcp-session-id") ?? undefined;
    if (!response.ok || mediaTypeOf(response) !== "text/event-stream") await this.#readBody(response, id);
    else if (statelessVersion === undefined) await this.#readResponseStream(response, id, signal);
    // A stateless response cannot be resumed.
    else await this.#readEvents(response, startPosition());
  }

  async #readBody(response: Response, id: number | undefined): Promise<void> {
    const { connection, maxBytes } = this.#context;
    const text = await readText(response, maxBytes);
    const body = mediaTypeOf(response) === "application/json" && text !== "" ? parseBody(this.#url, text) : undefined;
    // A rate-limited tool call has both an error status and a result.
    if (response.ok || (isObject(body) && isObject(body["result"]))) {
      if (body !== undefined) connection.onMessage(body);
      return;
    }
    const error = isObject(body) && isObject(body["error"]) ? body["error"] : undefined;
    const isDenied = response.status === 401 || response.status === 403;
    const isSessionGone = response.status === 404 && this.#sessionId !== undefined;
    if (error === undefined || id === undefined || isDenied || isSessionGone)
      throw toConnectionError(this.#url, response, stringOr(error?.["message"], text.slice(0, 200)), isSessionGone);
    // The error belongs to the only request of the POST, even if the server left out its id.
    throw new ResponseError(error, response.status);
  }

  /** Reads a response in an event stream. If the stream ends or breaks before the response, it is resumed. */
  async #readResponseStream(first: Response, id: number | undefined, signal: AbortSignal): Promise<void> {
    const position = startPosition();
    let response: Response | undefined = first;
    for (let failures = 0; ; failures += 1) {
      const previousId = position.lastEventId;
      try {
        response ??= await this.#openStream(position, signal);
        await this.#readEvents(response, position);
        // The server may close the stream without an error any number of times.
        failures = 0;
      } catch (error) {
        const isFinal = !isRetryable(httpStatusOf(error)) || failures === STREAM_RETRY.maxAttempts;
        if (isFinal || position.lastEventId === undefined || signal.aborted) throw error;
        if (position.lastEventId !== previousId) failures = 0;
      }
      response = undefined;
      if (id === undefined || !this.#context.connection.isPending(id) || position.lastEventId === undefined) return;
      await delay(retryDelayMs(position, failures), signal);
    }
  }

  /** Reads the messages that belong to no request, for as long as the session lasts. */
  async #readServerStream(): Promise<void> {
    const { signal } = this.#abort;
    const position = startPosition();
    for (let failures = 0, wasOpen = false; ; failures += 1) {
      try {
        const response = await this.#openStream(position, signal);
        failures = 0;
        wasOpen = true;
        await this.#readEvents(response, position);
      } catch (error) {
        const status = httpStatusOf(error);
        // The stream is optional: before it was open, an error only means that the server does not support it.
        if (status === 404 && wasOpen) this.#context.connection.onClose(error as ConnectionError);
        const isUnavailable = !wasOpen && (!isRetryable(status) || failures === STREAM_RETRY.maxAttempts);
        if (signal.aborted || isUnavailable || [401, 403, 404].includes(status ?? 0)) return;
        // The server no longer has the events after this position, so the stream starts anew.
        if (!isRetryable(status)) position.lastEventId = undefined;
      }
      await delay(retryDelayMs(position, failures), signal);
    }
  }

  #readEvents(response: Response, position: StreamPosition): Promise<void> {
    const { connection, maxBytes } = this.#context;
    return readEventStream(response, maxBytes, position, ({ event, data }) => {
      if (event === "message") connection.onMessage(parseJson(data));
    });
  }

  /** Opens the server's stream at a position. */
  async #openStream(position: StreamPosition, signal: AbortSignal): Promise<Response> {
    const { lastEventId } = position;
    const resumeHeader = lastEventId === undefined ? undefined : { "last-event-id": lastEventId };
    const headers = { ...this.#headers(), ...resumeHeader, accept: "text/event-stream" };
    const response = await this.#call({ method: "GET", headers, signal });
    if (response.ok && mediaTypeOf(response) === "text/event-stream") return response;
    await response.body?.cancel();
    const retryAfterMs = 1000 * Number(response.headers.get("retry-after"));
    if (retryAfterMs > 0) position.retryMs = Math.min(retryAfterMs, 1e9);
    throw toConnectionError(this.#url, response, "it opened no event stream", response.status === 404);
  }
}

const startPosition = (): StreamPosition => ({ lastEventId: undefined, retryMs: STREAM_RETRY.firstMs });

/** Whether a retry may succeed; no status means that there was no response. */
const isRetryable = (status = 500): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);

/** Backs off, and never retries sooner than the server asks. */
const retryDelayMs = ({ retryMs }: StreamPosition, failures: number): number =>
  Math.max(retryMs, Math.min(retryMs * 2 ** failures, STREAM_RETRY.maxMs));

function parseBody(url: string, text: string): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ConnectionError(`The server at ${url} sent invalid JSON: ${(cause as Error).message}`, { cause });
  }
}

function toConnectionError(url: string, response: Response, detail: string, isSessionGone: boolean): ConnectionError {
  const { status } = response;
  const summary = isSessionGone
    ? `The server at ${url} ended the session (404). Connect again to continue`
    : `The server at ${url} rejected the request with HTTP status ${status}${detail && `: ${detail}`}`;
  const hint = status === 401 ? ". It requires authentication: set the option token or headers" : "";
  return new ConnectionError(`${summary}${hint}`, { status, challenge: challengeOf(response) });
}
