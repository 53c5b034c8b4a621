import { refuseUnknown } from "../../server/known-members.js";
import type { Server } from "../../server/server.js";
import { type HttpOptions, type PortServing, servePort } from "../http/serve-http.js";

/** What `serveWebSocket` takes: the options of `serveHttp` that mean something here. */
export type WebSocketOptions = Omit<HttpOptions, "sessions" | "sse" | "pollAfterMs" | "pages" | "webSocket">;

const OPTIONS: Readonly<Record<keyof WebSocketOptions, true>> = {
  host: true,
  port: true,
  path: true,
  tls: true,
  publicUrl: true,
  allowedHosts: true,
  allowedOrigins: true,
  auth: true,
  trustProxy: true,
  rate: true,
  metrics: true,
  limits: true,
};

/** Serves over WebSocket at a port of its own. Throws `TypeError` for wrong options, and `Error` that says why it cannot listen. */
export async function serveWebSocket(server: Server, options: WebSocketOptions): Promise<PortServing> {
  refuseUnknown("serve over WebSocket", options, OPTIONS);
  const serving = await servePort(server, options, "websocket");
  return { ...serving, url: serving.url.replace(/^http/, "ws") };
}
