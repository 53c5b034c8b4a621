import { metricsText } from "../../operation/metrics-text.js";
import type { Server } from "../../server/server.js";
import { isJson, readAccept } from "./accept.js";
import type { Arrival } from "./arrival.js";
import { ClientRate, clientOf, peerOf } from "./client-rate.js";
import { EventStreams } from "./event-streams.js";
import { EVERYBODY, type Gate, type Verified } from "./gate.js";
import { corsHeaders, Guard, preflightHeaders } from "./guard.js";
import type { HttpHeaders, HttpReply, HttpRequest } from "./host.js";
import { HttpSse } from "./http-sse.js";
import { McpEndpoint } from "./mcp.js";
import { MemorySessionStore } from "./memory-session-store.js";
import type { EndpointSettings } from "./options.js";
import { PageServer, passwordChallenge, withPassword } from "./page-server.js";
import { JSON_TYPE, refuse, refuseOver, refuseStopped } from "./refusals.js";
import { Sessions } from "./sessions.js";
import { tellDenial, tellFault, tellRate, turnAway } from "./turn-away.js";

/** All that a server answers over HTTP, whatever host the requests come through. */
export class Endpoint {
  readonly #server: Server;
  readonly #settings: EndpointSettings;
  readonly #gate: Gate | undefined;
  /** Shared by all that is spoken at the same port. */
  readonly guard: Guard;
  readonly rate: ClientRate | undefined;
  readonly #streams: EventStreams;
  readonly #sessions: Sessions;
  readonly #mcp: McpEndpoint;
  readonly #sse: HttpSse | undefined;
  readonly #pages: PageServer | undefined;
  #isClosing = false;

  /** `boundTo` is the address that the host listens at; undefined where only the host knows. */
  constructor(server: Server, settings: EndpointSettings, gate: Gate | undefined, boundTo: string | undefined) {
    const { limits, rate, sse, pages } = settings;
    this.#server = server;
    this.#settings = settings;
    this.#gate = gate;
    this.guard = new Guard({ ...settings, boundTo });
    this.rate = rate && new ClientRate(rate, limits.clients);
    const { metrics } = server;
    this.#streams = new EventStreams(
      limits,
      (entry) => server.log(entry),
      (change) => {
        metrics.streams += change;
      },
    );
    this.#sessions = new Sessions(server, settings.store ?? new MemorySessionStore(limits), limits);
    this.#mcp = new McpEndpoint(server, settings, this.#streams, this.#sessions);
    this.#sse = sse && new HttpSse(server, sse, this.#streams);
    this.#pages = pages && new PageServer(pages, this.#streams, (reply, error) => this.#fail(reply, error));
  }

  /** Answers one request. */
  handle(request: HttpRequest, reply: HttpReply): void {
    try {
      this.#handle(request, reply);
    } catch (error) {
      this.#fail(reply, error);
    }
  }

  #handle(request: HttpRequest, given: HttpReply): void {
    const origin = request.header("origin");
    const refusal = this.guard.refusal(request);
    if (refusal !== undefined) return refuse(given, 403, refusal);
    const reply = origin === undefined ? given : withHeaders(given, corsHeaders(origin));
    const { path } = request;
    if (request.method === "OPTIONS") this.#preflight(request, reply);
    else if (path === this.#settings.path || this.#sse?.isAt(path)) this.#admit(request, reply);
    else if (path === this.#settings.metricsPath) this.#admit(request, reply);
    else if (path === "/health" || path === "/alive") this.#tellHealth(request, reply);
    // Without the headers that let pages of other sites read it: a page is for whoever opens it.
    else if (this.#pages?.isAt(path)) this.#admit(withPassword(request), given, true);
    else this.#tellDocument(request, reply);
  }

  /** Lets nothing new in, ends what lasts, and waits for what is being served. */
  async drain(): Promise<void> {
    this.#isClosing = true;
    this.#sessions.conclude();
    await Promise.all([this.#mcp.drain(), this.#sse?.drain()]);
  }

  /** Everything stops. */
  close(): void {
    this.#isClosing = true;
    this.#mcp.close();
    this.#sessions.close();
    this.#sse?.close();
    this.#pages?.close();
    this.#streams.close();
  }

  #admit(request: HttpRequest, reply: HttpReply, isPage = false): void {
    if (this.#isClosing) return refuseStopped(reply);
    const gate = this.#gate;
    if (gate === undefined) return this.#serve(request, reply, EVERYBODY, isPage);
    const waitMs = this.rate?.look(peerOf(request)) ?? 0;
    // Whoever guesses at the same address locks out nobody who is known.
    if (waitMs > 0 && !gate.knows(request)) return tellRate(turnAway(reply), waitMs);
    const admitted = gate.admit(request);
    if (!(admitted instanceof Promise)) this.#serveOrDeny(request, reply, admitted, isPage);
    else
      this.#watch(
        reply,
        admitted.then((verified) => this.#serveOrDeny(request, reply, verified, isPage)),
      );
  }

  #serveOrDeny(
    request: HttpRequest,
    reply: HttpReply,
    admitted: Awaited<ReturnType<Gate["admit"]>>,
    isPage: boolean,
  ): void {
    if (!("status" in admitted)) return this.#serve(request, reply, admitted, isPage);
    // Guessing is bounded like calling, but for API keys, which are too long to be guessed.
    this.rate?.take(peerOf(request));
    const challenge = (isPage && passwordChallenge(admitted)) || admitted.challenge;
    tellDenial(turnAway(reply), { ...admitted, challenge });
  }

  #serve(request: HttpRequest, reply: HttpReply, verified: Verified, isPage: boolean): void {
    const waitMs = this.rate?.take(clientOf(request, verified)) ?? 0;
    if (waitMs > 0) return tellRate(turnAway(reply), waitMs);
    if (request.path === this.#settings.metricsPath) return this.#watch(reply, this.#tellMetrics(request, reply));
    const accepted = readAccept(request.header("accept"));
    const arrival: Arrival = { request, reply, verified, accepted, gate: this.#gate };
    if (isPage) return this.#watch(reply, this.#pages?.serve(arrival));
    if (this.#sse?.isAt(request.path)) return this.#sse.serve(arrival, (done) => this.#read(arrival, done));
    switch (request.method) {
      case "POST":
        if (!accepted.json && !accepted.stream)
          return refuse(reply, 406, "answers are application/json or text/event-stream: accept at least one of them");
        return this.#read(arrival, (text) => this.#watch(reply, this.#mcp.post(arrival, text)));
      case "GET":
        return this.#watch(reply, this.#mcp.get(arrival));
      case "DELETE":
        return this.#watch(reply, this.#mcp.delete(arrival));
      default:
        return refuse(reply, 405, `${request.method} is nothing that can be done here`, { allow: "GET, POST, DELETE" });
    }
  }

  /** Reads a body that may be a message. */
  #read({ request, reply }: Arrival, done: (text: string | undefined) => void): void {
    if (!isJson(request.header("content-type")))
      return refuse(reply, 415, "the body must be application/json", { "accept-post": JSON_TYPE });
    const { messageBytes } = this.#server.limits;
    request.read(
      messageBytes,
      (text) => {
        // It may have taken its time.
        if (this.#isClosing) return refuseStopped(reply);
        if (text === undefined && request.header("content-encoding"))
          return refuse(reply, 415, "the body must not be compressed", { "accept-encoding": "identity" });
        try {
          done(text);
        } catch (error) {
          this.#fail(reply, error);
        }
      },
      () => refuseOver(reply, 413, "messageBytes", `the body is over ${messageBytes} bytes`, { connection: "close" }),
    );
  }

  #preflight(request: HttpRequest, reply: HttpReply): void {
    if (request.header("origin") === undefined) reply.send(204, { allow: "GET, POST, DELETE, OPTIONS" });
    else reply.send(204, preflightHeaders(request.header("access-control-request-headers")));
  }

  #tellHealth(request: HttpRequest, reply: HttpReply): void {
    if (!isReading(request)) return refuse(reply, 405, "ask with GET", { allow: "GET, HEAD" });
    const isReady = request.path === "/alive" || !(this.#isClosing || this.#server.isDraining);
    const body = JSON.stringify({ status: isReady ? "ok" : "closing" });
    reply.send(isReady ? 200 : 503, { "content-type": JSON_TYPE, "cache-control": "no-store" }, body);
  }

  async #tellMetrics(request: HttpRequest, reply: HttpReply): Promise<void> {
    if (!isReading(request)) return refuse(reply, 405, "ask with GET", { allow: "GET, HEAD" });
    const { contentType, text } = await metricsText(this.#server, request.header("accept"));
    reply.send(200, { "content-type": contentType, "cache-control": "no-store" }, text);
  }

  #tellDocument(request: HttpRequest, reply: HttpReply): void {
    const document = isReading(request) ? this.#gate?.document(request) : undefined;
    if (document === undefined) refuse(reply, 404, `nothing is here; MCP is spoken at ${this.#settings.path}`);
    else reply.send(200, { "content-type": JSON_TYPE, "cache-control": "max-age=300" }, document);
  }

  #watch(reply: HttpReply, served: Promise<void> | undefined): void {
    served?.catch((error: unknown) => this.#fail(reply, error));
  }

  /** A fault of ours, or of a store or an authority that is not there. */
  #fail(reply: HttpReply, error: unknown): void {
    tellFault(turnAway(reply), (entry) => this.#server.log(entry), error);
  }
}

const isReading = ({ method }: HttpRequest): boolean => method === "GET" || method === "HEAD";

/** A reply with headers of its own on whatever is answered. */
function withHeaders(reply: HttpReply, more: HttpHeaders): HttpReply {
  return {
    send: (status, headers, body, bytes) => reply.send(status, { ...headers, ...more }, body, bytes),
    open: (headers) => reply.open({ ...headers, ...more }),
    get onGone() {
      return reply.onGone;
    },
    set onGone(listener) {
      reply.onGone = listener;
    },
  };
}
