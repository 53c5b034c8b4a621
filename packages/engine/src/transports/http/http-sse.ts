import { randomUUID } from "node:crypto";
import { parseError } from "../../jsonrpc/errors.js";
import type { TransportConnection } from "../../server/connection.js";
import { parseToolFilterHeaders } from "../../server/features/request-headers.js";
import type { Server } from "../../server/server.js";
import type { EventStreams } from "./event-streams.js";
import { type AuthenticatedRequest, sendError, sendTooManyStreams } from "./http-message.js";
import type { SsePaths } from "./options.js";
import { isStatelessRequest } from "./streamable-http.js";

/** The HTTP+SSE transport of revision 2024-11-05: a stream for server messages and a path for client messages. */
export class HttpSseEndpoint {
  readonly #server: Server;
  readonly #paths: SsePaths;
  readonly #streams: EventStreams;
  /** The open sessions; a session lives as long as its stream. */
  readonly #connections = new Map<string, TransportConnection>();

  constructor(server: Server, paths: SsePaths, streams: EventStreams) {
    this.#server = server;
    this.#paths = paths;
    this.#streams = streams;
  }

  get isBusy(): boolean {
    return [...this.#connections.values()].some(({ session }) => session.isBusy);
  }

  /** Ends subscriptions and pending input requests; running calls may finish. */
  end(): void {
    for (const { session } of this.#connections.values()) session.end();
  }

  close(): void {
    for (const { session } of this.#connections.values()) session.close();
    this.#connections.clear();
  }

  serveStream(authenticated: AuthenticatedRequest): void {
    const { request, response, authInfo, accepts } = authenticated;
    if (request.method !== "GET") return sendError(response, 405, "this is an event stream; use GET", { allow: "GET" });
    if (!accepts.stream) return sendError(response, 406, "Accept must include text/event-stream");
    if (this.#streams.isFullFor(authenticated)) return sendTooManyStreams(response);
    const id = randomUUID();
    const stream = this.#streams.open(authenticated, () => {
      this.#connections.get(id)?.session.close();
      this.#connections.delete(id);
    });
    const send = (message: string): void => stream.send(message);
    const session = this.#server.openSession(send, { disconnect: () => stream.end() });
    const respond = (message: string | undefined): void => {
      if (message !== undefined) send(message);
    };
    const { principal, scopes } = authInfo;
    const { remoteAddress: address } = request;
    this.#connections.set(id, { session, transport: "sse", sessionId: id, principal, address, scopes, send, respond });
    stream.write(`event: endpoint\ndata: ${this.#paths.publicPrefix}${this.#paths.messagePath}?sessionId=${id}\n\n`);
  }

  /** Receives a message of a session; undefined means that it is not UTF-8. The response is sent on the session's stream. */
  receive({ request, response, authInfo }: AuthenticatedRequest, text: string | undefined): void {
    const id = new URLSearchParams(request.query).get("sessionId") ?? "";
    const sseConnection = this.#connections.get(id);
    if (sseConnection === undefined || sseConnection.principal !== authInfo.principal)
      return sendError(response, 404, `session not found; open one with GET ${this.#paths.path}`);
    if (isStatelessRequest(text))
      return sendError(response, 400, "stateless requests are not supported here; start a session with initialize");
    response.send(202, {});
    const connection: TransportConnection = {
      ...sseConnection,
      scopes: authInfo.scopes,
      toolFilter: parseToolFilterHeaders(request),
      get headers() {
        return request.headers;
      },
    };
    if (text === undefined) this.#server.rejectMessage(parseError("the body is not valid UTF-8"), connection);
    else this.#server.receive(text, connection);
  }
}
