import { createServer, type LogEntry, type Server, type ServerOptions } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import { onTestFinished } from "vitest";
import { Events } from "./events.js";
import { createExampleOptions } from "./example-server.js";

/** A JSON object as it was received. */
export type Message = Record<string, unknown>;
export type Headers = Readonly<Record<string, string>>;

/** The headers of every POST request. */
export const PLAIN: Headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A server that is served over HTTP for one test. */
export class Served {
  readonly url: string;
  readonly server: Server;
  readonly serving: RunningServer;
  /** What the server has logged. */
  readonly entries: readonly LogEntry[];

  constructor(server: Server, serving: RunningServer, entries: readonly LogEntry[]) {
    this.server = server;
    this.serving = serving;
    this.url = serving.url;
    this.entries = entries;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Another path of the same server. */
  at(path: string): string {
    return new URL(path, this.url).href;
  }

  /** Notifies subscribers that notes have changed. */
  change(first: number, last = first): void {
    for (let at = first; at <= last; at += 1) this.server.notifyResourceUpdated(`note://${at}`);
  }

  post(body: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(this.url, {
      method: "POST",
      headers: { ...PLAIN, ...headers },
      body: text,
      ...(signal && { signal }),
    });
  }

  /** Performs the handshake and returns a client of the session. */
  async open(version = "2025-11-25", headers: Headers = {}, capabilities: Message = {}): Promise<SessionClient> {
    const answer = await this.post(initialize(version, capabilities), headers);
    const id = answer.headers.get("mcp-session-id");
    if (answer.status !== 200 || id === null) throw new Error(`No session: ${answer.status} ${await answer.text()}`);
    await answer.text();
    const client = new SessionClient(this, id, version, headers);
    await (await client.post({ jsonrpc: "2.0", method: "notifications/initialized" })).text();
    return client;
  }
}

/** A client of a session. */
export class SessionClient {
  readonly id: string;
  readonly headers: Headers;
  readonly #at: Served;
  #last = 100;

  constructor(at: Served, id: string, version: string, headers: Headers = {}) {
    this.#at = at;
    this.id = id;
    this.headers = { ...headers, "mcp-session-id": id, "mcp-protocol-version": version };
  }

  /** The same client at another instance. */
  at(other: Served): SessionClient {
    return new SessionClient(other, this.id, this.headers["mcp-protocol-version"] as string, this.headers);
  }

  post(body: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    return this.#at.post(body, { ...this.headers, ...headers }, signal);
  }

  /** Sends a request; ids count up. */
  request(method: string, params: Message = {}, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    this.#last += 1;
    return this.post({ jsonrpc: "2.0", id: this.#last, method, params }, headers, signal);
  }

  call(name: string, args: Message = {}, meta: Message = { progressToken: "p" }): Promise<Response> {
    return this.request("tools/call", { name, arguments: args, _meta: meta });
  }

  /** Sends a notification or a response, and returns the HTTP status. */
  async sendOneWay(message: Message): Promise<number> {
    const answer = await this.post({ jsonrpc: "2.0", ...message });
    await answer.text();
    return answer.status;
  }

  /** Subscribes to this many notes. */
  async watch(count: number): Promise<void> {
    for (let at = 1; at <= count; at += 1)
      await (await this.request("resources/subscribe", { uri: `note://${at}` })).text();
  }

  /** Opens a GET stream, or resumes a stream after an event. */
  async listen(after?: string): Promise<Events> {
    const answer = await this.get(after === undefined ? {} : { "last-event-id": after });
    if (answer.status !== 200) throw new Error(`No stream: ${answer.status} ${await answer.text()}`);
    return Events.of(answer);
  }

  get(headers: Headers = {}): Promise<Response> {
    return fetch(this.#at.url, { headers: { accept: "text/event-stream", ...this.headers, ...headers } });
  }

  delete(headers: Headers = {}): Promise<Response> {
    return fetch(this.#at.url, { method: "DELETE", headers: { ...this.headers, ...headers } });
  }
}

export function initialize(protocolVersion: string, capabilities: Message = {}): Message {
  const clientInfo = { name: "test", version: "1.0.0" };
  return { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion, capabilities, clientInfo } };
}

/** Serves the example tools, or those of `serverOptions`, until the test is over. */
export async function serve(options: HttpOptions = {}, serverOptions: Partial<ServerOptions> = {}): Promise<Served> {
  const entries: LogEntry[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    dynamic: true,
    log: (entry) => void entries.push(entry),
    ...createExampleOptions(),
    ...serverOptions,
    limits: { drainMs: 1000, ...serverOptions.limits },
  });
  const serving = await serveHttp(server, { port: 0, ...options });
  onTestFinished(() => serving.close());
  return new Served(server, serving, entries);
}

/** Waits until a condition holds, and fails with a description of it. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 1000; left > 0; left -= 1) {
    if (await holds()) return;
    await pause(5);
  }
  throw new Error(`Timed out waiting for ${what}`);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The text of a tool result. */
export function textOf(answer: Message): string {
  const { content } = answer["result"] as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join("\n");
}
