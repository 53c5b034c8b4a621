import { limitExceeded, parseError } from "../../jsonrpc/errors.js";
import { abortActive } from "../../server/lifecycle.js";
import type { Server } from "../../server/server.js";
import type { Session } from "../../server/session.js";
import type { EventStreams } from "./event-streams.js";
import {
  type AuthenticatedRequest,
  RETRY_SOON,
  sendError,
  sendHttpError,
  sendShuttingDown,
  sendTooManyStreams,
} from "./http-message.js";
import type { HttpSession } from "./http-session.js";
import type { EndpointSettings } from "./options.js";
import { PostConnection, type PostTarget, sendResponse } from "./post-connection.js";
import type { SessionManager } from "./session-manager.js";

const SESSION_NOT_FOUND = "session not found; start a new one with initialize";
const SESSION_ID_MISSING = "Mcp-Session-Id is missing: send the id from the initialize response";
const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

const discard = (): void => undefined;
const SINGLE_REQUEST = { isSingleRequest: true };

/** Whether a message is a request of a revision without handshake and sessions. */
export function isStatelessRequest(text: string | undefined): boolean {
  if (text?.includes(PROTOCOL_VERSION_KEY) !== true) return false;
  try {
    const message = JSON.parse(text) as { params?: { _meta?: Record<string, unknown> } } | null;
    return message?.params?._meta?.[PROTOCOL_VERSION_KEY] !== undefined;
  } catch {
    return false;
  }
}

/** The MCP endpoint of Streamable HTTP: POST for messages, GET for the standalone stream, DELETE to end a session. */
export class StreamableHttpEndpoint {
  readonly streams: EventStreams;
  readonly pollAfterMs: number;
  /** The smallest answer that is compressed; undefined = none is. */
  readonly compressedBytes: number | undefined;
  /** The POST requests that take longer than an event-loop turn. */
  readonly activePosts = new Set<PostConnection>();
  readonly #server: Server;
  readonly #hasSessions: boolean;
  readonly #sessions: SessionManager;
  readonly #statelessVersions: ReadonlySet<string>;
  #isClosing = false;

  constructor(server: Server, settings: EndpointSettings, streams: EventStreams, sessions: SessionManager) {
    this.streams = streams;
    this.pollAfterMs = settings.pollAfterMs;
    this.compressedBytes = settings.compressedBytes;
    this.#server = server;
    this.#hasSessions = settings.hasSessions;
    this.#sessions = sessions;
    this.#statelessVersions = new Set(
      server.revisions.filter(({ handshake }) => !handshake).map(({ version }) => version),
    );
  }

  /** Serves a POST request with this body; undefined means that the body is not UTF-8. */
  receive(authenticated: AuthenticatedRequest, text: string | undefined): Promise<void> | void {
    const { request, authInfo } = authenticated;
    const version = request.header("mcp-protocol-version");
    const id = request.header("mcp-session-id");
    if (version !== undefined && this.#statelessVersions.has(version)) {
      const session = this.#server.openSession(discard, SINGLE_REQUEST);
      this.#dispatch(authenticated, text, { session, isStateless: true });
    } else if (!this.#hasSessions) {
      // Without sessions, each request is in the revision that its header names.
      const session = this.#server.openSession(discard, { isSingleRequest: true, assumed: version ?? true });
      this.#dispatch(authenticated, text, { session });
    } else if (id === undefined) this.#serveHandshake(authenticated, text);
    else {
      const found = this.#sessions.find(id, authInfo.principal);
      if (found instanceof Promise) return this.#serveWhenFound(found, authenticated, text);
      if (found === undefined) this.#serveUnknownSession(authenticated, text);
      else this.#dispatch(authenticated, text, { session: found.session, httpSession: found });
    }
  }

  /** Serves a GET request: opens the standalone stream of a session, or resumes a stream. */
  get(authenticated: AuthenticatedRequest): Promise<void> {
    const { request, response, accepts } = authenticated;
    const { streams } = this;
    return this.#serveInSession(authenticated, async (httpSession) => {
      if (!accepts.stream) return sendError(response, 406, "Accept must include text/event-stream");
      if (streams.isFullFor(authenticated)) return sendTooManyStreams(response);
      const lastEventId = request.header("last-event-id");
      const last = lastEventId === undefined ? undefined : parseEventId(lastEventId);
      const canResume = last !== undefined && (await httpSession.canResume(last.stream, last.number));
      if (lastEventId !== undefined && !canResume)
        return sendError(response, 405, "the stream cannot be resumed: its events are no longer stored", {
          allow: "POST, DELETE",
        });
      // The session may have ended meanwhile.
      if (httpSession.session.isClosed) return sendError(response, 404, SESSION_NOT_FOUND);
      const stream = streams.open(authenticated, () => httpSession.removeListener(stream));
      try {
        await (last === undefined
          ? httpSession.addListener(stream)
          : httpSession.resume(stream, last.stream, last.number));
      } catch (error) {
        // It would never get an event.
        stream.end();
        throw error;
      }
    });
  }

  /** Serves a DELETE request: ends a session. */
  delete(authenticated: AuthenticatedRequest): Promise<void> {
    return this.#serveInSession(authenticated, async (httpSession) => {
      await this.#sessions.end(httpSession);
      authenticated.response.send(204, {});
    });
  }

  /** Whether a request is running that has outlived its event-loop turn. */
  get isBusy(): boolean {
    return this.activePosts.size > 0;
  }

  /** Ends subscriptions and pending input requests; running calls may finish. */
  end(): void {
    this.#isClosing = true;
    for (const { session } of this.activePosts) session.end();
  }

  /** Aborts all running requests. */
  close(): void {
    for (const { session } of this.activePosts) abortActive(session as Session, (entry) => this.#server.log(entry));
  }

  #dispatch(authenticated: AuthenticatedRequest, text: string | undefined, target: PostTarget): void {
    const post = new PostConnection(this, authenticated, target);
    if (text === undefined) this.#server.rejectMessage(parseError("the body is not valid UTF-8"), post);
    else this.#server.receive(text, post);
  }

  /** Serves a request that should be a handshake, which creates a session. */
  #serveHandshake(authenticated: AuthenticatedRequest, text: string | undefined): void {
    const httpSession = this.#sessions.create(authenticated.authInfo.principal, authenticated.request.remoteAddress);
    const { session } = httpSession;
    const onResponse: PostTarget["onResponse"] = (message, rejection) => {
      if (session.negotiated !== undefined)
        return void this.#registerSession(httpSession, authenticated, message as string);
      httpSession.close();
      if (message !== undefined || isStatelessRequest(text)) sendResponse(authenticated, message, rejection);
      else sendError(authenticated.response, 400, SESSION_ID_MISSING);
    };
    this.#dispatch(authenticated, text, { session, httpSession, onResponse });
  }

  async #registerSession(session: HttpSession, authenticated: AuthenticatedRequest, message: string): Promise<void> {
    const { response } = authenticated;
    try {
      if (await this.#sessions.register(session)) {
        response.extraHeaders = { ...response.extraHeaders, "mcp-session-id": session.id };
        return sendResponse(authenticated, message);
      }
      const error = limitExceeded("sessions", "too many sessions are open; try again later");
      sendHttpError(response, { status: 503, error, headers: RETRY_SOON });
    } catch (error) {
      this.#sendStoreError(authenticated, error);
    }
    session.close();
  }

  #serveWhenFound(
    found: Promise<HttpSession | undefined>,
    authenticated: AuthenticatedRequest,
    text: string | undefined,
  ): Promise<void> {
    const serve = (httpSession: HttpSession | undefined): void => {
      // The shutdown may have started during the lookup.
      if (this.#isClosing) sendShuttingDown(authenticated.response);
      else if (httpSession === undefined) this.#serveUnknownSession(authenticated, text);
      else this.#dispatch(authenticated, text, { session: httpSession.session, httpSession });
    };
    return found.then(serve, (error: unknown) => this.#sendStoreError(authenticated, error));
  }

  /** A stateless request needs no session, even if a proxy has left the header on it. */
  #serveUnknownSession(authenticated: AuthenticatedRequest, text: string | undefined): void {
    if (!isStatelessRequest(text)) return sendError(authenticated.response, 404, SESSION_NOT_FOUND);
    const session = this.#server.openSession(discard, SINGLE_REQUEST);
    this.#dispatch(authenticated, text, { session, isStateless: true });
  }

  /** Serves a GET or DELETE request in its session. What fails meanwhile is the session store. */
  async #serveInSession(
    authenticated: AuthenticatedRequest,
    serve: (httpSession: HttpSession) => Promise<void>,
  ): Promise<void> {
    const { request, response, authInfo } = authenticated;
    const version = request.header("mcp-protocol-version");
    const id = request.header("mcp-session-id");
    const { revisions } = this.#server;
    const servesSessions = this.#hasSessions && revisions.some(({ handshake }) => handshake);
    if (!servesSessions || (version !== undefined && this.#statelessVersions.has(version)))
      return sendError(response, 405, "this endpoint supports only POST", { allow: "POST" });
    if (version !== undefined && !revisions.some((served) => served.version === version))
      return sendError(response, 400, `the protocol version ${JSON.stringify(version)} is not supported`);
    if (id === undefined) return sendError(response, 400, SESSION_ID_MISSING);
    try {
      const httpSession = await this.#sessions.find(id, authInfo.principal);
      if (this.#isClosing) return sendShuttingDown(response);
      if (httpSession === undefined) return sendError(response, 404, SESSION_NOT_FOUND);
      await serve(httpSession);
    } catch (error) {
      this.#sendStoreError(authenticated, error);
    }
  }

  #sendStoreError({ response }: AuthenticatedRequest, error: unknown): void {
    this.#server.log({ level: "error", message: "the session store failed", error });
    sendError(response, 503, "the session store is unavailable; try again later", RETRY_SOON);
  }
}

/** Parses an event id, which has the name of its stream and its number. */
function parseEventId(id: string): { readonly stream: string; readonly number: number } | undefined {
  const separator = id.lastIndexOf("-");
  const number = Number(id.slice(separator + 1));
  if (separator < 1 || !Number.isSafeInteger(number) || number < 0) return undefined;
  return { stream: id.slice(0, separator), number };
}
