import { atCaller, requireServer } from "../../server/definitions/validation.js";
import { decodeUtf8 } from "../../server/runtime.js";
import type { Server } from "../../server/server.js";
import { resolveAuthOptions } from "./auth/options.js";
import { Endpoint } from "./endpoint.js";
import {
  type BodyRejection,
  type EventSink,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  redactHeaders,
} from "./http-message.js";
import { type EndpointOptions, resolveEndpointOptions } from "./options.js";

/** Information about a request that the `Request` object does not contain. */
export interface FetchContext {
  /** The client's address, for rate limits. */
  readonly remoteAddress?: string;
}

/** Serves a `Request` of a host such as Deno, Bun or a worker. */
export type FetchHandler = (request: Request, context?: FetchContext) => Promise<Response>;

/**
 * Creates a function that answers a `Request` with a `Response`, for hosts other than Node's own HTTP server, such as Bun, Deno or
 * a web framework. The host limits time, headers and connections itself. Throws `TypeError` for invalid options.
 *
 * @example
 * ```ts
 * import { createServer, tool } from "@toolwright/engine";
 * import { createFetchHandler } from "@toolwright/engine/http";
 *
 * const hello = tool({ name: "hello", description: "Greets.", run: () => "Hello." });
 * const handler = createFetchHandler(createServer({ name: "greeter", version: "1.0.0", tools: [hello] }));
 * Deno.serve((request) => handler(request));
 * ```
 */
export function createFetchHandler(server: Server, options: EndpointOptions = {}): FetchHandler {
  return atCaller(createFetchHandler, () => {
    requireServer("create a fetch handler", server);
    const settings = resolveEndpointOptions(options);
    const { auth, publicUrl } = settings;
    if (auth !== undefined) resolveAuthOptions(auth, { publicUrl });
    const opening = Endpoint.open(server, settings);
    // A server that cannot start is reported by each request.
    opening.catch(() => undefined);
    return async (request, context) => {
      const endpoint = await opening;
      const adapter = new FetchAdapter(request, context?.remoteAddress);
      endpoint.handle(adapter, adapter);
      return adapter.response;
    };
  });
}

const encoder = new TextEncoder();

/** Statuses whose responses have no body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** Adapts a `Request` and its `Response`. */
class FetchAdapter implements HttpRequest, HttpResponse, EventSink {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly remoteAddress: string | undefined;
  readonly isSecure: boolean;
  extraHeaders: HttpHeaders | undefined;
  /** Resolves when the response headers are known. */
  readonly response: Promise<Response>;
  readonly #request: Request;
  #isFinished = false;
  #isDisconnected = false;
  #onDisconnect: (() => void) | undefined;
  /** The body of an event stream. */
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #resolveResponse: ((response: Response) => void) | undefined;

  constructor(request: Request, remoteAddress: string | undefined) {
    const { pathname, search, protocol } = new URL(request.url);
    this.method = request.method;
    this.path = pathname;
    this.query = search.slice(1);
    this.remoteAddress = remoteAddress;
    this.isSecure = protocol === "https:";
    this.#request = request;
    this.response = new Promise((resolve) => {
      this.#resolveResponse = resolve;
    });
    request.signal.addEventListener("abort", this.#handleDisconnect);
    if (request.signal.aborted) this.#handleDisconnect();
  }

  get onDisconnect(): (() => void) | undefined {
    return this.#onDisconnect;
  }

  set onDisconnect(listener: (() => void) | undefined) {
    this.#onDisconnect = listener;
    // There is no event if the client has already disconnected.
    if (this.#isDisconnected && listener !== undefined) queueMicrotask(listener);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    if (value !== null) return value;
    // Requests that the host has created have no Host header.
    return name === "host" ? new URL(this.#request.url).host : undefined;
  }

  get headers(): HttpHeaders {
    return redactHeaders(this.#request.headers);
  }

  read(
    maxBytes: number,
    onBody: (text: string | undefined) => void,
    onRejected: (reason: BodyRejection) => void,
  ): void {
    if (Number(this.header("content-length")) > maxBytes) return onRejected("too-large");
    if (this.#request.body?.locked || this.#request.bodyUsed)
      throw new TypeError("the request body has already been read");
    this.#readAll(maxBytes).then(
      (bytes) => (bytes === undefined ? onRejected("too-large") : onBody(decodeUtf8(bytes))),
      // The client disconnected while it sent the body.
      () => this.#handleDisconnect(),
    );
  }

  send(status: number, headers: HttpHeaders, body?: string | Uint8Array): void {
    if (this.#resolveResponse === undefined) return;
    const isEmpty = this.method === "HEAD" || EMPTY_STATUSES.has(status);
    // Throws for an invalid response of a page; then an error response follows.
    this.#respond(status, headers, isEmpty ? null : (body as string | Uint8Array<ArrayBuffer>));
    this.#finish();
  }

  openStream(headers: HttpHeaders): EventSink {
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#body = controller;
      },
      cancel: () => {
        this.#body = undefined;
        this.#handleDisconnect();
      },
    };
    // The queue has everything that the host has not read yet.
    const body = new ReadableStream<Uint8Array>(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
    this.#respond(200, headers, body);
    return this;
  }

  get bufferedBytes(): number {
    return -(this.#body?.desiredSize ?? 0);
  }

  write(text: string): void {
    if (!this.#isFinished) this.#body?.enqueue(encoder.encode(text));
  }

  end(): void {
    if (this.#finish()) this.#body?.close();
  }

  destroy(): void {
    if (this.#finish()) this.#body?.error(new Error("The stream was closed: the client reads too slowly"));
  }

  async #readAll(maxBytes: number): Promise<Buffer | undefined> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.#request.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  }

  /** Resolves the response, unless it was resolved before. */
  #respond(status: number, headers: HttpHeaders, body: ConstructorParameters<typeof Response>[0]): void {
    this.#resolveResponse?.(new Response(body, { status, headers: { ...headers, ...this.extraHeaders } }));
    this.#resolveResponse = undefined;
  }

  readonly #handleDisconnect = (): void => {
    if (!this.#finish()) return;
    this.#body?.close();
    this.#isDisconnected = true;
    this.#onDisconnect?.();
    // Settles the promise of the caller; the client does not read it.
    this.#respond(499, {}, null);
  };

  /** Returns false if the response had finished before. */
  #finish(): boolean {
    if (this.#isFinished) return false;
    this.#isFinished = true;
    this.#request.signal.removeEventListener("abort", this.#handleDisconnect);
    return true;
  }
}
