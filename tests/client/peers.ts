import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on a free port of the loopback address until the test is over; gives the URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The body of a request as JSON. */
export async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, unknown>;
}

/** One request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Answers a request. */
export type Serve = (seen: Seen, response: ServerResponse) => void;

/** A whole answer. */
export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
/** The answer to a request. */
export const answer = (
  response: ServerResponse,
  { message }: Seen,
  result: unknown,
  headers?: Record<string, string>,
) => json(response, 200, { jsonrpc: "2.0", id: message["id"], result }, headers);
/** The refusal of a request. */
export const refuse = (response: ServerResponse, { message }: Seen, status: number, error: object) =>
  json(response, status, { jsonrpc: "2.0", id: message["id"], error });

/** A server that keeps what it saw. */
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

/** What a server of the newer era says of itself. */
export const discovered = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: {},
  ttlMs: 0,
  cacheScope: "private",
};
/** What a server of the older era says of itself. */
export const hands = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "old", version: "1" } };

/** Serves a session: what is not told otherwise is answered as a server of 2025-11-25 would. */
export const inSession =
  (respond: Serve): Serve =>
  (seen, response) => {
    const { method, message } = seen;
    if (message["method"] === "initialize") answer(response, seen, hands, { "mcp-session-id": "s-1" });
    else if (message["method"] === "notifications/initialized") response.writeHead(202).end();
    else if (method === "DELETE") response.writeHead(200).end();
    else respond(seen, response);
  };
