import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@toolwright/engine";
import type { Connection } from "./connection.js";
import { isRequest, keyOf, type Line, metaOf, methodOf, paramsOf, readLine, SUBSCRIPTION } from "./messages.js";

/** Receives messages of the server: the response to a POST, or an event stream. */
interface HttpListener {
  send(message: JsonObject): void;
  /** There are no more messages. */
  end(): void;
}

/** A request of a POST that has no response yet. */
interface Pending {
  readonly id: Json;
  readonly token: Json | undefined;
  readonly listener: HttpListener;
  readonly left: Set<string>;
}

/**
 * HTTP clients that share one connection. Their ids may collide, so they are replaced; messages that belong to a request return with
 * its response, all others go to an open stream.
 */
class HttpClientGroup {
  readonly #connection: Connection;
  readonly #pending = new Map<string, Pending>();
  readonly #streams = new Set<HttpListener>();
  #number = 0;

  constructor(open: (send: (text: string) => void) => Connection) {
    this.#connection = open((text) => this.#receive(text));
  }

  /** No request is pending, and no stream is open. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#streams.size === 0;
  }

  swap(): Promise<void> {
    return this.#connection.swap();
  }

  async close(): Promise<void> {
    for (const listener of [...this.#streams, ...[...this.#pending.values()].map((pending) => pending.listener)])
      listener.end();
    await this.#connection.close();
  }

  /** Adds a stream for messages that belong to no request. Returns a function that removes it. */
  listen(listener: HttpListener): () => void {
    this.#streams.add(listener);
    return () => this.#streams.delete(listener);
  }

  /** Sends the messages of a POST to the code. Returns a function that cancels the requests without response. */
  post({ messages, isBatch }: Line, listener: HttpListener): () => void {
    const left = new Set<string>();
    const said = messages.map((message) => this.#translate(message, listener, left));
    this.#connection.receive(JSON.stringify(isBatch ? said : said[0]));
    return () => {
      for (const key of left) {
        this.#pending.delete(key);
        const requestId = JSON.parse(key) as string;
        const params = { requestId, reason: "The client has disconnected" };
        this.#connection.receive(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
      }
    };
  }

  #translate(message: JsonObject, listener: HttpListener, left: Set<string>): JsonObject {
    if (!isRequest(message))
      return methodOf(message) === "notifications/cancelled" ? this.#cancelled(message) : message;
    this.#number += 1;
    const id = `http-${this.#number}`;
    const { progressToken: token } = metaOf(message);
    left.add(keyOf(id));
    this.#pending.set(keyOf(id), { id: message["id"] ?? null, token, listener, left });
    if (token === undefined) return { ...message, id };
    return { ...message, id, params: { ...paramsOf(message), _meta: { ...metaOf(message), progressToken: id } } };
  }

  #cancelled(message: JsonObject): JsonObject {
    const params = paramsOf(message);
    const found = [...this.#pending].find(([, { id }]) => keyOf(id) === keyOf(params["requestId"]));
    if (found === undefined) return message;
    this.#settle(found[0], found[1]);
    return { ...message, params: { ...params, requestId: JSON.parse(found[0]) as string } };
  }

  #receive(text: string): void {
    for (const message of readLine(text)?.messages ?? []) this.#notify(message);
  }

  #notify(message: JsonObject): void {
    const params = paramsOf(message);
    const meta = metaOf(message);
    const method = methodOf(message);
    const key = keyOf(method === undefined ? message["id"] : (params["progressToken"] ?? meta[SUBSCRIPTION]));
    const pending = this.#pending.get(key);
    if (pending === undefined) return void (method !== undefined && this.#anyListener()?.send(message));
    const { id, token, listener } = pending;
    if (method === undefined) {
      listener.send({ ...message, id });
      this.#settle(key, pending);
    } else if (method === "notifications/progress")
      listener.send({ ...message, params: { ...params, progressToken: token ?? null } });
    else listener.send({ ...message, params: { ...params, _meta: { ...meta, [SUBSCRIPTION]: id } } });
  }

  #settle(key: string, { listener, left }: Pending): void {
    this.#pending.delete(key);
    left.delete(key);
    if (left.size === 0) listener.end();
  }

  /** Where the client reads: preferably an open stream. */
  #anyListener(): HttpListener | undefined {
    const [stream] = this.#streams;
    return stream ?? [...this.#pending.values()].at(-1)?.listener;
  }
}

/** A development server over HTTP. */
interface HttpDevServer {
  readonly url: string;
  swap(): void;
  close(): Promise<void>;
}

const PATH = "/mcp";
const MOST_BYTES = 16 * 1024 * 1024;
/** Clients that go without a word leave their sessions behind. */
const MOST_SESSIONS = 32;
/** The session of all clients that need none. */
const SHARED = "";
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Serves HTTP for one developer on one machine. Throws where the address cannot be had. */
export async function serveWeb(
  { host, port }: { readonly host: string; readonly port: number },
  open: (send: (text: string) => void) => Connection,
): Promise<HttpDevServer> {
  const door = new Door(open);
  const server = createServer((request, response) => void door.answer(request, response));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shown}:${(server.address() as AddressInfo).port}${PATH}`,
    swap: () => door.swap(),
    close: () => close(server, door),
  };
}

async function close(server: Server, door: Door): Promise<void> {
  await door.close();
  server.close();
  server.closeAllConnections();
}

class Door {
  readonly #open: (send: (text: string) => void) => Connection;
  /** The most recently used one is last. */
  readonly #clients = new Map<string, HttpClientGroup>();

  constructor(open: (send: (text: string) => void) => Connection) {
    this.#open = open;
  }

  swap(): void {
    for (const client of this.#clients.values()) void client.swap();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? id : undefined;
    if (!isLocal(request)) return refuse(response, 403, "Only this machine may call, and only its own pages");
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, `MCP is spoken at ${PATH}`);
    if (session !== undefined && !this.#clients.has(session))
      return refuse(response, 404, "There is no such session; open another one with initialize");
    if (request.method === "POST") return this.#post(request, response, session);
    const client = session === undefined ? undefined : this.#clients.get(session);
    if (client === undefined || session === undefined)
      return refuse(response, 405, "Without a session there is POST alone");
    if (request.method === "GET") {
      response.once("close", client.listen(openStream(response)));
      return;
    }
    if (request.method !== "DELETE") return refuse(response, 405, "There are POST, GET and DELETE");
    this.#clients.delete(session);
    await client.close();
    response.writeHead(204).end();
  }

  async #post(request: IncomingMessage, response: ServerResponse, session: string | undefined): Promise<void> {
    const text = await readBody(request);
    const line = text === undefined ? undefined : readLine(text);
    if (line === undefined) return refuse(response, 400, "The body is no message");
    const isOpening = line.messages.some((message) => methodOf(message) === "initialize");
    const name = isOpening ? randomUUID() : (session ?? SHARED);
    const client = this.#find(name);
    if (name !== SHARED) response.setHeader("mcp-session-id", name);
    if (!line.messages.some((message) => methodOf(message) !== undefined && "id" in message)) {
      client.post(line, NOBODY);
      response.writeHead(202).end();
      return;
    }
    const isStreamed = request.headers.accept?.includes("text/event-stream") === true;
    const gone = client.post(line, isStreamed ? openStream(response) : openJson(response, line.isBatch));
    // With a session, a connection that breaks means nothing; without one it is how a client cancels.
    if (name === SHARED) response.once("close", gone);
  }

  #find(name: string): HttpClientGroup {
    const client = this.#clients.get(name) ?? new HttpClientGroup(this.#open);
    this.#clients.delete(name);
    this.#clients.set(name, client);
    const idle = [...this.#clients].find(([, other]) => other !== client && other.isIdle);
    if (this.#clients.size > MOST_SESSIONS && idle) {
      this.#clients.delete(idle[0]);
      void idle[1].close();
    }
    return client;
  }
}

const NOBODY: HttpListener = { send: () => undefined, end: () => undefined };

/** Rejects other web pages: their requests have another host or origin. */
function isLocal({ headers }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  const page = origin === undefined || origin === "null" || !URL.canParse(origin) ? origin : new URL(origin).host;
  return LOCAL.test(host) && (page === undefined || LOCAL.test(page));
}

function openStream(response: ServerResponse): HttpListener {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }).flushHeaders();
  return {
    send: (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end: () => void response.end(),
  };
}

function openJson(response: ServerResponse, isBatch: boolean): HttpListener {
  const answers: JsonObject[] = [];
  return {
    send: (message) => void (methodOf(message) === undefined && answers.push(message)),
    end: () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(isBatch ? answers : answers[0]));
    },
  };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}

/** Undefined if it is too long, or the client has disconnected. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } catch {
    return undefined;
  }
}
