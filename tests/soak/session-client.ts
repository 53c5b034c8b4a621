import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.js";
import { type Endpoint, type HttpCall, type HttpResponse, type OnMessage, send } from "./http-post.js";
import { cancelled, INITIALIZED, initialize, supportsElicitation, toRequest } from "./messages.js";
import { choosePlan, type Plan, reply } from "./plan.js";
import type { Message, RequestTracker, TrackedRequest } from "./request-tracker.js";
import { TIMEOUT_MS } from "./with-timeout.js";

const MAX_PENDING = 4;

/** One POST of a session, and the position in its event stream. */
interface Post {
  readonly entry: TrackedRequest;
  sent: HttpCall;
  lastEvent: string | undefined;
}

/** An HTTP client of the older revisions: opens a session and resumes interrupted streams. */
export class SessionClient {
  readonly #endpoint: Endpoint;
  readonly #random: Random;
  readonly #tracker: RequestTracker;
  readonly #name: string;
  readonly #revision: string;
  readonly #posts = new Set<Post>();
  readonly #answers = new Map<unknown, string | undefined>();
  #headers: Message = {};
  #stream: HttpCall | undefined;
  #last = 0;

  constructor(endpoint: Endpoint, random: Random, tracker: RequestTracker, name: string, revision: string) {
    this.#endpoint = endpoint;
    this.#random = random;
    this.#tracker = tracker;
    this.#name = name;
    this.#revision = revision;
  }

  async initialize(): Promise<void> {
    const id = this.#nextId();
    const entry = this.#tracker.open(id, ({ error }) => (error === undefined ? undefined : "no handshake"));
    const sent = send(this.#endpoint, {}, initialize(id, this.#revision), (message) => entry.answer(message));
    const session = (await sent.response)?.headers["mcp-session-id"];
    await entry.settled();
    this.#headers = { "mcp-session-id": session, "mcp-protocol-version": this.#revision };
    await this.#post(INITIALIZED);
    if (this.#random.oneIn(2)) this.#toggleStream();
  }

  async sendRequests(limit: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < limit && !isLate(); count += 1) {
      this.#request();
      while (this.#open().length >= MAX_PENDING) await sleep(2);
      if (this.#random.oneIn(8)) this.#toggleStream();
      await sleep(this.#random.below(20));
    }
  }

  /** Waits for every response, then ends the session. */
  async close(): Promise<void> {
    await Promise.all([...this.#posts].map(({ entry }) => entry.settled()));
    // The POST of a cancelled request must end, too.
    for (let waited = 0; this.#posts.size > 0; waited += 5) {
      if (waited > TIMEOUT_MS) return this.#tracker.fail(`${this.#name}: a POST never ended`);
      await sleep(5);
    }
    await this.#deleteSession();
  }

  /** Ends the session while requests are pending. */
  async closeEarly(): Promise<void> {
    this.#abandon();
    await this.#deleteSession();
  }

  /** Disconnects without notice. */
  disconnect(): void {
    this.#abandon();
    this.#tracker.counts.disconnects += 1;
    for (const { sent } of this.#posts) sent.abort();
    this.#posts.clear();
    this.#stream?.abort();
  }

  #open(): Post[] {
    return [...this.#posts].filter(({ entry }) => entry.isOpen);
  }

  #abandon(): void {
    for (const { entry } of this.#posts) entry.abandon();
  }

  async #deleteSession(): Promise<void> {
    const sent = send(this.#endpoint, this.#headers, undefined, () => undefined, "DELETE");
    const answering = await sent.response;
    await answering?.isComplete;
    if (answering?.status !== 204) this.#tracker.fail(`${this.#name}: DELETE was answered with ${answering?.status}`);
    this.#stream?.abort();
  }

  /** Opens or closes the standalone stream of the session. */
  #toggleStream(): void {
    if (this.#stream === undefined)
      this.#stream = send(this.#endpoint, this.#headers, undefined, (message) => this.#onServerMessage(message), "GET");
    else {
      this.#tracker.counts.disconnects += 1;
      this.#stream.abort();
      this.#stream = undefined;
    }
  }

  #request(): void {
    const id = this.#nextId();
    const plan: Plan = choosePlan(this.#random, id, supportsElicitation(this.#revision));
    if (plan.misbehaves) this.#tracker.counts.misbehaviours += 1;
    if ("answer" in plan) this.#answers.set(id, plan.answer);
    const request = toRequest(this.#revision, id, plan.method, plan.params, this.#random.oneIn(2));
    const entry = this.#tracker.open(id, plan.check);
    const sent = send(this.#endpoint, this.#headers, request, (message, eventId) =>
      this.#onMessage(post, message, eventId),
    );
    const post: Post = { entry, sent, lastEvent: undefined };
    this.#posts.add(post);
    void this.#follow(post);
    if (plan.isEndless || this.#random.oneIn(12)) void this.#cancelSoon(id, post);
  }

  /** Handles a message of one POST, and sometimes disconnects after it. */
  #onMessage(post: Post, message: Message, eventId: string | undefined): void {
    const { entry } = post;
    post.lastEvent = eventId ?? post.lastEvent;
    if (message["method"] !== undefined) this.#onServerMessage(message);
    else if (message["id"] === entry.label) entry.answer(message);
    // A session that has ended refuses what was still open, by the status alone.
    else if (entry.isOpen)
      this.#tracker.fail(`${entry.label}: the answer to ${String(message["id"])} arrived on its stream`);
    if (post.lastEvent !== undefined && entry.isOpen && this.#random.oneIn(2)) post.sent.abort();
  }

  /** Waits for the end of a POST, and resumes its stream if it is interrupted. */
  async #follow(post: Post): Promise<void> {
    let answering: HttpResponse | undefined = await post.sent.response;
    while (answering !== undefined && post.entry.isOpen) {
      const isWhole = await answering.isComplete;
      if (!post.entry.isOpen) break;
      if (isWhole || post.lastEvent === undefined) {
        this.#tracker.fail(`${post.entry.label}: its POST ended with ${answering.status} and no answer`);
        post.entry.abandon();
        break;
      }
      this.#tracker.counts.disconnects += 1;
      await sleep(this.#random.below(30));
      this.#tracker.counts.resumed += 1;
      const headers = { ...this.#headers, "last-event-id": post.lastEvent };
      const onMessage: OnMessage = (message, eventId) => this.#onMessage(post, message, eventId);
      post.sent = send(this.#endpoint, headers, undefined, onMessage, "GET");
      answering = await post.sent.response;
      if (answering !== undefined && answering.status !== 200 && post.entry.isOpen)
        this.#tracker.fail(`${post.entry.label}: its stream could not be resumed: ${answering.status}`);
    }
    await answering?.isComplete;
    this.#posts.delete(post);
  }

  async #cancelSoon(id: string, post: Post): Promise<void> {
    await sleep(this.#random.below(40));
    if (!post.entry.isOpen) return;
    post.entry.cancel();
    // The cancellation uses another connection and may arrive before the request.
    for (; this.#posts.has(post); await sleep(200)) await this.#post(cancelled(id));
  }

  #onServerMessage({ id, method, params }: Message): void {
    if (id === undefined) return;
    if (method === "ping") return void this.#post({ jsonrpc: "2.0", id, result: {} });
    const about = (params as Message)["message"];
    if (method !== "elicitation/create" || !this.#answers.has(about))
      return this.#tracker.fail(`${this.#name}: unexpected request: ${String(method)} ${String(about)}`);
    this.#tracker.counts.questions += 1;
    void this.#post({ jsonrpc: "2.0", id, result: reply(this.#answers.get(about)) });
  }

  async #post(message: Message): Promise<void> {
    await (await send(this.#endpoint, this.#headers, message, () => undefined).response)?.isComplete;
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }
}
