import type { IncomingMessage, ServerResponse } from "node:http";
import { endsCorked } from "../runtime.js";
import { decode } from "../utf8.js";
import type { EventSink, HttpHeaders, HttpReply, HttpRequest } from "./host.js";
import { lastOf, type Proxies } from "./proxies.js";
import { JSON_HEADERS, JSON_TYPE } from "./refusals.js";
import { showHeaders } from "./shown-headers.js";

/** Headers that mean something else to whoever reads the first of two than to whoever reads the last. */
const ONCE = /^(?:host|origin|authorization|content-type|last-event-id|mcp-.*|x-forwarded-(?:host|proto))$/i;

/** Answers up to this many bytes find room in the connection, or are no loss. */
const LARGE = 64 * 1024;

/** What all requests of a kind at one port have in common. */
export interface NodePlace {
  readonly proxies: Proxies | undefined;
  readonly stalledMs: number;
  /** The client waits for a word before it sends the body. */
  readonly isExpecting: boolean;
}

/** One request of Node's HTTP server, and its answer. */
export class NodeExchange implements HttpRequest, HttpReply {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #request: IncomingMessage;
  readonly #headers: IncomingMessage["headers"];
  readonly #response: ServerResponse;
  readonly #proxies: Proxies | undefined;
  readonly #isExpecting: boolean;
  readonly #stalledMs: number;
  #onGone: (() => void) | undefined;
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, { proxies, stalledMs, isExpecting }: NodePlace) {
    let target = request.url ?? "/";
    // A whole URL, of which the name counts (RFC 9112, 3.2.2).
    const whole = target.startsWith("/") ? null : /^https?:\/\/([^/?]+)(.*)/i.exec(target);
    if (whole !== null && request.headers.host !== undefined) [, request.headers.host, target = ""] = whole;
    const at = target.indexOf("?");
    this.method = request.method ?? "GET";
    this.path = at === -1 ? target : target.slice(0, at);
    this.query = at === -1 ? "" : target.slice(at + 1);
    this.#request = request;
    this.#headers = request.headers;
    this.#response = response;
    this.#proxies = proxies;
    this.#isExpecting = isExpecting;
    this.#stalledMs = stalledMs;
  }

  get peer(): string | undefined {
    const { socket } = this.#request;
    const { remoteAddress } = socket;
    return this.#proxies?.peerOf(remoteAddress, this.header("x-forwarded-for")) ?? remoteAddress;
  }

  get isSecure(): boolean {
    const { socket } = this.#request;
    const isTold = this.#proxies?.isTrusted(socket.remoteAddress);
    const said = isTold ? lastOf(this.header("x-forwarded-proto")) : undefined;
    if (said !== undefined) return said === "https";
    // Bun has the member on every socket.
    return "encrypted" in socket && socket.encrypted === true;
  }

  get onGone(): (() => void) | undefined {
    return this.#onGone;
  }

  set onGone(listener: (() => void) | undefined) {
    if (this.#onGone === undefined && listener !== undefined) this.#watch();
    this.#onGone = listener;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name] as string | undefined;
    if (name !== "host" || !this.#proxies?.isTrusted(this.#request.socket.remoteAddress)) return value;
    return lastOf(this.header("x-forwarded-host")) ?? value;
  }

  get headers(): HttpHeaders {
    return showHeaders(Object.entries(this.#headers));
  }

  /** The name of a header that came twice and must not; undefined = there is none. */
  get twice(): string | undefined {
    const { rawHeaders } = this.#request;
    if (rawHeaders.length === 2 * Object.keys(this.#headers).length) return undefined;
    const seen = new Set<string>();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] as string).toLowerCase();
      if (seen.has(name) && ONCE.test(name)) return name;
      seen.add(name);
    }
    return undefined;
  }

  read(mostBytes: number, done: (text: string | undefined) => void, tooLarge: () => void): void {
    const request = this.#request;
    if (Number(this.#headers["content-length"]) > mostBytes) return tooLarge();
    if (this.#isExpecting) this.#response.writeContinue();
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > mostBytes) {
        request.off("data", take);
        request.off("end", end);
        rest = undefined;
        request.pause();
        // Nobody reads the rest, and the next request would wait behind it.
        this.#response.shouldKeepAlive = false;
        tooLarge();
      } else if (first === undefined) first = chunk;
      else if (rest === undefined) rest = [first, chunk];
      else rest.push(chunk);
    };
    const end = (): void => {
      if (first === undefined) done("");
      else done(decode(rest === undefined ? first : Buffer.concat(rest, size)));
    };
    request.on("data", take);
    request.on("end", end);
  }

  send(status: number, headers: HttpHeaders, body?: string | Uint8Array, bytes?: number): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (body === undefined) {
      response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": 0 });
      response.end();
      return;
    }
    const length = bytes ?? (typeof body === "string" ? Buffer.byteLength(body) : body.length);
    // A literal costs a fortieth of a copy, and nearly all answers are such.
    if (headers === JSON_HEADERS) response.writeHead(status, { "content-type": JSON_TYPE, "content-length": length });
    else response.writeHead(status, { ...headers, "content-length": length });
    if (length > LARGE) {
      const { socket } = this.#request;
      // What the connection has no room for waits in memory, for so long from when it is this answer's turn.
      response.on("prefinish", () => socket.setTimeout(this.#stalledMs));
      // Before Node sets its own time, or goes on to the next answer.
      response.prependListener("finish", () => socket.setTimeout(0));
    }
    if (typeof body === "string" && this.method !== "HEAD") writeWhole(response, body, length);
    else response.end(this.method === "HEAD" ? undefined : body);
  }

  open(headers: HttpHeaders): EventSink {
    const response = this.#response;
    response.writeHead(200, headers);
    response.flushHeaders();
    return new NodeSink(response);
  }

  #watch(): void {
    const { socket } = this.#request;
    const closed = (): void => {
      socket.off("close", closed);
      if (this.#isOver || this.#response.writableEnded) return;
      this.#isOver = true;
      this.#onGone?.();
    };
    this.#response.on("close", closed);
    // Of a client that went while it was looked up, no event will tell.
    if (socket.destroyed) process.nextTick(closed);
    // An answer that waits for those before it on its connection hears nothing of its end.
    else if (this.#response.socket === null) socket.setMaxListeners(0).on("close", closed);
  }
}

/** Writes head and body as one piece. `end` would add an empty one, and to write several costs much more than to write one. */
function writeWhole(response: ServerResponse, body: string, bytes: number): void {
  const { socket } = response;
  // An answer that waits for those before it on its connection has none yet.
  if (socket === null || !endsCorked) {
    response.end(body);
    return;
  }
  socket.cork();
  // ASCII is the same in both, but Node makes room for three times as much where it may be more.
  response.write(body, bytes === body.length ? "latin1" : "utf8");
  socket.uncork();
  response.end();
}

/** An event stream on Node's HTTP server. A class, because many are open at once and closures take ten times the room. */
class NodeSink implements EventSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get buffered(): number {
    return this.#response.writableLength;
  }

  write(text: string): void {
    this.#response.write(text);
  }

  end(): void {
    this.#response.end();
  }

  drop(): void {
    this.#response.destroy();
  }
}
