import { rejectAtCaller, rejectUnknownOptions, requireServer } from "../../server/definitions/validation.js";
import type { Server } from "../../server/server.js";
import { type HttpOptions, type RunningHttpServer, servePort } from "../http/serve-http.js";
import { logUncaughtUntilClosed } from "../running-server.js";

/** Options of `serveWebSocket`: those of `serveHttp` that apply to WebSocket. */
export type WebSocketOptions = Omit<
  HttpOptions,
  "sessions" | "sse" | "compression" | "pollAfterMs" | "pages" | "webSocket"
>;

const KNOWN_OPTIONS: Readonly<Record<keyof WebSocketOptions, true>> = {
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

/**
 * Serves over WebSocket on its own port; with `serveHttp(server, { webSocket: true })` both share one. Rejects with a `TypeError`
 * for invalid options, and with an `Error` if it cannot listen.
 *
 * @example
 * ```ts
 * import { serveWebSocket } from "@toolwright/engine/sockets";
 *
 * const { url } = await serveWebSocket(server, { port: 3001 }); // ws://127.0.0.1:3001/mcp
 * ```
 */
export function serveWebSocket(server: Server, options: WebSocketOptions = {}): Promise<RunningHttpServer> {
  return rejectAtCaller(serveWebSocket, async () => {
    requireServer("serve over WebSocket", server);
    rejectUnknownOptions("serve over WebSocket", options, KNOWN_OPTIONS);
    const running = await logUncaughtUntilClosed(server, servePort(server, options, true));
    return { ...running, url: running.url.replace(/^http/, "ws") };
  });
}
