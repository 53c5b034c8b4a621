import { parseError } from "../../jsonrpc/errors.js";
import type { TransportLink } from "../../server/link.js";
import type { Server } from "../../server/server.js";
import { type Arrival, respond } from "./arrival.js";
import type { EventStreams } from "./event-streams.js";
import type { HttpSession } from "./http-session.js";
import { type OpenPost, OpenPosts } from "./open-posts.js";
import type { EndpointSettings } from "./options.js";
import { refuse, refuseOver, refuseStopped, refuseStream } from "./refusals.js";
import { type OnAnswer, SessionPost } from "./session-post.js";
import type { Sessions } from "./sessions.js";
import { isStandalone } from "./standalone.js";
import { StatelessPost } from "./stateless-post.js";

const NO_SESSION = "there is no such session; begin a new one with initialize";

/** The one endpoint of Streamable HTTP, for requests that stand alone and for sessions. */
export class McpEndpoint {
  readonly #server: Server;
  readonly #settings: EndpointSettings;
  readonly #streams: EventStreams;
  readonly #sessions: Sessions;
  readonly #stateless: ReadonlySet<string>;
  readonly #hasHandshake: boolean;
  readonly #open = new OpenPosts();
  #isClosing = false;

  constructor(server: Server, settings: EndpointSettings, streams: EventStreams, sessions: Sessions) {
    this.#server = server;
    this.#settings = settings;
    this.#streams = streams;
    this.#sessions = sessions;
    const versions = server.revisions.filter(({ handshake }) => !handshake).map(({ version }) => version);
    this.#stateless = new Set(versions);
    this.#hasHandshake = versions.length < server.revisions.length;
  }

  /** Serves the body of a POST. */
  post(arrival: Arrival, text: string | undefined): Promise<void> | undefined {
    const { request, verified } = arrival;
    const version = request.header("mcp-protocol-version");
    const id = request.header("mcp-session-id");
    if (version !== undefined && this.#stateless.has(version)) this.#serveAlone(arrival, text);
    else if (id === undefined || !this.#settings.hasSessions) this.#begin(arrival, text);
    else {
      const found = this.#sessions.find(id, verified.principal);
      if (found instanceof Promise) return this.#serveFound(found, arrival, text);
      this.#serveIn(found, arrival, text);
    }
    return undefined;
  }

  /** Opens the stream of a session, or goes on with one. */
  async get(arrival: Arrival): Promise<void> {
    const { request, reply, accepted } = arrival;
    const session = await this.#requireSession(arrival);
    if (session === undefined) return;
    if (!accepted.stream) return refuse(reply, 406, "this is an event stream: accept text/event-stream");
    if (this.#streams.isFull) return refuseStream(reply);
    const last = request.header("last-event-id");
    let resume: Awaited<ReturnType<typeof resumption>>;
    try {
      if (last !== undefined) resume = await resumption(session, last);
    } catch (error) {
      return this.#storeFailed(arrival, error);
    }
    if (last !== undefined && resume === undefined)
      return refuse(reply, 405, "nothing is left of this stream", { allow: "POST, DELETE" });
    // It may have been ended while its events were looked up.
    if (session.session.isClosed) return refuse(reply, 404, NO_SESSION);
    const connection = this.#streams.open(arrival, () => session.leave(connection));
    try {
      await (resume === undefined ? session.listen(connection) : resume(connection));
    } catch (error) {
      // Nothing would ever come here, and the client should know.
      connection.end();
      session.leave(connection);
      throw error;
    }
  }

  /** Ends a session. */
  async delete(arrival: Arrival): Promise<void> {
    const session = await this.#requireSession(arrival);
    if (session === undefined) return;
    try {
      await this.#sessions.end(session);
    } catch (error) {
      return this.#storeFailed(arrival, error);
    }
    arrival.reply.send(204, {});
  }

  /** Ends what lasts, and resolves when nothing is served any more. */
  drain(): Promise<void> {
    this.#isClosing = true;
    return this.#open.drain();
  }

  /** Stops whatever is still being served. */
  close(): void {
    this.#open.close((entry) => this.#server.log(entry));
  }

  /** `assumed` is the revision of a request that names none. */
  #serveAlone(arrival: Arrival, text: string | undefined, assumed?: string | true): void {
    const post = new StatelessPost(this.#server, arrival, this.#streams, this.#open, assumed);
    this.#receive(text, post);
    // Its client may have been dropped before the call had properly begun.
    if (post.isOver && post.session.isBusy) post.session.close();
  }

  /** A handshake makes a session; without sessions, each request is in the revision that its header names. */
  #begin(arrival: Arrival, text: string | undefined): void {
    const { verified, request } = arrival;
    if (!this.#settings.hasSessions) {
      this.#serveAlone(arrival, text, request.header("mcp-protocol-version") ?? true);
      return;
    }
    const candidate = this.#sessions.begin(verified.principal);
    const onAnswer: OnAnswer = (message, refusal, isStreamed) => {
      if (candidate.session.agreed !== undefined) return void this.#keep(candidate, arrival, message as string);
      candidate.close();
      if (isStreamed) return;
      if (message !== undefined || isStandalone(text)) respond(arrival, message, refusal);
      else refuse(arrival.reply, 400, "Mcp-Session-Id is missing: send the id that initialize was answered with");
    };
    this.#receive(text, new SessionPost(candidate, arrival, this.#streams, this.#open, { onAnswer }));
  }

  async #keep(session: HttpSession, arrival: Arrival, message: string): Promise<void> {
    try {
      if (await this.#sessions.keep(session))
        return respond(arrival, message, undefined, { "mcp-session-id": session.id });
      refuseOver(arrival.reply, 503, "sessions", "there are too many sessions; try again later", {
        "retry-after": "5",
      });
    } catch (error) {
      this.#storeFailed(arrival, error);
    }
    session.close();
  }

  async #serveFound(
    found: Promise<HttpSession | undefined>,
    arrival: Arrival,
    text: string | undefined,
  ): Promise<void> {
    let session: HttpSession | undefined;
    try {
      session = await found;
    } catch (error) {
      return this.#storeFailed(arrival, error);
    }
    // It may have taken its time.
    if (this.#isClosing) refuseStopped(arrival.reply);
    else this.#serveIn(session, arrival, text);
  }

  #serveIn(session: HttpSession | undefined, arrival: Arrival, text: string | undefined): void {
    if (session === undefined) return this.#unknownSession(arrival, text);
    this.#receive(
      text,
      new SessionPost(session, arrival, this.#streams, this.#open, { pollAfterMs: this.#settings.pollAfterMs }),
    );
  }

  /** A request that stands alone is never told that its session is gone, whatever header a proxy has left on it. */
  #unknownSession(arrival: Arrival, text: string | undefined): void {
    if (isStandalone(text)) this.#serveAlone(arrival, text);
    else refuse(arrival.reply, 404, NO_SESSION);
  }

  async #requireSession(arrival: Arrival): Promise<HttpSession | undefined> {
    const { request, reply, verified } = arrival;
    const version = request.header("mcp-protocol-version");
    const id = request.header("mcp-session-id");
    if (!this.#settings.hasSessions || !this.#hasHandshake || (version !== undefined && this.#stateless.has(version)))
      refuse(reply, 405, "this endpoint takes POST alone", { allow: "POST" });
    else if (version !== undefined && !this.#server.revisions.some((served) => served.version === version))
      refuse(reply, 400, `the protocol version ${JSON.stringify(version)} is not served here`);
    else if (id === undefined)
      refuse(reply, 400, "Mcp-Session-Id is missing: send the id that initialize was answered with");
    else {
      try {
        const session = await this.#sessions.find(id, verified.principal);
        if (this.#isClosing) refuseStopped(reply);
        else if (session === undefined) refuse(reply, 404, NO_SESSION);
        else return session;
      } catch (error) {
        this.#storeFailed(arrival, error);
      }
    }
    return undefined;
  }

  #receive(text: string | undefined, post: OpenPost & TransportLink): void {
    if (text === undefined) this.#server.refuse(parseError("the body is not valid UTF-8"), post);
    else this.#server.receive(text, post);
  }

  #storeFailed({ reply }: Arrival, error: unknown): void {
    this.#server.log({ level: "error", message: "the store of sessions failed", error });
    refuse(reply, 503, "sessions cannot be kept at the moment; try again later", { "retry-after": "5" });
  }
}

/** How to go on after the event that a client names. */
function resumption(session: HttpSession, lastEventId: string): ReturnType<HttpSession["resume"]> {
  const at = lastEventId.lastIndexOf("-");
  const number = Number(lastEventId.slice(at + 1));
  if (at < 1 || !Number.isSafeInteger(number) || number < 0) return Promise.resolve(undefined);
  return session.resume(lastEventId.slice(0, at), number);
}
