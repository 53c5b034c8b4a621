import { type IncomingMessage, type Server as NodeServer, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ServerOptions, WebSocketServer } from "ws";
import { maxReceivedBytes } from "../../server/limits/limits.js";
import { SharedBudget } from "../../server/limits/shared-budget.js";
import type { Server } from "../../server/server.js";
import { type AccessControl, rateLimitKey } from "../http/access-control.js";
import { type Authenticator, type AuthInfo, reauthenticate } from "../http/auth/authenticator.js";
import {
  type HttpError,
  type HttpRequest,
  httpError,
  sendError,
  sendHttpError,
  unexpectedError,
} from "../http/http-message.js";
import { NodeAdapter, type NodeRequestHandler, type TrustedProxies } from "../http/node-adapter.js";
import type { EndpointSettings } from "../http/options.js";
import { createWsStream, type UpgradedSocket, WebSocketConnection } from "./websocket-connection.js";

const NO_BYTES = Buffer.alloc(0);
/** How long a client may take to complete the closing handshake. */
const CLOSE_TIMEOUT_MS = 2000;
/** `ws` stores the limit in 32 bits. */
const MAX_PAYLOAD_BYTES = 2 ** 31 - 1;

/** A socket with the response that Node is writing to it. */
type RespondingSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** The WebSocket connections of one endpoint. */
export class WebSocketEndpoint {
  readonly #server: Server;
  readonly #settings: EndpointSettings;
  readonly #access: AccessControl;
  readonly #proxies: TrustedProxies | undefined;
  readonly #wsServer: WebSocketServer;
  /** Each connection, with its upgrade request if it has to be authenticated again. */
  readonly #connections = new Map<WebSocketConnection, HttpRequest | undefined>();
  readonly #bodies = new SharedBudget(() => this.#settings.limits.bodyBytes);
  #keepAliveTimer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(server: Server, settings: EndpointSettings, access: AccessControl, proxies: TrustedProxies | undefined) {
    this.#server = server;
    this.#settings = settings;
    this.#access = access;
    this.#proxies = proxies;
    const options: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: Math.min(maxReceivedBytes(server.limits), MAX_PAYLOAD_BYTES),
      // Decoding validates each message.
      skipUTF8Validation: true,
      closeTimeout: CLOSE_TIMEOUT_MS,
      handleProtocols: () => SUBPROTOCOL,
    };
    this.#wsServer = new WebSocketServer(options);
  }

  /** Handles the upgrade requests of a Node HTTP server. */
  attach(httpServer: NodeServer): void {
    httpServer.on("upgrade", (request, socket: RespondingSocket, head) => {
      const { _httpMessage: previousResponse } = socket;
      if (previousResponse)
        afterResponse(previousResponse, socket, () => httpServer.emit("upgrade", request, socket, head));
      else if (/^websocket$/i.test(request.headers.upgrade ?? "")) this.#upgrade(request, socket, head);
      else ignoreUpgrade(httpServer, request, socket, head);
    });
  }

  /** Restricts the MCP path of an HTTP endpoint to WebSocket. */
  requireUpgrade(endpoint: NodeRequestHandler): NodeRequestHandler {
    const handle = (request: NodeAdapter): void => {
      if (request.path !== this.#settings.path || request.method === "OPTIONS") endpoint.handle(request, request);
      else this.#respondUpgradeRequired(request);
    };
    return { handle };
  }

  /** Accepts no new clients, ends subscriptions, and waits for running requests. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#connections.keys()].map((connection) => connection.drain()));
  }

  /** Closes every connection because the server shuts down. */
  shutdown(): void {
    this.#isClosing = true;
    clearInterval(this.#keepAliveTimer);
    for (const connection of this.#connections.keys()) connection.shutdown();
  }

  /** Closes the remaining connections without a handshake. */
  terminate(): void {
    for (const connection of this.#connections.keys()) connection.terminate();
  }

  /** Accepts or rejects an upgrade request. */
  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const response = new ServerResponse(request);
    const { stalledMs } = this.#settings.limits;
    const exchange = new NodeAdapter(request, response, { proxies: this.#proxies, stalledMs });
    const rejectUpgrade = (error: HttpError): void => {
      response.shouldKeepAlive = false;
      response.on("finish", () => socket.destroySoon());
      response.assignSocket(socket);
      sendHttpError(exchange, error);
    };
    this.#authorize(exchange, (result) => {
      if ("status" in result) return rejectUpgrade(result);
      if (this.#isClosing || this.#server.isDraining)
        return rejectUpgrade(httpError(503, "the server is shutting down", { "retry-after": "5" }));
      const wsStream = createWsStream(socket);
      this.#wsServer.handleUpgrade(request, wsStream, NO_BYTES, (ws) => {
        socket.setTimeout(0);
        if (head.length > 0) socket.unshift(head);
        const { headers, remoteAddress: address } = exchange;
        this.#accept({ ws, socket, wsStream, headers, address }, exchange, result);
      });
    });
  }

  #respondUpgradeRequired(request: NodeAdapter): void {
    const hint = { upgrade: "websocket", connection: "upgrade, close" };
    this.#authorize(request, (result) => {
      if ("status" in result) sendHttpError(request, result);
      else sendError(request, 426, "only WebSocket is spoken here", hint);
    });
  }

  #authorize(request: NodeAdapter, onResult: (result: AuthInfo | HttpError) => void): void {
    const result = authorizeUpgrade(this.#access, this.#settings.path, request);
    if (!(result instanceof Promise)) return onResult(result);
    void result.catch((error: unknown) => unexpectedError((entry) => this.#server.log(entry), error)).then(onResult);
  }

  #accept(upgraded: UpgradedSocket, request: HttpRequest, verified: AuthInfo): void {
    const { limits, rate } = this.#settings;
    const { authenticator } = this.#access;
    const client = rateLimitKey(request, verified);
    const messageLimits = {
      maxBufferedBytes: limits.streamBytes + this.#server.limits.messageBytes,
      takeToken: (text: string) => this.#access.takeToken(client, text),
      maxOverRate: rate?.burst ?? 0,
      bodies: this.#bodies,
    };
    const connection = new WebSocketConnection(this.#server, upgraded, verified, messageLimits, () =>
      this.#connections.delete(connection),
    );
    this.#connections.set(connection, authenticator && request);
    this.#keepAliveTimer ??= setInterval(() => this.#checkConnections(), limits.keepAliveMs).unref();
  }

  #checkConnections(): void {
    for (const [connection, request] of this.#connections) {
      connection.checkAlive();
      if (request !== undefined) void this.#reauthenticate(connection, request);
    }
    if (this.#connections.size > 0) return;
    clearInterval(this.#keepAliveTimer);
    this.#keepAliveTimer = undefined;
  }

  async #reauthenticate(connection: WebSocketConnection, request: HttpRequest): Promise<void> {
    try {
      const admitted = await reauthenticate(this.#access.authenticator as Authenticator, request, connection);
      if (admitted === undefined) connection.closeForPolicyViolation("the token is no longer valid");
      else connection.scopes = admitted.scopes;
    } catch (error) {
      this.#server.log({
        level: "error",
        message: "failed to verify the token of a WebSocket connection again",
        error,
      });
    }
  }
}

/** Continues when an earlier response is sent, unless the connection ends with it. Node does not watch the socket meanwhile. */
function afterResponse(response: ServerResponse, socket: Socket, next: () => void): void {
  const drop = (): void => void socket.destroy();
  socket.on("end", drop).on("error", drop);
  response.on("close", () => {
    // Without the timeout that Node sets for an idle connection.
    socket.off("end", drop).off("error", drop).setTimeout(0);
    if (socket.writable) next();
  });
}

/** The subprotocol of MCP. */
const SUBPROTOCOL = "mcp";

/** Decides whether a request may be upgraded to a WebSocket. Returns an `HttpError` if it is rejected. */
function authorizeUpgrade(
  access: AccessControl,
  path: string,
  request: NodeAdapter,
): AuthInfo | HttpError | Promise<AuthInfo | HttpError> {
  const { duplicateHeader } = request;
  if (duplicateHeader !== undefined) return httpError(400, `the header ${duplicateHeader} must not be sent twice`);
  const originRejection = access.originPolicy.rejectionReason(request);
  if (originRejection !== undefined) return httpError(403, originRejection);
  if (request.path !== path) return httpError(404, `not found; the MCP endpoint is ${path}`);
  if (!offersSubprotocol(request.header("sec-websocket-protocol")))
    return httpError(400, `the sub-protocol is ${SUBPROTOCOL}: offer it, or none`);
  return access.authorize(request);
}

const offersSubprotocol = (offered: string | undefined): boolean =>
  offered === undefined || offered.split(",").some((name) => name.trim() === SUBPROTOCOL);

/** Headers that ask for another protocol. */
const UPGRADE_HEADERS = new Set(["upgrade", "http2-settings"]);

/**
 * Passes an upgrade request to Node's HTTP server again, without its upgrade headers. Clients offer HTTP/2 this way and accept
 * HTTP/1.1, but with an `upgrade` listener Node treats every such request as an upgrade.
 */
function ignoreUpgrade(httpServer: NodeServer, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const value = rawHeaders[index + 1] as string;
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === "connection" ? removeUpgradeTokens(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  const isSecure = "encrypted" in socket && socket.encrypted === true;
  httpServer.emit(isSecure ? "secureConnection" : "connection", socket);
}

function removeUpgradeTokens(connection: string): string {
  const names = connection.split(",").map((name) => name.trim());
  return names.filter((name) => !UPGRADE_HEADERS.has(name.toLowerCase())).join(", ");
}
