import type { EventStreams } from "./event-streams.js";
import {
  type AuthenticatedRequest,
  type HttpError,
  type HttpHeaders,
  type HttpRequest,
  sendError,
  sendTooManyStreams,
} from "./http-message.js";

/** An authenticated request for a page. */
export interface PageRequest extends Pick<HttpRequest, "method" | "path" | "query" | "isSecure"> {
  /** The authenticated principal; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** Returns a header by its lower-case name; `authorization` is not available. */
  header(name: string): string | undefined;
  /** Reads the body. Returns undefined if it is larger than `maxBytes`, not UTF-8 or incomplete. */
  read(maxBytes: number): Promise<string | undefined>;
}

/** A complete response of a page. */
export interface PageResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string | Uint8Array;
}

/** Writes to an event stream of a page. */
export interface PageStreamWriter {
  /** Writes a formatted event, including the empty line at its end. */
  write(event: string): void;
  end(): void;
}

/** A page that responds with an event stream. */
export interface PageEventStream {
  /** Starts writing to the stream. Returns a function that is called when the stream has ended. */
  readonly open: (stream: PageStreamWriter) => () => void;
}

/**
 * Additional pages of an HTTP endpoint, at paths that nothing else uses.
 *
 * @example
 * ```ts
 * const pages: Pages = {
 *   matches: (path) => path === "/about",
 *   serve: () => ({ status: 200, headers: { "content-type": "text/plain" }, body: "A small MCP server" }),
 * };
 * await serveHttp(server, { pages });
 * ```
 */
export interface Pages {
  /** Whether there is a page at this path. Called before authentication, so it must not reveal secrets. */
  matches(path: string): boolean;
  /** Serves an authenticated request. */
  serve(request: PageRequest): PageResponse | PageEventStream | Promise<PageResponse | PageEventStream>;
}

/** Serves an additional page. `onCleanupError` gets what the end of an event stream throws. */
export async function servePage(
  pages: Pages,
  authenticated: AuthenticatedRequest,
  streams: EventStreams,
  onCleanupError: (error: unknown) => void,
): Promise<void> {
  const { request, response } = authenticated;
  const pageResponse = await pages.serve(toPageRequest(authenticated));
  if (!("open" in pageResponse)) return response.send(pageResponse.status, pageResponse.headers, pageResponse.body);
  if (request.method !== "GET") return sendError(response, 405, "use GET", { allow: "GET" });
  if (streams.isFullFor(authenticated)) return sendTooManyStreams(response);
  let stop: (() => void) | undefined;
  const cleanUp = (): void => {
    try {
      stop?.();
    } catch (error) {
      onCleanupError(error);
    }
  };
  const stream = streams.open(authenticated, cleanUp);
  try {
    stop = pageResponse.open({ write: (event) => stream.write(event), end: () => stream.end() });
  } catch (error) {
    stream.end();
    throw error;
  }
  // The stream may have been closed during `open`.
  if (stream.isClosed) cleanUp();
}

function toPageRequest({ request, response, authInfo }: AuthenticatedRequest): PageRequest {
  const { method, path, query, isSecure } = request;
  let body: Promise<string | undefined> | undefined;
  return {
    method,
    path,
    query,
    isSecure,
    principal: authInfo.principal,
    header: (name) => (name === "authorization" ? undefined : request.header(name)),
    read: (maxBytes) => {
      body ??= new Promise((resolve) => {
        const onUnreadable = (): void => resolve(undefined);
        response.onDisconnect = onUnreadable;
        request.read(maxBytes, resolve, onUnreadable);
      });
      return body;
    },
  };
}

/** Converts the password of HTTP basic authentication to a bearer token, because browsers cannot send bearer tokens. */
export function basicToBearer(request: HttpRequest): HttpRequest {
  const encoded = /^basic +([\w+/]+=*)$/i.exec(request.header("authorization") ?? "")?.[1];
  if (encoded === undefined) return request;
  const credentials = Buffer.from(encoded, "base64").toString();
  const bearer = `Bearer ${credentials.slice(credentials.indexOf(":") + 1)}`;
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    remoteAddress: request.remoteAddress,
    isSecure: request.isSecure,
    headers: request.headers,
    header: (name) => (name === "authorization" ? bearer : request.header(name)),
    read: (maxBytes, onBody, onRejected) => request.read(maxBytes, onBody, onRejected),
  };
}

const BASIC_CHALLENGE = 'Basic realm="API key or token as the password", charset="UTF-8"';

/** Makes a browser ask for a password when a page requires authentication. */
export const withBasicChallenge = (error: HttpError): HttpError =>
  error.status === 401 ? { ...error, headers: { ...error.headers, "www-authenticate": BASIC_CHALLENGE } } : error;
