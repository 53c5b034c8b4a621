import { once } from "node:events";
import { createServer, type Server as NodeServer, type RequestListener, type ServerOptions } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import * as check from "../../server/definitions/checks.js";
import { rejectAtCaller, requireServer } from "../../server/definitions/validation.js";
import { SharedBudget } from "../../server/limits/shared-budget.js";
import { getBuiltinModule, monotonicNow, tracksBytesRead, validatesTls } from "../../server/runtime.js";
import type { Server } from "../../server/server.js";
import { logUncaughtUntilClosed, type RunningServer, raceTimeout } from "../running-server.js";
import type { WebSocketEndpoint } from "../websocket/websocket-endpoint.js";
import { isLoopback } from "./access-control.js";
import type { Authenticator } from "./auth/authenticator.js";
import type { ApiKey, AuthOptions } from "./auth/options.js";
import { Endpoint } from "./endpoint.js";
import { createRequestListener, TrustedProxies } from "./node-adapter.js";
import {
  ENDPOINT_CHECKS,
  type EndpointOptions,
  type HttpLimits,
  optionError,
  resolveEndpointOptions,
  validateOptions,
} from "./options.js";

/** A certificate and its key, in the format of Node's `tls.createSecureContext`. */
export type TlsOptions = Pick<SecureContextOptions, "cert" | "key" | "ca" | "passphrase" | "pfx" | "minVersion">;

/** The options of `serveHttp`. */
export interface HttpOptions extends EndpointOptions {
  /** The address to listen on; `127.0.0.1` by default, which is reachable from this machine only. */
  readonly host?: string;
  /** The port to listen on; 3000 by default, 0 for any free port. */
  readonly port?: number;
  /** Enables TLS. */
  readonly tls?: TlsOptions;
  /** Addresses or networks of proxies whose `X-Forwarded-*` headers are trusted; none by default. */
  readonly trustProxy?: false | readonly string[];
  /** Serves WebSocket on the same port and path; disabled by default. */
  readonly webSocket?: boolean;
}

/** Credentials to replace while a server is running; whatever is omitted stays. */
export interface CredentialUpdate {
  /** The certificate and key for new connections. */
  readonly tls?: TlsOptions;
  /** The complete list of API keys. */
  readonly apiKeys?: readonly ApiKey[];
}

/** A running HTTP server. */
export interface RunningHttpServer extends RunningServer {
  /** Replaces credentials without closing connections. Throws, and changes nothing, if they are invalid. */
  rotateCredentials(changes: CredentialUpdate): void;
}

const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;

const TLS_CHECKS: check.Checks<TlsOptions> = {
  cert: check.anything,
  key: check.anything,
  ca: check.anything,
  passphrase: check.anything,
  pfx: check.anything,
  minVersion: check.anything,
};

const HTTP_CHECKS: check.Checks<HttpOptions> = {
  host: check.optional(check.isNonEmptyString, "must be a name or an address"),
  port: check.optional(isPort, "must be from 0 to 65535"),
  ...ENDPOINT_CHECKS,
  tls: check.strictObject(TLS_CHECKS),
  trustProxy: check.anything,
  webSocket: check.boolean,
};

/** How often idle connections are closed during shutdown. */
const CLOSE_POLL_MS = 20;

/** How long responses have to reach their clients during shutdown before WebSockets are terminated. */
const FLUSH_TIMEOUT_MS = 1000;

/** The largest value that Node accepts for its limits. */
const MAX_NODE_LIMIT = 2 ** 30;

/**
 * Serves over HTTP. Throws `TypeError` for invalid options, and `Error` if it cannot listen.
 *
 * @example
 * ```ts
 * import { createServer, tool } from "@toolwright/engine";
 * import { serveHttp } from "@toolwright/engine/http";
 *
 * const hello = tool({ name: "hello", description: "Greets.", run: () => "Hello." });
 * const server = createServer({ name: "greeter", version: "1.0.0", tools: [hello] });
 * const { url } = await serveHttp(server, { port: 3000 });
 * console.log(`Listening on ${url}`); // http://127.0.0.1:3000/mcp
 * ```
 */
export function serveHttp(server: Server, options: HttpOptions = {}): Promise<RunningHttpServer> {
  return rejectAtCaller(serveHttp, async () => {
    requireServer("serve over HTTP", server);
    return logUncaughtUntilClosed(server, servePort(server, options));
  });
}

/** Validates the options and serves HTTP, WebSocket or both on one port. */
export async function servePort(
  server: Server,
  options: HttpOptions,
  isWebSocketOnly = false,
): Promise<RunningHttpServer> {
  validateOptions(options, HTTP_CHECKS);
  const { host = "127.0.0.1", port = 3000, tls, trustProxy = false, webSocket, ...endpointOptions } = options;
  if (tls !== undefined) validateTls(tls);
  const settings = resolveEndpointOptions(endpointOptions);
  const proxies = trustProxy === false ? undefined : new TrustedProxies(trustProxy);
  let boundPort: number | undefined;
  const endpoint = await Endpoint.open(server, settings, {
    address: host,
    // The URLs of a loopback server are known without a public URL.
    localPort: isLoopback(host) ? () => boundPort : undefined,
  });
  const { limits } = settings;
  let webSockets: WebSocketEndpoint | undefined;
  if (webSocket || isWebSocketOnly) {
    const { WebSocketEndpoint: Created } = await import("../websocket/websocket-endpoint.js");
    webSockets = new Created(server, settings, endpoint.access, proxies);
  }
  const handler = (isWebSocketOnly && webSockets?.requireUpgrade(endpoint)) || endpoint;
  const bodies = new SharedBudget(() => limits.bodyBytes);
  const listener = createRequestListener(handler, { proxies, stalledMs: limits.stalledMs, bodies });
  const node = await createNodeServer(limits, tls, listener);
  webSockets?.attach(node);
  node.on("drop", () =>
    server.log({ level: "warning", message: "a connection was closed: the connection limit is reached" }),
  );
  await listen(node, host, port);
  node.on("error", (error) => server.log({ level: "error", message: "a connection could not be accepted", error }));
  boundPort = (node.address() as AddressInfo).port;
  const urlHost = host.includes(":") ? `[${host}]` : host;
  const url = `${tls === undefined ? "http" : "https"}://${urlHost}:${boundPort}${settings.path}`;
  const closed = new Promise<void>((resolve) => node.once("close", resolve));
  const running: RunningHttpServer = {
    url,
    closed,
    close: createClose(server, node, endpoint, webSockets),
    rotateCredentials: (changes) => applyCredentials(node, endpoint.access.authenticator, tls, changes),
  };
  if (settings.auth !== undefined && !isWebSocketOnly) await checkAuthorization(server, settings.auth, running);
  return running;
}

/** Runs the authorization self-check. Only with `selfCheck: "fail"` does the start wait for it. */
async function checkAuthorization(server: Server, auth: AuthOptions, running: RunningServer): Promise<void> {
  const { runSelfCheck } = await import("./auth/issuer.js");
  const selfCheck = runSelfCheck(auth, (entry) => server.log(entry));
  if (auth.selfCheck === "fail")
    await selfCheck.catch(async (error: unknown) => {
      await running.close();
      throw error;
    });
  else selfCheck.catch((error: unknown) => server.log({ level: "warning", message: "the self-check failed", error }));
}

async function createNodeServer(
  limits: HttpLimits,
  tls: TlsOptions | undefined,
  requestListener: RequestListener,
): Promise<NodeServer> {
  const options: ServerOptions = {
    headersTimeout: Math.min(limits.headersMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    // Node adds a second.
    keepAliveTimeout: Math.min(limits.idleConnectionMs, MAX_NODE_LIMIT),
    // How often Node checks the timeouts above.
    connectionsCheckingInterval: Math.min(limits.headersMs, 1000),
    maxHeaderSize: Math.min(limits.headerBytes, MAX_NODE_LIMIT),
    keepAlive: true,
    noDelay: true,
  };
  const node =
    tls === undefined
      ? createServer(options, requestListener)
      : (await import("node:https")).createServer(
          { ...options, ...tls, handshakeTimeout: limits.headersMs },
          requestListener,
        );
  node.maxConnections = limits.connections;
  return node;
}

async function listen(node: NodeServer, host: string, port: number): Promise<void> {
  try {
    await once(node.listen(port, host), "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "the port is in use; choose another port, or 0 for any free port" : message;
    throw new Error(`Cannot listen at ${host}:${port}: ${reason}`, { cause: error });
  }
}

/** Returns a function that closes a server: running requests may finish, within the time limit. */
function createClose(
  server: Server,
  node: NodeServer,
  endpoint: Endpoint,
  webSockets: WebSocketEndpoint | undefined,
): () => Promise<void> {
  const sockets = trackSockets(node);
  const closeIdle = (): void => {
    node.closeIdleConnections();
    if (!tracksBytesRead) return;
    // Node does not count connections before their first request as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const close = async (): Promise<void> => {
    const { drainMs } = server.limits;
    const deadline = monotonicNow() + drainMs;
    const closed = new Promise<void>((resolve) => node.close(() => resolve()));
    await raceTimeout(drainMs, async () => {
      await Promise.all([endpoint.drain(), webSockets?.drain()]);
    });
    endpoint.close();
    webSockets?.shutdown();
    // The last responses may still be in transit.
    const pollTimer = setInterval(closeIdle, CLOSE_POLL_MS);
    closeIdle();
    await raceTimeout(FLUSH_TIMEOUT_MS, () => closed);
    webSockets?.terminate();
    // Pages, request bodies and token checks are not covered by `drain`.
    await raceTimeout(deadline - monotonicNow(), () => closed);
    clearInterval(pollTimer);
    node.closeAllConnections();
    // Node does not close connections in a TLS handshake or after an upgrade.
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}

/** Returns a live set of the open sockets of a server. With TLS, it contains both the raw and the secure socket. */
function trackSockets(node: NodeServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    // A socket whose upgrade was ignored is emitted a second time.
    if (!sockets.has(socket)) socket.on("close", () => sockets.delete(socket));
    sockets.add(socket);
  };
  node.on("connection", track).on("secureConnection", track);
  return sockets;
}

function applyCredentials(
  node: NodeServer | SecureServer,
  authenticator: Authenticator | undefined,
  initialTls: TlsOptions | undefined,
  { tls, apiKeys }: CredentialUpdate,
): void {
  if (apiKeys !== undefined && authenticator === undefined)
    throw new TypeError("Cannot rotate the API keys: the server was started without authentication; restart it");
  const secureNode = "setSecureContext" in node ? node : undefined;
  const context = tls && { minVersion: initialTls?.minVersion, ca: initialTls?.ca, ...tls };
  if (context !== undefined) validateTls(context);
  if (context !== undefined && secureNode === undefined)
    throw new TypeError("Cannot rotate the certificate: the server was started without TLS; restart it");
  // First the keys, which may still be rejected. The certificate is validated.
  if (apiKeys !== undefined) authenticator?.replaceApiKeys(apiKeys);
  if (context !== undefined) secureNode?.setSecureContext(context);
}

/** Throws `TypeError` unless the options contain a valid certificate and its key. */
function validateTls(tls: SecureContextOptions): void {
  validateOptions({ tls }, { tls: check.strictObject(TLS_CHECKS) });
  const { cert = [], key = [], passphrase, pfx } = tls;
  if (!pfx && !(tls.cert && tls.key)) throw optionError("tls needs cert and key, or pfx");
  try {
    if (validatesTls) return void getBuiltinModule("node:tls").createSecureContext(tls);
    const { createPrivateKey, X509Certificate } = getBuiltinModule("node:crypto");
    for (const each of [cert].flat()) void new X509Certificate(each);
    for (const each of [key].flat()) {
      const { pem, ...keyOptions } = typeof each === "string" || Buffer.isBuffer(each) ? { pem: each } : each;
      createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }), ...keyOptions });
    }
  } catch (error) {
    throw optionError(`tls is invalid: ${(error as Error).message}`);
  }
}
