import { request as openRequest } from "node:http";
import type { JsonObject, Server } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";

/** What came back for one HTTP request. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text as JSON, where it is some. */
  readonly body: JsonObject;
}

/** The headers of a request; what is `undefined` is left out. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One HTTP request: POST of a message as JSON, unless it says otherwise. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers;
  /** Text is sent as it is. */
  readonly body?: unknown;
}

/** A server at a free port, and a client that adds nothing to what a test sends. */
export interface Site {
  readonly url: URL;
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
}

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** Serves over HTTP until `close`. */
export async function openSite(server: Server, options: HttpOptions = {}): Promise<Site> {
  const serving = await serveHttp(server, { port: 0, ...options });
  const url = new URL(serving.url);
  return {
    url,
    send: (sent) => exchange(url, sent),
    async close() {
      await serving.close();
      await server.close();
    },
  };
}

function exchange(url: URL, { method = "POST", path = url.pathname, headers, body }: Sent): Promise<Answer> {
  const own = method === "POST" ? JSON_HEADERS : { Accept: "application/json, text/event-stream" };
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const sent = openRequest(
      { host: url.hostname, port: url.port, method, path, headers: Object.fromEntries(all) as never, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(pieces).toString();
          const isJson = response.headers["content-type"] === "application/json";
          const answer = { status: response.statusCode ?? 0, headers: response.headers, text };
          resolve({ ...answer, body: isJson ? (JSON.parse(text) as JsonObject) : {} });
        });
      },
    );
    sent.on("error", reject);
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    // As bytes, because Node would write headers that go out together with a text in the encoding of the text.
    sent.end(text === undefined ? undefined : Buffer.from(text));
  });
}

/** The `_meta` that each request of the stateless revision has. */
export const META: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the stateless revision with its headers; what is `undefined` there is left out, and so is `_meta` for null. */
export function modern(
  method: string,
  params: JsonObject,
  headers: Headers = {},
  meta: JsonObject | null = META,
): Sent {
  const body = { jsonrpc: "2.0", id: 7, method, params: meta === null ? params : { ...params, _meta: meta } };
  return { headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...headers }, body };
}

/** Opens a session by handshake, and gives the headers that belong to it. */
export async function handshake(
  site: Site,
  version: string,
  capabilities: JsonObject = {},
): Promise<{
  readonly "Mcp-Session-Id": string;
  readonly "MCP-Protocol-Version": string;
}> {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: version, capabilities, clientInfo };
  const { headers } = await site.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize", params } });
  const own = { "Mcp-Session-Id": headers["mcp-session-id"] as string, "MCP-Protocol-Version": version };
  await site.send({ headers: own, body: { jsonrpc: "2.0", method: "notifications/initialized" } });
  return own;
}
