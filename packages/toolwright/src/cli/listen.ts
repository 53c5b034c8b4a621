import type { Server } from "@toolwright/engine";
import type { Pages, RunningHttpServer } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import type { ServeOptions } from "./serve-options.js";
import type { WebOptions } from "./web-options.js";

/** A way in that is open. */
export interface Listener {
  /** What it is called on the command line. */
  readonly name: "http" | "sse" | "metrics" | "pages" | "ws" | "socket";
  readonly url: string;
  readonly serving: RunningServer | RunningHttpServer;
}

/**
 * Opens every way in that was asked for. Where one cannot be opened, those that are open already are closed again, and it throws
 * what the engine says of it.
 */
export async function listen(
  server: Server,
  options: ServeOptions,
  web: WebOptions,
  pages?: Pages,
): Promise<readonly Listener[]> {
  const listeners: Listener[] = [];
  try {
    if (options.http !== undefined) listeners.push(...(await listenHttp(server, options, web, pages)));
    if (typeof options.ws === "object") {
      const { serveWebSocket } = await import("@toolwright/engine/sockets");
      const { sessions: _sessions, compression: _compression, pollAfterMs: _pollAfterMs, ...shared } = web;
      const serving = await serveWebSocket(server, { ...options.ws, ...shared });
      listeners.push({ name: "ws", url: serving.url, serving });
    }
    if (options.socket !== undefined) {
      const { serveUnixSocket } = await import("@toolwright/engine/sockets");
      const serving = await serveUnixSocket(server, options.socket);
      listeners.push({ name: "socket", url: serving.url, serving });
    }
  } catch (error) {
    await Promise.allSettled(listeners.map(({ serving }) => serving.close()));
    throw error;
  }
  return listeners;
}

async function listenHttp(
  server: Server,
  { http, sse, ws, metrics }: ServeOptions,
  web: WebOptions,
  pages: Pages | undefined,
): Promise<Listener[]> {
  const { serveHttp } = await import("@toolwright/engine/http");
  const hasWebSocket = ws === "http";
  const serving = await serveHttp(server, {
    ...http,
    ...web,
    sse,
    metrics,
    ...(hasWebSocket && { webSocket: true }),
    ...(pages && { pages }),
  });
  const { url } = serving;
  const listeners: Listener[] = [{ name: "http", url, serving }];
  if (sse) listeners.push({ name: "sse", url: new URL("/sse", url).href, serving });
  if (metrics) listeners.push({ name: "metrics", url: new URL("/metrics", url).href, serving });
  if (pages) listeners.push({ name: "pages", url: new URL("/", url).href, serving });
  if (hasWebSocket) listeners.push({ name: "ws", url: url.replace(/^http/, "ws"), serving });
  return listeners;
}
