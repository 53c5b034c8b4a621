import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A JSON-RPC message, as far as a bridge reads it. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** A listening server. */
export interface Open {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens on a free loopback port. */
export async function listen(onRequest: RequestListener): Promise<Open> {
  const server: Server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The whole body of a request, as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A message as a server-sent event. */
export function toEvent(message: Message): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** The headers that describe the client's origin, forwarded to the server. */
export function standpointOf(client: IncomingMessage, server: URL): Record<string, string> {
  const { host, origin } = client.headers;
  const straight = (text: string) => text.replace(`:${client.socket.localPort}`, `:${server.port}`);
  return { ...(host && { host: straight(host) }), ...(origin && { origin: straight(origin) }) };
}
