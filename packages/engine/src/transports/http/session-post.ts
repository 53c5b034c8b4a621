import { Claims } from "../../server/claims.js";
import type { OpenSession, Refusal, TransportLink } from "../../server/link.js";
import { type Narrowing, readNarrowing } from "../../server/lists/narrowing.js";
import { type Arrival, respond } from "./arrival.js";
import type { EventStreams } from "./event-streams.js";
import type { HttpHeaders } from "./host.js";
import type { HttpSession } from "./http-session.js";
import type { OpenPost, OpenPosts } from "./open-posts.js";
import { refuse } from "./refusals.js";
import type { SessionStream } from "./session-stream.js";

/** Takes an answer where it is more than a message: a handshake makes a session. `isStreamed`: the client has it already. */
export type OnAnswer = (message: string | undefined, refusal: Refusal | undefined, isStreamed: boolean) => void;

interface PostOptions {
  readonly onAnswer?: OnAnswer;
  /** How long a client that can come back is held. */
  readonly pollAfterMs?: number;
}

/** A POST of a session. Its stream outlives its connection: who goes away cancels nothing, and may come back for the answer. */
export class SessionPost implements TransportLink, OpenPost {
  readonly session: OpenSession;
  readonly principal: string | undefined;
  readonly scopes: ReadonlySet<string> | undefined;
  readonly claims: Claims;
  readonly #owner: HttpSession;
  readonly #arrival: Arrival;
  readonly #streams: EventStreams;
  readonly #posts: OpenPosts;
  readonly #onAnswer: OnAnswer | undefined;
  readonly #pollAfterMs: number;
  #stream: SessionStream | undefined;
  #isAnswered = false;
  #isGone = false;
  #polling: NodeJS.Timeout | undefined;
  #onOver: (() => void) | undefined;

  constructor(
    owner: HttpSession,
    arrival: Arrival,
    streams: EventStreams,
    posts: OpenPosts,
    { onAnswer, pollAfterMs }: PostOptions,
  ) {
    const { request, verified, accepted } = arrival;
    this.session = owner.session;
    this.principal = verified.principal;
    this.scopes = verified.scopes;
    this.claims = new Claims(request, accepted.stream);
    this.#owner = owner;
    this.#arrival = arrival;
    this.#streams = streams;
    this.#posts = posts;
    this.#onAnswer = onAnswer;
    this.#pollAfterMs = pollAfterMs ?? Number.POSITIVE_INFINITY;
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

  get sessionId(): string {
    return this.#owner.id;
  }

  get isOver(): boolean {
    return this.#isAnswered;
  }

  /** What belongs to a call comes on its stream; after the answer, or where there can be none, on that of the session. */
  send(message: string): void {
    if (this.#isAnswered || !this.#canStream) this.#owner.push(message);
    else this.#open().send(message);
  }

  lasts(): void {
    this.#posts.add(this);
  }

  answer(message: string | undefined, refusal?: Refusal, bytes?: number): void {
    if (this.#isAnswered) return;
    this.#end();
    if (this.#stream !== undefined) this.#endStream(this.#stream, message);
    if (this.#onAnswer !== undefined) this.#onAnswer(message, refusal, this.#stream !== undefined);
    else if (this.#stream === undefined && !this.#isGone) this.#respond(message, refusal, bytes);
    this.#onOver?.();
  }

  /** The answer takes its time: the client may go before it, or be sent away where it can come back. */
  wait(onOver: () => void): void {
    this.#onOver = onOver;
    if (this.#stream === undefined) {
      this.#arrival.reply.onGone = () => {
        this.#isGone = true;
      };
    }
    if (this.#pollAfterMs === Number.POSITIVE_INFINITY || !this.session.revision?.polling) return;
    this.#polling = setTimeout(() => {
      if (this.#canStream) this.#open().sendAway();
    }, this.#pollAfterMs).unref();
  }

  get #canStream(): boolean {
    return this.#stream !== undefined || (this.claims.takesStream && !this.#isGone && !this.#streams.isFull);
  }

  /** A client that waits for an answer must not wait on when its session has ended. */
  #respond(message: string | undefined, refusal: Refusal | undefined, bytes: number | undefined): void {
    if (message === undefined && this.session.isClosed) refuse(this.#arrival.reply, 404, "the session has ended");
    else respond(this.#arrival, message, refusal, undefined, bytes);
  }

  #end(): void {
    this.#isAnswered = true;
    clearTimeout(this.#polling);
    this.#owner.touch();
  }

  #open(): SessionStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = this.#owner.openStream(this.#streams.open(this.#arrival, () => undefined));
    return this.#stream;
  }

  #endStream(stream: SessionStream, message: string | undefined): void {
    if (message === undefined) stream.end();
    else stream.send(message, true);
    this.#owner.forgetStream(stream);
  }
}
