import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import {
  findMirroredArguments,
  getValueAtPath,
  headerAnnotationIssue,
  type MirroredArgument,
  NAME_HEADER_PARAMS,
} from "../server/features/mirrored-headers.js";
import { ConnectionError, TimeoutError } from "./errors.js";

/** Headers by name. */
export type HttpHeaders = Readonly<Record<string, string>>;

/** Options for servers that are reached over HTTP or a WebSocket. */
export interface HttpClientOptions {
  /** Headers of every request, or a function that returns them. */
  readonly headers?: HttpHeaders | (() => HttpHeaders | Promise<HttpHeaders>);
  /**
   * The bearer token, or a function that returns it. After a 401 the function is called once more, with the
   * `WWW-Authenticate` header of the response.
   */
  readonly token?: string | ((challenge?: string) => string | undefined | Promise<string | undefined>);
  /** Replaces the global `fetch`: for a proxy, client certificates or longer timeouts. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** One HTTP request. */
export type HttpCall = RequestInit & { readonly headers: HttpHeaders; readonly signal: AbortSignal };

const MAX_REDIRECTS = 3;

/** Sends an HTTP request with the headers and the token of the options. Rejects with `ConnectionError` if there is no response. */
export async function sendHttp(options: HttpClientOptions, url: string, call: HttpCall): Promise<Response> {
  const { token } = options;
  const currentToken = typeof token === "function" ? await token() : token;
  const response = await sendWithToken(options, url, call, currentToken);
  if (response.status !== 401 || typeof token !== "function") return response;
  const newToken = await token(challengeOf(response) ?? "");
  if (newToken === undefined || newToken === currentToken) return response;
  await response.body?.cancel();
  return sendWithToken(options, url, call, newToken);
}

/** Returns the headers of a request, with lower-case names. Those of the protocol and the token override the user's. */
export async function resolveHeaders(
  { headers }: HttpClientOptions,
  token: string | undefined,
  own: HttpHeaders = {},
): Promise<Record<string, string>> {
  const combined = {
    ...(typeof headers === "function" ? await headers() : headers),
    ...own,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return Object.fromEntries(Object.entries(combined).map(([name, value]) => [name.toLowerCase(), value]));
}

async function sendWithToken(
  options: HttpClientOptions,
  url: string,
  call: HttpCall,
  token: string | undefined,
): Promise<Response> {
  const { fetch: fetchImpl = fetch } = options;
  const headers = await resolveHeaders(options, token, call.headers);
  let target = url;
  // A custom fetch may throw synchronously.
  const send = async (): Promise<Response> => fetchImpl(target, { ...call, headers, redirect: "manual" });
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await send().catch((cause: unknown) => {
      call.signal.throwIfAborted();
      throw toFetchError(target, cause);
    });
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    target = resolveRedirect(target, response);
  }
  throw new ConnectionError(`The server at ${url} redirects more than ${MAX_REDIRECTS} times`);
}

/** Follows redirects only within the origin, because headers may contain secrets, and only those that keep the method. */
function resolveRedirect(url: string, { status, headers }: Response): string {
  const target = new URL(headers.get("location") ?? "", url);
  if (target.origin === new URL(url).origin && (status === 307 || status === 308)) return target.href;
  throw new ConnectionError(
    `The server at ${url} redirects to ${target.href} (${status}), which is not followed. Connect to that URL if you trust it`,
    { status },
  );
}

function toFetchError(url: string, cause: unknown): Error {
  const reason = fetchErrorReason(cause);
  // Node.js waits at most five minutes for the response headers.
  if (reason === "UND_ERR_HEADERS_TIMEOUT")
    return new TimeoutError(
      `fetch timed out at ${url} (${reason}); pass a fetch with a longer timeout as option fetch`,
    );
  return new ConnectionError(`Cannot reach the server at ${url}: ${reason}. Is it running?`, { cause });
}

interface FetchError {
  readonly code?: string;
  readonly message?: string;
  readonly cause?: FetchError;
}

/** Returns why `fetch` failed: the code or message of the cause, or of the error itself on some runtimes. */
export function fetchErrorReason(error: unknown): string {
  const { code, message, cause } = error as FetchError;
  return cause?.code || code || cause?.message || message || String(error);
}

/** Reads the body as text. Rejects with `ConnectionError` if it is too large or ends early. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += (chunk as Uint8Array).length;
      if (size > maxBytes) break;
      chunks.push(chunk as Uint8Array);
    }
  } catch (cause) {
    throw new ConnectionError(`The server's response ended early: ${fetchErrorReason(cause)}`, { cause });
  }
  if (size <= maxBytes) return Buffer.concat(chunks).toString();
  throw new ConnectionError(`The server's response is larger than ${maxBytes} bytes (maxMessageBytes)`);
}

/** Returns the `WWW-Authenticate` header. */
export const challengeOf = (response: Response): string | undefined =>
  response.headers.get("www-authenticate") ?? undefined;

/** Returns the media type without parameters. */
export const mediaTypeOf = (response: Response): string =>
  (response.headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();

/** Returns `Mcp-Method` and `Mcp-Name` for a message, so that proxies can route it without reading the body. */
export function requestHeaders({ method, params }: JsonObject): HttpHeaders {
  if (typeof method !== "string") return {};
  const name = isObject(params) ? params[NAME_HEADER_PARAMS.get(method) ?? ""] : undefined;
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }) };
}

/** Returns the `Mcp-Param-*` headers for the arguments of a tool call. */
export function argumentHeaders(mirrored: readonly MirroredArgument[], args: JsonObject): HttpHeaders {
  const headers: Record<string, string> = {};
  for (const { path, key } of mirrored) {
    const value = getValueAtPath(args, path) ?? null;
    if (typeof value !== "object") headers[key] = encodeHeaderValue(String(value));
  }
  return headers;
}

/** Returns the mirrored arguments of an input schema; undefined if its annotations are invalid and the tool must not be called. */
export function readMirroredArguments(schema: Json | undefined): readonly MirroredArgument[] | undefined {
  if (!isObject(schema)) return [];
  return headerAnnotationIssue(schema) === undefined ? findMirroredArguments(schema) : undefined;
}

/** Encodes a value that is not plain ASCII, or that looks encoded, as base64. */
function encodeHeaderValue(value: string): string {
  const isPlain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
