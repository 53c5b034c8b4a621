import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on a free port of the loopback address until the test ends; returns the URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Parses the body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, unknown>;
}

/** A request that a server received. */
export interface Seen {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Responds to a request. */
export type Serve = (seen: Seen, response: ServerResponse) => void;

/** Sends a JSON body. */
export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
/** Sends a result. */
export const sendResult = (
  response: ServerResponse,
  { message }: Seen,
  result: unknown,
  headers?: Record<string, string>,
) => json(response, 200, { jsonrpc: "2.0", id: message["id"], result }, headers);
/** Sends an error. */
export const sendError = (response: ServerResponse, { message }: Seen, status: number, error: object) =>
  json(response, status, { jsonrpc: "2.0", id: message["id"], error });

/** A server that keeps the requests it received. */
export async function serve(respond: Serve): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const url = await listen((request, response) => {
    void bodyOf(request).then((message) => {
      const one = { method: request.method ?? "", headers: request.headers, message };
      seen.push(one);
      respond(one, response);
    });
  });
  return { url, seen };
}

/** The result of `server/discover`. */
export const discovered = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: {},
  ttlMs: 0,
  cacheScope: "private",
};
/** The result of `initialize`. */
export const initialized = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "old", version: "1" },
};

/** Handles the life cycle of a session in 2025-11-25, and passes other requests on. */
export const inSession =
  (respond: Serve): Serve =>
  (seen, response) => {
    const { method, message } = seen;
    if (message["method"] === "initialize") sendResult(response, seen, initialized, { "mcp-session-id": "s-1" });
    else if (message["method"] === "notifications/initialized") response.writeHead(202).end();
    else if (method === "DELETE") response.writeHead(200).end();
    else respond(seen, response);
  };
