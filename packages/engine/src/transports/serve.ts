import type { Server } from "../server/server.js";
import type { FetchHandler } from "./http/fetch-handler.js";
import type { EndpointOptions } from "./http/options.js";
import type { HttpOptions, PortServing } from "./http/serve-http.js";
import { surviveLeftBehind } from "./left-behind.js";
import type { Serving } from "./serving.js";
import type { UnixSocketOptions } from "./unix-socket.js";
import type { WebSocketOptions } from "./websocket/serve-websocket.js";

/** Serves over HTTP. Throws `TypeError` for wrong options, and `Error` that says why it cannot listen. */
export async function serveHttp(server: Server, options: HttpOptions = {}): Promise<PortServing> {
  // Servers on stdio never read a line of it.
  const http = await import("./http/serve-http.js");
  return surviving(server, http.serveHttp(server, options));
}

/**
 * A function that answers a `Request` with a `Response`, for hosts other than Node's own HTTP server, which limit time, headers
 * and connections themselves. It throws `TypeError` for wrong options.
 */
export function createFetchHandler(server: Server, options: EndpointOptions = {}): FetchHandler {
  const opened = import("./http/fetch-handler.js").then(({ openFetchHandler }) => openFetchHandler(server, options));
  // Whoever calls it hears of a fault.
  opened.catch(() => undefined);
  return async (request, context) => (await opened)(request, context);
}

/**
 * Serves over WebSocket at a port of its own; with `webSocket` of `serveHttp` both share a port. Throws `TypeError` for wrong
 * options, and `Error` that says why it cannot listen.
 */
export async function serveWebSocket(server: Server, options: WebSocketOptions = {}): Promise<PortServing> {
  const webSocket = await import("./websocket/serve-websocket.js");
  return surviving(server, webSocket.serveWebSocket(server, options));
}

/**
 * Serves over a Unix domain socket or a Windows named pipe, a message a line. Throws `TypeError` for wrong options, and `Error`
 * that says why it cannot listen.
 */
export async function serveUnixSocket(server: Server, path: string, options: UnixSocketOptions = {}): Promise<Serving> {
  const socket = await import("./unix-socket.js");
  return surviving(server, socket.serveUnixSocket(server, path, options));
}

/** Has what tools leave behind logged until it has closed, or could not be opened. */
function surviving<Opened extends Serving>(server: Server, opened: Promise<Opened>): Promise<Opened> {
  const over = surviveLeftBehind(server);
  void opened.then(({ closed }) => closed).then(over, over);
  return opened;
}
