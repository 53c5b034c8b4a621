import type { Json, JsonObject } from "../jsonrpc/messages.js";
import { omitUndefined, rejectUnknownOptions } from "../server/definitions/validation.js";
import type { Server } from "../server/server.js";
import { openMemoryConnection } from "../transports/memory.js";
import { Client } from "./client.js";
import { ClientConnection, type InputRequestHandler } from "./connection.js";
import { ConnectionError, connectionLost, httpStatusOf, TimeoutError } from "./errors.js";
import { findRevision, isHandshakeServerError, negotiate } from "./negotiation.js";
import {
  type ClientOptions,
  clientCapabilities,
  createInputRequestHandler,
  DEFAULT_CLIENT_OPTIONS,
  type InputHandlers,
  type LogMessage,
  type Target,
} from "./options.js";
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
  rejectUnknownOptions("connect", options, DEFAULT_CLIENT_OPTIONS);
  const capabilities = { ...clientCapabilities(options), ...options.capabilities };
  return connectWithHandler(target, { ...options, capabilities }, createInputRequestHandler(options));
}

/** Statuses of an HTTP server that does not support Streamable HTTP at this URL. */
const LEGACY_HTTP_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/** Like `connect`, with one handler for all input requests. The capabilities declare which of them it supports. */
export async function connectWithHandler(
  target: Target,
  givenOptions: Omit<ClientOptions, keyof InputHandlers>,
  onInputRequest: InputRequestHandler,
): Promise<Client> {
  const options = { ...omitUndefined(DEFAULT_CLIENT_OPTIONS), ...omitUndefined(givenOptions), onInputRequest };
  const { timeoutMs, probeTimeoutMs, revision } = options;
  const isProbed = "command" in target && revision === undefined;
  const deadline = performance.now() + timeoutMs;
  try {
    // A program that hangs is started again, so some of the time is reserved for that.
    const maxMs = isProbed ? (timeoutMs * 2) / 3 : timeoutMs;
    return await attemptConnect(target, { ...options, maxMs, requiresHandshake: "sse" in target });
  } catch (error) {
    const fallback = findFallback(target, revision, error);
    if (fallback === undefined) throw error;
    const remainingMs = deadline - performance.now();
    const maxMs = isProbed ? remainingMs : Math.min(probeTimeoutMs, remainingMs);
    return attemptConnect(fallback, { ...options, maxMs, requiresHandshake: true }).catch(() => {
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

type RequiredOption = "info" | "capabilities" | "timeoutMs" | "totalTimeoutMs" | "probeTimeoutMs" | "maxMessageBytes";

/** One attempt to connect. */
interface ConnectAttempt extends Omit<ClientOptions, RequiredOption>, Required<Pick<ClientOptions, RequiredOption>> {
  readonly onInputRequest: InputRequestHandler;
  /** Opens with `initialize` instead of a probe. */
  readonly requiresHandshake: boolean;
  readonly maxMs: number;
}

async function attemptConnect(target: Target, attempt: ConnectAttempt): Promise<Client> {
  const { info, capabilities, maxMs, maxMessageBytes: maxBytes } = attempt;
  const connection = new ClientConnection(attempt);
  connection.listeners.add((method, params) => {
    if (method === "notifications/message") attempt.onLog?.(params as unknown as LogMessage);
    attempt.onNotification?.(method, params);
  });
  const identity = { info: { ...info } as unknown as JsonObject, capabilities };
  const probeTimeoutMs = Math.min(attempt.probeTimeoutMs, maxMs / 2);
  const server = await connection.open(
    (signal) => openTransport(target, { connection, signal, maxBytes, http: attempt }),
    maxMs,
    () => negotiate({ ...attempt, connection, identity, probeTimeoutMs }),
  );
  return new Client(connection, server, identity);
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
  { connection }: TransportContext,
): Promise<ClientTransport> {
  // As over other transports, a message never arrives while another one is being sent.
  const onMessage = (text: string): void => queueMicrotask(() => connection.onMessage(JSON.parse(text) as Json));
  const onClose = (): void => queueMicrotask(() => connection.onClose(connectionLost("The server was closed")));
  const memory = await openMemoryConnection(server, onMessage, principal, onClose);
  return {
    send: (message) => memory.send(JSON.stringify(message)),
    close: async () => memory.close(),
  };
}
