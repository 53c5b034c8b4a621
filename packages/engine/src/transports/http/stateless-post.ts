import type { Id } from "../../jsonrpc/messages.js";
import { Claims } from "../../server/claims.js";
import type { OpenSession, Refusal, TransportLink } from "../../server/link.js";
import { type Narrowing, readNarrowing } from "../../server/lists/narrowing.js";
import type { Server } from "../../server/server.js";
import type { Session } from "../../server/session.js";
import { type Arrival, respond } from "./arrival.js";
import type { EventStream, EventStreams } from "./event-streams.js";
import type { HttpHeaders } from "./host.js";
import type { OpenPost, OpenPosts } from "./open-posts.js";
import { refuseStream } from "./refusals.js";

const toNobody = (): void => undefined;
const BRIEF = { isBrief: true };

/** A request that stands alone: a conversation of its own, which ends with its answer. Who goes away cancels it, but in the older revisions. */
export class StatelessPost implements TransportLink, OpenPost {
  readonly session: OpenSession;
  readonly principal: string | undefined;
  readonly scopes: ReadonlySet<string> | undefined;
  readonly claims: Claims;
  readonly #arrival: Arrival;
  readonly #streams: EventStreams;
  readonly #posts: OpenPosts;
  /** In the older revisions who goes away cancels nothing. */
  readonly #outlives: boolean;
  #stream: EventStream | undefined;
  #isOver = false;
  #isGone = false;
  #onOver: (() => void) | undefined;

  /** `assumed` is the revision of a request that names none. */
  constructor(server: Server, arrival: Arrival, streams: EventStreams, posts: OpenPosts, assumed?: string | true) {
    const { request, verified, accepted } = arrival;
    this.session = server.openSession(toNobody, undefined, assumed === undefined ? BRIEF : { isBrief: true, assumed });
    this.principal = verified.principal;
    this.scopes = verified.scopes;
    this.claims = new Claims(request, accepted.stream && !streams.isFull);
    this.#arrival = arrival;
    this.#streams = streams;
    this.#posts = posts;
    this.#outlives = assumed !== undefined;
  }

  get transport(): string {
    return "http";
  }

  get narrowing(): Narrowing | undefined {
    return readNarrowing(this.#arrival.request);
  }

  get headers(): HttpHeaders {
    return this.#arrival.request.headers;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The first message that is no answer makes the answer a stream, for a client that takes one. */
  send(message: string): void {
    if (this.#isOver || this.#isGone || !this.claims.takesStream) return;
    // Others may have taken what was left. A subscription has been promised one, and is nothing without.
    if (this.#stream === undefined && this.#streams.isFull && !(this.session as Session).subscriptions) return;
    this.#stream ??= this.#streams.open(this.#arrival, this.#gone);
    this.#stream.message(message);
  }

  lasts(): void {
    this.#posts.add(this);
  }

  answer(message: string | undefined, refusal?: Refusal, bytes?: number): void {
    if (this.#isOver) return;
    this.#end();
    const { accepted, reply } = this.#arrival;
    // The client would take a stream; it is we who have none left.
    if (refusal?.status === 406 && accepted.stream)
      refuseStream(reply, (JSON.parse(message as string) as { id: Id }).id);
    else if (this.#stream === undefined) respond(this.#arrival, message, refusal, undefined, bytes);
    else {
      if (message !== undefined) this.#stream.message(message);
      this.#stream.end();
    }
  }

  /** The answer takes its time, so the client may go before it. */
  wait(onOver: () => void): void {
    this.#onOver = onOver;
    if (this.#stream === undefined) this.#arrival.reply.onGone = this.#gone;
  }

  readonly #gone = (): void => {
    this.#isGone = true;
    if (!this.#isOver && !this.#outlives) this.#end();
  };

  #end(): void {
    this.#isOver = true;
    this.session.close();
    this.#onOver?.();
  }
}
