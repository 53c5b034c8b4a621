import { limitExceeded } from "../../jsonrpc/errors.js";
import { maxReceivedBytes } from "../../server/limits/limits.js";
import type { McpServer, Server } from "../../server/server.js";
import { AccessControl, corsHeaders, preflightHeaders, rateLimitKey } from "./access-control.js";
import type { Authenticator, AuthResult } from "./auth/authenticator.js";
import type { ServerLocation } from "./auth/resource.js";
import { EventStreams } from "./event-streams.js";
import {
  ACCEPTS_ALL,
  type AuthenticatedRequest,
  type HttpError,
  type HttpRequest,
  type HttpResponse,
  httpError,
  isJsonContentType,
  JSON_CONTENT_TYPE,
  parseAccept,
  REQUIRED_ACCEPT,
  rateLimitError,
  sendError,
  sendHttpError,
  sendShuttingDown,
  sendTooManyBodies,
  unexpectedError,
} from "./http-message.js";
import { HttpSseEndpoint } from "./http-sse.js";
import type { EndpointSettings } from "./options.js";
import { basicToBearer, servePage, withBasicChallenge } from "./pages.js";
import { SessionManager } from "./session-manager.js";
import { StreamableHttpEndpoint } from "./streamable-http.js";

/** What a path serves. */
type Route = "mcp" | "sse" | "sseMessages" | "metrics" | "health" | "page";

/** How often a draining endpoint checks whether requests are still running. */
const DRAIN_POLL_MS = 5;

/** Routes the HTTP requests of a server to its transports, pages and documents. Independent of the host. */
export class Endpoint {
  readonly settings: EndpointSettings;
  readonly access: AccessControl;
  readonly #server: Server;
  readonly #messageBytes: number;
  readonly #streams: EventStreams;
  readonly #sessions: SessionManager;
  readonly #streamableHttp: StreamableHttpEndpoint;
  readonly #httpSse: HttpSseEndpoint | undefined;
  readonly #routes: ReadonlyMap<string | undefined, Route>;
  #isClosing = false;

  /** Loads authentication if it is configured, and starts the server. A fetch handler has no address. */
  static async open(
    server: Server,
    settings: EndpointSettings,
    { address, localPort }: { readonly address?: string } & Pick<ServerLocation, "localPort"> = {},
  ): Promise<Endpoint> {
    let authenticator: Authenticator | undefined;
    if (settings.auth !== undefined) {
      const toolScopes = () => server.tools.flatMap(({ scopes }) => scopes ?? []);
      const { createAuthenticator } = await import("./auth/authenticator.js");
      authenticator = await createAuthenticator(settings.auth, { ...settings, localPort, toolScopes }, (entry) =>
        server.log(entry),
      );
    }
    await server.start();
    return new Endpoint(server, settings, new AccessControl(settings, authenticator, address));
  }

  private constructor(server: Server, settings: EndpointSettings, access: AccessControl) {
    const { limits, sse, sessionStore } = settings;
    this.settings = settings;
    this.access = access;
    this.#server = server;
    this.#messageBytes = maxReceivedBytes(server.limits);
    this.#streams = new EventStreams(limits, server);
    this.#sessions = new SessionManager(server, sessionStore, limits);
    this.#streamableHttp = new StreamableHttpEndpoint(server, settings, this.#streams, this.#sessions);
    this.#httpSse = sse && new HttpSseEndpoint(server, sse, this.#streams);
    this.#routes = new Map<string | undefined, Route>([
      ["/health", "health"],
      ["/alive", "health"],
      [sse?.path, "sse"],
      [sse?.messagePath, "sseMessages"],
      [settings.metricsPath, "metrics"],
      [settings.path, "mcp"],
    ]);
  }

  handle(request: HttpRequest, response: HttpResponse): void {
    try {
      const rejection = this.access.originPolicy.rejectionReason(request);
      if (rejection !== undefined) return this.#reject(request, response, httpError(403, rejection));
      const { path, method } = request;
      const route = this.#routes.get(path) ?? (this.settings.pages?.matches(path) ? "page" : undefined);
      const origin = request.header("origin");
      // Pages of other origins must not read the pages of this server.
      if (origin !== undefined && (route !== "page" || method === "OPTIONS"))
        response.extraHeaders = corsHeaders(origin);
      if (method === "OPTIONS") return sendPreflight(request, response);
      if (route === "health") return this.#sendHealth(request, response);
      if (route === undefined) return this.#sendMetadataDocument(request, response);
      if (this.#isClosing) return sendShuttingDown(response);
      const authenticating = route === "page" ? basicToBearer(request) : request;
      const isMessage = method === "POST" && (route === "mcp" || route === "sseMessages");
      const result = this.access.authorize(authenticating, !(isMessage && this.access.countsBodies));
      const serving =
        result instanceof Promise
          ? result.then((settled) => this.#serve(route, authenticating, response, settled))
          : this.#serve(route, authenticating, response, result);
      serving?.catch((error: unknown) => this.#sendUnexpectedError(response, error));
    } catch (error) {
      this.#sendUnexpectedError(response, error);
    }
  }

  /** Rejects new requests, ends subscriptions and pending input requests, and waits for running requests. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#sessions.endAll();
    // Requests that have just arrived count as running from the end of their turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#streamableHttp.end();
    this.#httpSse?.end();
    while (this.#streamableHttp.isBusy || this.#httpSse?.isBusy)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  }

  /** Aborts everything that is still running. */
  close(): void {
    this.#isClosing = true;
    this.#streamableHttp.close();
    this.#sessions.close();
    this.#httpSse?.close();
    this.#streams.close();
  }

  #serve(route: Route, request: HttpRequest, response: HttpResponse, result: AuthResult): Promise<void> | void {
    if ("status" in result)
      return this.#reject(request, response, route === "page" ? withBasicChallenge(result) : result);
    const accept = request.header("accept");
    const accepts = accept === REQUIRED_ACCEPT ? ACCEPTS_ALL : parseAccept(accept);
    const authenticated = { request, response, authInfo: result, accepts, authenticator: this.access.authenticator };
    const { pages } = this.settings;
    if (route === "mcp" && request.method === "POST") return this.#readMessage(authenticated, this.#streamableHttp);
    if (route === "page")
      return (
        pages &&
        servePage(pages, authenticated, this.#streams, (error) =>
          this.#server.log({ level: "error", message: "a request failed", error }),
        )
      );
    if (route === "metrics") return this.#sendMetrics(authenticated);
    if (route === "sse") return this.#httpSse?.serveStream(authenticated);
    if (route === "sseMessages" && this.#httpSse !== undefined) {
      if (request.method === "POST") return this.#readMessage(authenticated, this.#httpSse);
      return sendError(response, 405, "use POST to send messages", { allow: "POST" });
    }
    if (request.method === "GET") return this.#streamableHttp.get(authenticated);
    if (request.method === "DELETE") return this.#streamableHttp.delete(authenticated);
    sendError(response, 405, `${request.method} is not supported here`, { allow: "GET, POST, DELETE" });
  }

  /** Reads the body of a request, which is a JSON-RPC message. */
  #readMessage(authenticated: AuthenticatedRequest, receiver: StreamableHttpEndpoint | HttpSseEndpoint): void {
    const { request, response, accepts, authInfo } = authenticated;
    const contentType = request.header("content-type");
    if (contentType !== JSON_CONTENT_TYPE && !isJsonContentType(contentType))
      return sendError(response, 415, "Content-Type must be application/json", { "accept-post": JSON_CONTENT_TYPE });
    if (!accepts.json && !accepts.stream)
      return sendError(response, 406, "Accept must include application/json or text/event-stream");
    request.read(
      this.#messageBytes,
      (text) => {
        // The shutdown may have started while the body was received.
        if (this.#isClosing) return sendShuttingDown(response);
        if (this.access.countsBodies) {
          const waitMs = this.access.takeToken(rateLimitKey(request, authenticated.authInfo), text);
          if (waitMs > 0) return sendHttpError(response, rateLimitError(waitMs));
        }
        if (text === undefined && request.header("content-encoding"))
          return sendError(response, 415, "the request body must not be compressed", { "accept-encoding": "identity" });
        try {
          const serving = receiver.receive(authenticated, text);
          serving?.catch((error: unknown) => this.#sendUnexpectedError(response, error));
        } catch (error) {
          this.#sendUnexpectedError(response, error);
        }
      },
      (reason) => {
        if (reason === "busy") return sendTooManyBodies(response);
        const error = limitExceeded("messageBytes", `the request body is larger than ${this.#messageBytes} bytes`);
        this.#reject(request, response, { status: 413, error, headers: { connection: "close" } });
      },
      authInfo.principal,
    );
  }

  /** Logs that a request is not served, and says so. A client without a token learns from the response which it needs: that is no rejection. */
  #reject(request: HttpRequest, response: HttpResponse, rejection: HttpError): void {
    const { status, error } = rejection;
    const isDiscovery = status === 401 && request.header("authorization") === undefined;
    // The cause of a failure of the server was logged where it happened.
    if (status < 500 && !isDiscovery) {
      const method = `${request.method} ${request.path}`;
      const reason = `${status} ${error.message}`;
      (this.#server as McpServer).rejections.add({ reason, method, requestId: undefined, principal: undefined });
    }
    sendHttpError(response, rejection);
  }

  #sendHealth(request: HttpRequest, response: HttpResponse): void {
    if (!isGetOrHead(request)) return sendError(response, 405, "use GET", { allow: "GET, HEAD" });
    const isReady = request.path === "/alive" || !(this.#isClosing || this.#server.isDraining);
    const body = JSON.stringify({ status: isReady ? "ok" : "closing" });
    response.send(isReady ? 200 : 503, { "content-type": JSON_CONTENT_TYPE, "cache-control": "no-store" }, body);
  }

  async #sendMetrics({ request, response }: AuthenticatedRequest): Promise<void> {
    if (!isGetOrHead(request)) return sendError(response, 405, "use GET", { allow: "GET, HEAD" });
    const { metricsText } = await import("../../observability/prometheus.js");
    const { contentType, text } = metricsText(this.#server);
    response.send(200, { "content-type": contentType, "cache-control": "no-store" }, text);
  }

  #sendMetadataDocument(request: HttpRequest, response: HttpResponse): void {
    const document = isGetOrHead(request) ? this.access.authenticator?.metadataDocument(request) : undefined;
    if (document === undefined) sendError(response, 404, `not found; the MCP endpoint is ${this.settings.path}`);
    else response.send(200, { "content-type": JSON_CONTENT_TYPE, "cache-control": "max-age=300" }, document);
  }

  #sendUnexpectedError(response: HttpResponse, error: unknown): void {
    sendHttpError(
      response,
      unexpectedError((entry) => this.#server.log(entry), error),
    );
  }
}

const isGetOrHead = ({ method }: HttpRequest): boolean => method === "GET" || method === "HEAD";

function sendPreflight(request: HttpRequest, response: HttpResponse): void {
  if (request.header("origin") === undefined) response.send(204, { allow: "GET, POST, DELETE, OPTIONS" });
  else response.send(204, preflightHeaders(request.header("access-control-request-headers")));
}
