import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@toolwright/engine";
import type { Connection } from "./connection.js";
import { methodOf, readLine } from "./messages.js";
import { type Ear, WebClient } from "./web-client.js";

/** Clients over HTTP, each session with code of its own. */
export interface ServedWeb {
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
): Promise<ServedWeb> {
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
  /** The one that was used last comes last. */
  readonly #clients = new Map<string, WebClient>();

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

  #find(name: string): WebClient {
    const client = this.#clients.get(name) ?? new WebClient(this.#open);
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

const NOBODY: Ear = { say: () => undefined, end: () => undefined };

/** Pages of elsewhere can make a browser call this machine; they cannot choose what it calls it. */
function isLocal({ headers }: IncomingMessage): boolean {
  const { host = "", origin } = headers;
  const page = origin === undefined || origin === "null" || !URL.canParse(origin) ? origin : new URL(origin).host;
  return LOCAL.test(host) && (page === undefined || LOCAL.test(page));
}

function openStream(response: ServerResponse): Ear {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" }).flushHeaders();
  return {
    say: (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    end: () => void response.end(),
  };
}

function openJson(response: ServerResponse, isBatch: boolean): Ear {
  const answers: JsonObject[] = [];
  return {
    say: (message) => void (methodOf(message) === undefined && answers.push(message)),
    end: () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(isBatch ? answers : answers[0]));
    },
  };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${reason}\n`);
}

/** Undefined where it is too long, or the client has gone. */
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
