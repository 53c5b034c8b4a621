import { internalError, invalidRequest, limitExceeded, type RpcError } from "../../jsonrpc/errors.js";
import { encodeError, type RequestId } from "../../jsonrpc/messages.js";
import type { Logger } from "../../server/logging/log.js";
import type { Authenticator, AuthInfo } from "./auth/authenticator.js";

/** HTTP headers by name; names of requests are lower-case. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** Why a body is not read: it is too large, or too many bytes of other bodies are being received. */
export type BodyRejection = "too-large" | "busy";

/** One HTTP request, independent of the host that received it. */
export interface HttpRequest {
  readonly method: string;
  /** The escaped path, without the query. */
  readonly path: string;
  /** The query without the question mark; empty if there is none. */
  readonly query: string;
  /** The client's address; undefined if the host does not provide it. */
  readonly remoteAddress: string | undefined;
  /** Whether the request came over TLS. */
  readonly isSecure: boolean;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** All headers, with credentials redacted. */
  readonly headers: HttpHeaders;
  /**
   * Reads at most `maxBytes` of the body, which count against the principal, or the address without one. `onBody` gets undefined if the
   * body is not UTF-8.
   */
  read(
    maxBytes: number,
    onBody: (text: string | undefined) => void,
    onRejected: (reason: BodyRejection) => void,
    principal?: string,
  ): void;
}

/** The response to one HTTP request: a complete body or an event stream. */
export interface HttpResponse {
  /** Headers that are added to whatever is sent, such as those of CORS. */
  extraHeaders: HttpHeaders | undefined;
  /** Sends a complete response. `bytes` is the length of the body, if known. */
  send(status: number, headers: HttpHeaders, body?: string | Uint8Array, bytes?: number): void;
  /** Starts an event stream. */
  openStream(headers: HttpHeaders): EventSink;
  /** Called once if the client disconnects before the response has ended. */
  onDisconnect: (() => void) | undefined;
}

/** The host's side of an open event stream. */
export interface EventSink {
  /** Bytes that the client has not read yet. */
  readonly bufferedBytes: number;
  write(text: string): void;
  end(): void;
  /** Closes the connection without waiting for buffered data. */
  destroy(): void;
}

/** An authenticated request and everything that its response depends on. */
export interface AuthenticatedRequest {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly authInfo: AuthInfo;
  readonly accepts: AcceptedTypes;
  readonly authenticator: Authenticator | undefined;
}

/** Tools never see these headers: they could forward the credentials to other services. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);

/** Copies request headers for tools, with the values of credential headers replaced by `[redacted]`. */
export function redactHeaders(
  headers: Iterable<readonly [name: string, value: string | readonly string[] | undefined]>,
): HttpHeaders {
  const entries = Array.from(headers, ([name, value]): [string, string] => {
    if (CREDENTIAL_HEADERS.has(name)) return [name, "[redacted]"];
    return [name, typeof value === "string" ? value : (value ?? []).join(", ")];
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** The response types that a client accepts. */
export interface AcceptedTypes {
  readonly json: boolean;
  readonly stream: boolean;
}

/** The `Accept` header that the specification requires of clients, for a fast path. */
export const REQUIRED_ACCEPT = "application/json, text/event-stream";

/** The client accepts every response type. */
export const ACCEPTS_ALL: AcceptedTypes = { json: true, stream: true };

/** Parses an `Accept` header; without one, every type is accepted. */
export function parseAccept(header: string | undefined): AcceptedTypes {
  if (header === undefined) return ACCEPTS_ALL;
  return { json: accepts(header, "application/json"), stream: accepts(header, "text/event-stream") };
}

/** Whether the most specific range that matches a type has a quality above 0. */
function accepts(header: string, type: string): boolean {
  const ranges = ["*/*", `${type.split("/")[0]}/*`, type];
  let specificity = -1;
  let quality = 0;
  for (const part of header.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const index = ranges.indexOf(range);
    if (index < specificity || index === -1) continue;
    const parameter = parameters.find((each) => each.startsWith("q="));
    specificity = index;
    quality = parameter === undefined ? 1 : Number(parameter.slice(2)) || 0;
  }
  return quality > 0;
}

/** The media type of JSON. */
export const JSON_CONTENT_TYPE = "application/json";

/** The headers of a plain JSON response. Adapters recognise this object and write it on a fast path. */
export const JSON_HEADERS: HttpHeaders = Object.freeze({ "content-type": JSON_CONTENT_TYPE });

/** Whether a `Content-Type` header means JSON. */
export const isJsonContentType = (header = ""): boolean =>
  (header.split(";", 1)[0] as string).trim().toLowerCase() === JSON_CONTENT_TYPE;

/** An HTTP error response: a status and a JSON-RPC error as the body. */
export interface HttpError {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: HttpHeaders;
}

/** Makes a client wait a moment before it retries. */
export const RETRY_SOON: HttpHeaders = { "retry-after": "5" };

/** Creates an error response from a status and a message. */
export function httpError(status: number, message: string, headers: HttpHeaders = {}): HttpError {
  return { status, error: status < 500 ? invalidRequest(message) : internalError(message), headers };
}

/** Creates the error response for a client that sends too many requests. */
export function rateLimitError(waitMs: number): HttpError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const error = limitExceeded("rate", `too many requests; try again in ${seconds} s`);
  return { status: 429, error, headers: { "retry-after": `${seconds}` } };
}

/** Creates the error response for an unexpected failure; the cause goes to the log only. */
export function unexpectedError(log: Logger, error: unknown): HttpError {
  log({ level: "error", message: "a request failed", error });
  return httpError(500, "the request failed; see the server log for details");
}

/** Sends an error response. `id` is the id of the JSON-RPC request, if there is one. */
export function sendHttpError(response: HttpResponse, { status, error, headers }: HttpError, id?: RequestId): void {
  const { code, message, data } = error;
  const body = encodeError(id, { code, message, ...(data && { data }) });
  response.send(status, { ...JSON_HEADERS, ...headers }, body);
}

/** Rejects a request with a status and a message. */
export function sendError(response: HttpResponse, status: number, message: string, headers?: HttpHeaders): void {
  sendHttpError(response, httpError(status, message, headers));
}

/** Rejects a request because the server is shutting down. */
export function sendShuttingDown(response: HttpResponse): void {
  sendError(response, 503, "the server is shutting down", { ...RETRY_SOON, connection: "close" });
}

/** Rejects a request that needs an event stream while the limit is reached. */
export function sendTooManyStreams(response: HttpResponse, id?: RequestId): void {
  const error = limitExceeded("streams", "too many event streams are open; try again later");
  sendHttpError(response, { status: 503, error, headers: RETRY_SOON }, id);
}

/** Rejects a request because too many bytes of request bodies are being received. */
export function sendTooManyBodies(response: HttpResponse): void {
  const error = limitExceeded("bodyBytes", "too many large requests are being received; try again later");
  sendHttpError(response, { status: 503, error, headers: { ...RETRY_SOON, connection: "close" } });
}
