import { createServer, type Server as NodeServer, type RequestListener, type ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { monotonic } from "../../server/clock.js";
import type { Log } from "../../server/log.js";
import type { Server } from "../../server/server.js";
import { countsBytesRead } from "../runtime.js";
import type { Serving } from "../serving.js";
import { within } from "../time-limit.js";
import type { WebSockets } from "../websocket/websockets.js";
import type { AuthOptions } from "./auth/options.js";
import { checkTls } from "./check-tls.js";
import { Endpoint } from "./endpoint.js";
import type { Gate } from "./gate.js";
import { isLoopback } from "./guard.js";
import type { HttpLimits } from "./limits.js";
import { NodeExchange } from "./node-exchange.js";
import { openGate } from "./open-gate.js";
import { createEndpointSettings, type EndpointOptions, type EndpointSettings, optionFault } from "./options.js";
import { Proxies } from "./proxies.js";
import { refuse } from "./refusals.js";
import { type Renewal, renewPort, type TlsOptions } from "./renew-port.js";

/** What `serveHttp` takes. */
export interface HttpOptions extends EndpointOptions {
  /** The address to listen at; `127.0.0.1` by default, where only this machine reaches it. */
  readonly host?: string;
  /** 3000 by default; 0 = any that is free. */
  readonly port?: number;
  /** Certificate and key, as Node takes them; without, plain HTTP. */
  readonly tls?: TlsOptions;
  /** Proxies, by address or network, whose word on who calls is believed; none by default. */
  readonly trustProxy?: false | readonly string[];
  /** Speaks WebSocket too, at the same port and path; off by default. */
  readonly webSocket?: boolean;
}

/** A server that listens at a port. */
export interface PortServing extends Serving {
  /** Changes what can change without dropping a connection. Throws, and changes nothing, where it cannot. */
  renew(changes: Renewal): void;
}

/** What is spoken at a port. */
type Spoken = "http" | "both" | "websocket";

/** How often idle connections are looked for while the server closes. */
const CLOSING_LOOK_MS = 20;

/** The largest limit that is given to Node. */
const MOST = 2 ** 30;

/** Serves over HTTP. Throws `TypeError` for wrong options, and `Error` that says why it cannot listen. */
export async function serveHttp(server: Server, { webSocket = false, ...options }: HttpOptions): Promise<PortServing> {
  if (typeof webSocket !== "boolean") throw optionFault("webSocket must be true or false");
  return servePort(server, options, webSocket ? "both" : "http");
}

/** `serveHttp`, for all that is spoken at a port of Node's HTTP server. */
export async function servePort(
  server: Server,
  options: Omit<HttpOptions, "webSocket">,
  spoken: Spoken,
): Promise<PortServing> {
  const { host = "127.0.0.1", port = 3000, tls, trustProxy = false, ...rest } = options;
  if (typeof host !== "string" || host === "") throw optionFault("host must be a name or an address");
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw optionFault("port must be from 0 to 65535");
  if (tls !== undefined) checkTls(tls);
  const settings = createEndpointSettings(rest);
  const proxies = trustProxy === false ? undefined : new Proxies(trustProxy);
  let found: number | undefined;
  // Where only this machine comes, the server knows by itself what clients call it.
  const localPort = isLoopback(host) ? () => found : undefined;
  const gate = await openGate(server, settings, localPort);
  await server.start();
  const endpoint = new Endpoint(server, settings, gate, host);
  const sockets = spoken === "http" ? undefined : await createWebSockets(server, settings, endpoint, gate, proxies);
  const alone = spoken === "websocket" ? sockets : undefined;
  const { stalledMs } = settings.limits;
  const answer = (isExpecting: boolean): RequestListener => {
    const place = { proxies, stalledMs, isExpecting };
    return (request, response) => {
      const exchange = new NodeExchange(request, response, place);
      const { twice } = exchange;
      if (twice !== undefined) refuse(exchange, 400, `the header ${twice} came twice`);
      else if (alone?.isAt(exchange)) alone.explain(exchange);
      else endpoint.handle(exchange, exchange);
    };
  };
  const node = await createNodeServer(settings.limits, tls, answer(false));
  node.on("checkContinue", answer(true));
  sockets?.attach(node);
  node.on("drop", () => server.log({ level: "warning", message: "a connection was closed: there are too many" }));
  await listen(node, host, port);
  node.on("error", (error) => server.log({ level: "error", message: "a connection could not be taken", error }));
  found = (node.address() as AddressInfo).port;
  const name = host.includes(":") ? `[${host}]` : host;
  const url = `${tls === undefined ? "http" : "https"}://${name}:${found}${settings.path}`;
  const renew = (changes: Renewal): void => renewPort(node, gate, tls, changes);
  const serving: PortServing = { ...createServing(server, node, endpoint, sockets, url), renew };
  if (settings.auth !== undefined && spoken !== "websocket")
    await checkSelf(server, settings.auth, serving, settings.publicUrl);
  return serving;
}

/** Looks whether clients find out how to get a token; only where `auth.selfCheck` says so does the start wait for it. */
async function checkSelf(server: Server, auth: AuthOptions, serving: Serving, publicUrl?: string): Promise<void> {
  const { runSelfCheck } = await import("./auth/check-discovery.js");
  const checked = runSelfCheck(serving.url, auth, (entry) => server.log(entry), publicUrl);
  if (auth.selfCheck !== "fail") {
    checked.catch((error: unknown) => server.log({ level: "warning", message: "the self-check failed", error }));
    return;
  }
  try {
    await checked;
  } catch (error) {
    await serving.close();
    throw error;
  }
}

async function createNodeServer(
  limits: HttpLimits,
  tls: HttpOptions["tls"],
  answer: RequestListener,
): Promise<NodeServer> {
  const options: ServerOptions = {
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    // Node adds a second.
    keepAliveTimeout: Math.min(limits.idleConnectionMs, MOST),
    // How soon Node notices that one of the times above is over.
    connectionsCheckingInterval: Math.min(limits.headersMs, 1000),
    maxHeaderSize: Math.min(limits.headerBytes, MOST),
    keepAlive: true,
    noDelay: true,
  };
  const node =
    tls === undefined
      ? createServer(options, answer)
      : (await import("node:https")).createServer({ ...options, ...tls, handshakeTimeout: limits.headersMs }, answer);
  node.maxConnections = limits.connections;
  return node;
}

async function createWebSockets(
  server: Server,
  settings: EndpointSettings,
  { guard, rate }: Endpoint,
  gate: Gate | undefined,
  proxies: Proxies | undefined,
): Promise<WebSockets> {
  const { WebSockets: Created } = await import("../websocket/websockets.js");
  const log: Log = (entry) => server.log(entry);
  return new Created(server, settings, { path: settings.path, guard, gate, rate, log }, proxies);
}

function listen(node: NodeServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    node.once("error", (error: NodeJS.ErrnoException) => {
      const hint = error.code === "EADDRINUSE" ? "the port is taken; choose another, or 0 for any" : error.message;
      reject(new Error(`Cannot listen at ${host}:${port}: ${hint}`, { cause: error }));
    });
    node.listen(port, host, () => {
      node.removeAllListeners("error");
      resolve();
    });
  });
}

function createServing(
  server: Server,
  node: NodeServer,
  endpoint: Endpoint,
  sockets: WebSockets | undefined,
  url: string,
): Serving {
  const closed = new Promise<void>((resolve) => node.once("close", resolve));
  const connections = new Set<Socket>();
  // One for all, because many connections are open at once.
  function forget(this: Socket): void {
    connections.delete(this);
  }
  const note = (socket: Socket): void => {
    // One whose request for another protocol was passed over comes again.
    if (connections.has(socket)) return;
    connections.add(socket);
    socket.on("close", forget);
  };
  // Over TLS each is two: the first counts the handshake too, the second only what was asked.
  node.on("connection", note).on("secureConnection", note);
  const closeIdle = (): void => {
    node.closeIdleConnections();
    if (!countsBytesRead) return;
    // Clients open some in advance, and Node does not call them idle before their first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const { drainMs } = server.limits;
    const until = monotonic() + drainMs;
    node.close();
    await within(drainMs, async () => {
      await Promise.all([endpoint.drain(), sockets?.drain()]);
    });
    endpoint.close();
    sockets?.leave();
    // What was answered last is still on its way out.
    const looking = setInterval(closeIdle, CLOSING_LOOK_MS);
    closeIdle();
    await within(1000, () => closed);
    sockets?.terminate();
    // A page, a body on its way and a token that is checked are no calls yet.
    await within(until - monotonic(), () => closed);
    clearInterval(looking);
    node.closeAllConnections();
    // Node knows neither those in a handshake of TLS nor those that asked for another protocol.
    for (const socket of connections) socket.destroy();
    await closed;
  };
  return {
    url,
    closed,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
