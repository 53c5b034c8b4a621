import type { Json, JsonObject } from "../jsonrpc/messages.js";
import { rejectUnknownOptions } from "../server/definitions/validation.js";
import type { Server } from "../server/server.js";
import { openMemoryConnection } from "../transports/memory.js";
import { Client } from "./client.js";
import { ClientConnection, type InputRequestHandler } from "./connection.js";
import { ConnectionError, connectionLost, httpStatusOf, TimeoutError } from "./errors.js";
import { type ClientIdentity, findRevision, isHandshakeServerError, negotiate } from "./negotiation.js";
import {
  CLIENT_OPTION_NAMES,
  type ClientOptions,
  clientCapabilities,
  createInputRequestHandler,
  DEFAULT_CLIENT_OPTIONS as DEFAULTS,
  type InputHandlers,
  type LogMessage,
  type Target,
} from "./options.js";
import type { NotificationListener } from "./subscriptions.js";
import type { ClientTransport, TransportContext } from "./transport.js";

/**
 * Connects to a server and negotiates the protocol revision. Rejects with `ConnectionError`, `ResponseError` or
 * `TimeoutError`, and with `TypeError` for wrong options.
 *
 * @example
 * const client = await connect({ command: "node", args: ["server.js"] });
 * const { content } = await client.callTool("greet", { name: "Ada" });
 * await client.close();
 */
export async function connect(target: Target, options: ClientOptions = {}): Promise<Client> {
  rejectUnknownOptions("connect", options, CLIENT_OPTION_NAMES);
  const capabilities = { ...clientCapabilities(options), ...options.capabilities };
  return connectWithHandler(target, { ...options, capabilities }, createInputRequestHandler(options));
}

/** Statuses of an HTTP server that does not support Streamable HTTP at this URL. */
const LEGACY_HTTP_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/** Like `connect`, with one handler for all input requests. The capabilities declare which of them it supports. */
export async function connectWithHandler(
  target: Target,
  options: Omit<ClientOptions, keyof InputHandlers>,
  onInputRequest: InputRequestHandler,
): Promise<Client> {
  const { timeoutMs = DEFAULTS.timeoutMs, probeTimeoutMs = DEFAULTS.probeTimeoutMs, revision } = options;
  const isProbed = "command" in target && revision === undefined;
  const deadline = performance.now() + timeoutMs;
  const attempt = (attemptTarget: Target, requiresHandshake: boolean, maxMs: number): Promise<Client> =>
    attemptConnect({ target: attemptTarget, requiresHandshake, maxMs, probeTimeoutMs }, options, onInputRequest);
  try {
    // A program that hangs is started again, so some of the time is reserved for that.
    return await attempt(target, "sse" in target, isProbed ? (timeoutMs * 2) / 3 : timeoutMs);
  } catch (error) {
    const fallback = findFallback(target, revision, error);
    if (fallback === undefined) throw error;
    const remainingMs = deadline - performance.now();
    return attempt(fallback, true, isProbed ? remainingMs : Math.min(probeTimeoutMs, remainingMs)).catch(() => {
      // The first error says more about the server than that of the fallback.
      if (!(error instanceof TimeoutError)) throw error;
      throw new TimeoutError(`The server did not respond to connect within ${timeoutMs} ms (timeoutMs)`);
    });
  }
}

/** Returns where to connect to an older server with `initialize`, if the error indicates one. */
function findFallback(target: Target, revision: string | undefined, error: unknown): Target | undefined {
  if (revision !== undefined && !findRevision(revision).handshake) return undefined;
  if ("url" in target && LEGACY_HTTP_STATUSES.has(httpStatusOf(error)) && isHandshakeServerError(error))
    return { sse: target.url };
  // Some servers hang or crash on a request before the handshake, so they are started again without a probe.
  const isLost = error instanceof TimeoutError || (error instanceof ConnectionError && error.wasConnected);
  return isLost && "command" in target && revision === undefined ? target : undefined;
}

/** One attempt to connect. */
interface ConnectAttempt {
  readonly target: Target;
  /** Opens with `initialize` instead of a probe. */
  readonly requiresHandshake: boolean;
  readonly maxMs: number;
  readonly probeTimeoutMs: number;
}

async function attemptConnect(
  { target, requiresHandshake, maxMs, probeTimeoutMs }: ConnectAttempt,
  options: ClientOptions,
  onInputRequest: InputRequestHandler,
): Promise<Client> {
  const { timeoutMs = DEFAULTS.timeoutMs, totalTimeoutMs = DEFAULTS.totalTimeoutMs, revision } = options;
  const listeners = new Set<NotificationListener>();
  const connection = new ClientConnection({
    timeoutMs,
    totalTimeoutMs,
    onInputRequest,
    onNotification: (method, params) => {
      for (const listener of listeners) listener(method, params);
      if (method === "notifications/message") options.onLog?.(params as unknown as LogMessage);
      options.onNotification?.(method, params);
    },
  });
  const identity: ClientIdentity = {
    info: { ...(options.info ?? DEFAULTS.info) } as JsonObject,
    capabilities: options.capabilities ?? {},
  };
  const negotiation = {
    revision,
    requiresHandshake,
    probeTimeoutMs: Math.min(probeTimeoutMs, maxMs / 2),
    identity,
  };
  const server = await connection.open(
    (listener, signal) => {
      const { maxMessageBytes: maxBytes = DEFAULTS.maxMessageBytes } = options;
      return openTransport(target, { listener, signal, maxBytes, http: options });
    },
    maxMs,
    () => negotiate(connection, negotiation),
  );
  return new Client({ connection, server, identity, onInputRequest, listeners });
}

/** Opens the transport to a target. Most transports are loaded on first use. */
async function openTransport(target: Target, context: TransportContext): Promise<ClientTransport> {
  if ("server" in target) return openMemoryTransport(target.server, target.principal, context);
  if ("command" in target) return (await import("./stream-transports.js")).openStdio(target, context);
  if ("socket" in target) return (await import("./stream-transports.js")).openSocket(target.socket, context);
  if ("sse" in target) return (await import("./http-sse.js")).openHttpSse(String(target.sse), context);
  const url = String(target.url);
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: "", href: url };
  if (protocol === "ws:" || protocol === "wss:") return (await import("./websocket.js")).openWebSocket(href, context);
  if (protocol === "http:" || protocol === "https:")
    return new (await import("./streamable-http.js")).StreamableHttpTransport(href, context);
  throw new TypeError(
    `Cannot connect to ${href}: use http:, https:, ws: or wss:, or pass a command, sse, socket or server`,
  );
}

async function openMemoryTransport(
  server: Server,
  principal: string | undefined,
  { listener }: TransportContext,
): Promise<ClientTransport> {
  // As over other transports, a message never arrives while another one is being sent.
  const onMessage = (text: string): void => queueMicrotask(() => listener.onMessage(JSON.parse(text) as Json));
  const onClose = (): void => queueMicrotask(() => listener.onClose(connectionLost("The server was closed")));
  const connection = await openMemoryConnection(server, onMessage, principal, onClose);
  return {
    send: (message) => connection.send(JSON.stringify(message)),
    close: async () => connection.close(),
  };
}
