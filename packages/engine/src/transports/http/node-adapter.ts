import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { BlockList, type IPVersion, isIP } from "node:net";
import type { SharedBudget } from "../../server/limits/shared-budget.js";
import { decodeUtf8, flushesCorkedSockets } from "../../server/runtime.js";
import {
  type BodyRejection,
  type EventSink,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
  JSON_CONTENT_TYPE,
  JSON_HEADERS,
  redactHeaders,
  sendError,
} from "./http-message.js";
import { optionError } from "./options.js";

/** Headers that must not be repeated: proxies and servers may disagree on which value counts. */
const SINGLE_VALUE_HEADERS =
  /^(?:host|origin|authorization|content-type|last-event-id|mcp-.*|x-forwarded-(?:host|proto))$/i;

/** Larger responses get a timeout for clients that do not read them. */
const LARGE_BODY_BYTES = 64 * 1024;

/** The settings that all requests of a port share. */
export interface NodeAdapterOptions {
  readonly proxies: TrustedProxies | undefined;
  readonly stalledMs: number;
  /** Undefined for requests that have no body. */
  readonly bodies?: SharedBudget;
}

/** Serves the requests of a Node HTTP server. */
export interface NodeRequestHandler {
  handle(request: NodeAdapter, response: NodeAdapter): void;
}

/** Creates the listener of a Node HTTP server, which adapts each request and passes it to a handler. */
export function createRequestListener(handler: NodeRequestHandler, options: NodeAdapterOptions): RequestListener {
  return (request, response) => {
    const adapter = new NodeAdapter(request, response, options);
    const { duplicateHeader } = adapter;
    if (duplicateHeader === undefined) handler.handle(adapter, adapter);
    else sendError(adapter, 400, `the header ${duplicateHeader} must not be sent twice`);
  };
}

/** Adapts a request and a response of Node's HTTP server. */
export class NodeAdapter implements HttpRequest, HttpResponse, EventSink {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The name of a repeated header that must not be repeated; undefined if there is none. */
  readonly duplicateHeader: string | undefined;
  extraHeaders: HttpHeaders | undefined;
  readonly #request: IncomingMessage;
  readonly #headers: IncomingMessage["headers"];
  readonly #response: ServerResponse;
  readonly #options: NodeAdapterOptions;
  #onDisconnect: (() => void) | undefined;
  #isDisconnected = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: NodeAdapterOptions) {
    const { headers, rawHeaders } = request;
    let target = request.url ?? "/";
    // The host of an absolute URL replaces the Host header (RFC 9112, section 3.2.2).
    const absoluteUrl = target.startsWith("/") ? null : /^https?:\/\/([^/?]+)(.*)/i.exec(target);
    if (absoluteUrl !== null && headers.host !== undefined) [, headers.host, target = ""] = absoluteUrl;
    const queryStart = target.indexOf("?");
    this.method = request.method ?? "GET";
    this.path = queryStart === -1 ? target : target.slice(0, queryStart);
    this.query = queryStart === -1 ? "" : target.slice(queryStart + 1);
    const hasDuplicates = rawHeaders.length !== 2 * Object.keys(headers).length;
    this.duplicateHeader = hasDuplicates ? findDuplicateHeader(rawHeaders) : undefined;
    this.#request = request;
    this.#headers = headers;
    this.#response = response;
    this.#options = options;
  }

  get remoteAddress(): string | undefined {
    const { remoteAddress } = this.#request.socket;
    return this.#options.proxies?.clientAddress(remoteAddress, this.header("x-forwarded-for")) ?? remoteAddress;
  }

  get isSecure(): boolean {
    const { socket } = this.#request;
    const isTrustedProxy = this.#options.proxies?.isTrusted(socket.remoteAddress);
    const forwardedProto = isTrustedProxy ? lastForwarded(this.header("x-forwarded-proto")) : undefined;
    if (forwardedProto !== undefined) return forwardedProto === "https";
    // Bun defines `encrypted` on every socket.
    return "encrypted" in socket && socket.encrypted === true;
  }

  get onDisconnect(): (() => void) | undefined {
    return this.#onDisconnect;
  }

  set onDisconnect(listener: (() => void) | undefined) {
    if (this.#onDisconnect === undefined && listener !== undefined) this.#watchDisconnect();
    this.#onDisconnect = listener;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name] as string | undefined;
    if (name !== "host" || !this.#options.proxies?.isTrusted(this.#request.socket.remoteAddress)) return value;
    return lastForwarded(this.header("x-forwarded-host")) ?? value;
  }

  get headers(): HttpHeaders {
    return redactHeaders(Object.entries(this.#headers));
  }

  read(
    maxBytes: number,
    onBody: (text: string | undefined) => void,
    onRejected: (reason: BodyRejection) => void,
    principal?: string,
  ): void {
    const request = this.#request;
    if (Number(this.#headers["content-length"]) > maxBytes) return onRejected("too-large");
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let size = 0;
    // Most bodies have one chunk, which is not counted.
    let counted = 0;
    const holder =
      principal === undefined
        ? { client: this.remoteAddress, part: request.socket }
        : { client: `principal ${principal}` };
    const release = (): void => {
      this.#options.bodies?.remove(holder, counted);
      request.off("close", release);
      counted = 0;
    };
    const reject = (reason: BodyRejection): void => {
      request.off("data", onData);
      request.off("end", onEnd);
      rest = undefined;
      if (counted > 0) release();
      request.pause();
      // The rest is not read, so the connection cannot be used for another request.
      this.#response.shouldKeepAlive = false;
      onRejected(reason);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) return reject("too-large");
      if (first === undefined) {
        first = chunk;
        return;
      }
      if (this.#options.bodies?.tryAdd(holder, chunk.length) === false) return reject("busy");
      if (counted === 0) request.on("close", release);
      counted += chunk.length;
      if (rest === undefined) rest = [first, chunk];
      else rest.push(chunk);
    };
    const onEnd = (): void => {
      if (counted > 0) release();
      if (first === undefined) onBody("");
      else onBody(decodeUtf8(rest === undefined ? first : Buffer.concat(rest, size)));
    };
    request.on("data", onData);
    request.on("end", onEnd);
  }

  send(status: number, headers: HttpHeaders, body?: string | Uint8Array, bytes?: number): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const length = bytes ?? (typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0));
    // Fast path for nearly all responses: a literal is much cheaper than a spread.
    if (headers === JSON_HEADERS && this.extraHeaders === undefined)
      response.writeHead(status, { "content-type": JSON_CONTENT_TYPE, "content-length": length });
    else
      response.writeHead(status, {
        ...headers,
        ...this.extraHeaders,
        ...(status !== 204 && { "content-length": length }),
      });
    if (length > LARGE_BODY_BYTES) this.#limitStall();
    const { socket } = response;
    if (body === undefined || this.method === "HEAD") response.end();
    // A pipelined response has no socket until its turn.
    else if (typeof body !== "string" || socket === null || !flushesCorkedSockets) response.end(body);
    else {
      // Writes headers and body as one chunk: `end(body)` adds an empty chunk, and several chunks are much slower.
      socket.cork();
      // For ASCII both encodings are equal, but for UTF-8 Node allocates three times the length.
      response.write(body, length === body.length ? "latin1" : "utf8");
      socket.uncork();
      response.end();
    }
  }

  openStream(headers: HttpHeaders): EventSink {
    this.#response.writeHead(200, { ...headers, ...this.extraHeaders });
    this.#response.flushHeaders();
    return this;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  write(text: string): void {
    this.#response.write(text);
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  /** Closes the connection of a client that does not read its response. */
  #limitStall(): void {
    const { socket } = this.#request;
    // Starts when it is this response's turn on the connection; until it is read, it is buffered in memory.
    this.#response.on("prefinish", () => socket.setTimeout(this.#options.stalledMs));
    // Runs before Node sets the keep-alive timeout or starts the next response.
    this.#response.prependListener("finish", () => socket.setTimeout(0));
  }

  #watchDisconnect(): void {
    const { socket } = this.#request;
    const onClose = (): void => {
      socket.off("close", onClose);
      if (this.#isDisconnected || this.#response.writableEnded) return;
      this.#isDisconnected = true;
      this.#onDisconnect?.();
    };
    this.#response.on("close", onClose);
    // The socket emits no more events if the client has already disconnected.
    if (socket.destroyed) process.nextTick(onClose);
    // A pipelined response gets no event of the socket until its turn.
    else if (this.#response.socket === null) socket.setMaxListeners(0).on("close", onClose);
  }
}

function findDuplicateHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (seen.has(name) && SINGLE_VALUE_HEADERS.test(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/** The proxies whose `X-Forwarded-*` headers are trusted. */
export class TrustedProxies {
  readonly #trusted = new BlockList();

  /** Accepts addresses and networks, such as `10.0.0.0/8`. Throws `TypeError` for anything else. */
  constructor(trusted: readonly string[]) {
    if (!Array.isArray(trusted)) throw optionError("trustProxy must be false or a list");
    for (const entry of trusted) {
      const [address = "", bits, extra] = String(entry).split("/");
      const family = isIP(address);
      const maxBits = family === 6 ? 128 : 32;
      const isValid = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits);
      if (family === 0 || extra !== undefined || !isValid)
        throw optionError(`trustProxy has ${JSON.stringify(entry)}, which is neither an address nor a network`);
      this.#trusted.addSubnet(address, Number(bits ?? maxBits), `ipv${family}` as IPVersion);
    }
  }

  isTrusted(address: string | undefined): boolean {
    const plain = address === undefined ? "" : unmapIpv4(address);
    const family = isIP(plain);
    return family !== 0 && this.#trusted.check(plain, `ipv${family}` as IPVersion);
  }

  /** Returns the nearest address in `X-Forwarded-For` that is not a trusted proxy; undefined if the header is not trusted. */
  clientAddress(address: string | undefined, forwarded: string | undefined): string | undefined {
    if (forwarded === undefined || !this.isTrusted(address)) return undefined;
    // Some proxies add the port.
    const addresses = forwarded.split(",").map((part) => part.trim().replace(/^\[(.+)\].*|^([\d.]+):\d+$/, "$1$2"));
    const nearest = addresses.findLast((part) => !this.isTrusted(part)) ?? addresses[0];
    return isIP(nearest ?? "") === 0 ? undefined : nearest;
  }
}

/** The value that the nearest proxy has added; clients can forge the values before it. */
const lastForwarded = (forwarded: string | undefined): string | undefined => forwarded?.split(",").at(-1)?.trim();

/** Removes the IPv6 prefix that dual-stack sockets add to IPv4 addresses. */
const unmapIpv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
