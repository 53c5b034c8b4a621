import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../fuzz/dice.js";
import { canAsk, cancelled, INITIALIZED, initialize, toRequest } from "./eras.js";
import { type Answering, type Hear, type Place, type Sent, send } from "./http-post.js";
import type { Entry, Ledger, Message } from "./ledger.js";
import { PATIENCE_MS } from "./patience.js";
import { choosePlan, type Plan, reply } from "./plan.js";

const MOST_OPEN = 4;

/** One POST of a session, and where its stream stands. */
interface Post {
  readonly entry: Entry;
  sent: Sent;
  lastEvent: string | undefined;
}

/** A client of the older revisions over HTTP: it has a session, and takes up streams that broke. */
export class SessionClient {
  readonly #place: Place;
  readonly #dice: Dice;
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #revision: string;
  readonly #posts = new Set<Post>();
  readonly #sayings = new Map<unknown, string | undefined>();
  #headers: Message = {};
  #listening: Sent | undefined;
  #last = 0;

  constructor(place: Place, dice: Dice, ledger: Ledger, name: string, revision: string) {
    this.#place = place;
    this.#dice = dice;
    this.#ledger = ledger;
    this.#name = name;
    this.#revision = revision;
  }

  async shakeHands(): Promise<void> {
    const id = this.#nextId();
    const entry = this.#ledger.open(id, ({ error }) => (error === undefined ? undefined : "no handshake"));
    const sent = send(this.#place, {}, initialize(id, this.#revision), (message) => entry.answer(message));
    const session = (await sent.answering)?.headers["mcp-session-id"];
    await entry.over();
    this.#headers = { "mcp-session-id": session, "mcp-protocol-version": this.#revision };
    await this.#tell(INITIALIZED);
    if (this.#dice.oneIn(2)) this.#listen();
  }

  async talk(most: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < most && !isLate(); count += 1) {
      this.#request();
      while (this.#open().length >= MOST_OPEN) await sleep(2);
      if (this.#dice.oneIn(8)) this.#listen();
      await sleep(this.#dice.roll(20));
    }
  }

  /** Waits for every answer, and ends the session. */
  async leave(): Promise<void> {
    await Promise.all([...this.#posts].map(({ entry }) => entry.over()));
    // What was cancelled must let its client go, too.
    for (let waited = 0; this.#posts.size > 0; waited += 5) {
      if (waited > PATIENCE_MS) return this.#ledger.wrong(`${this.#name}: a POST never ended`);
      await sleep(5);
    }
    await this.#delete();
  }

  /** Ends the session while calls are on their way. */
  async leaveEarly(): Promise<void> {
    this.#cutOff();
    await this.#delete();
  }

  /** Goes without a word. */
  vanish(): void {
    this.#cutOff();
    this.#ledger.counts.disconnects += 1;
    for (const { sent } of this.#posts) sent.abort();
    this.#posts.clear();
    this.#listening?.abort();
  }

  #open(): Post[] {
    return [...this.#posts].filter(({ entry }) => entry.isOpen);
  }

  #cutOff(): void {
    for (const { entry } of this.#posts) entry.cutOff();
  }

  async #delete(): Promise<void> {
    const sent = send(this.#place, this.#headers, undefined, () => undefined, "DELETE");
    const answering = await sent.answering;
    await answering?.isWhole;
    if (answering?.status !== 204) this.#ledger.wrong(`${this.#name}: DELETE was answered with ${answering?.status}`);
    this.#listening?.abort();
  }

  /** Opens the stream of the session, or closes it. */
  #listen(): void {
    if (this.#listening === undefined)
      this.#listening = send(this.#place, this.#headers, undefined, (message) => this.#hearOther(message), "GET");
    else {
      this.#ledger.counts.disconnects += 1;
      this.#listening.abort();
      this.#listening = undefined;
    }
  }

  #request(): void {
    const id = this.#nextId();
    const plan: Plan = choosePlan(this.#dice, id, canAsk(this.#revision));
    if (plan.isFault) this.#ledger.counts.faults += 1;
    if ("said" in plan) this.#sayings.set(id, plan.said);
    const request = toRequest(this.#revision, id, plan.method, plan.params, this.#dice.oneIn(2));
    const entry = this.#ledger.open(id, plan.check);
    const sent = send(this.#place, this.#headers, request, (message, eventId) => this.#hear(post, message, eventId));
    const post: Post = { entry, sent, lastEvent: undefined };
    this.#posts.add(post);
    void this.#follow(post);
    if (plan.isEndless || this.#dice.oneIn(12)) void this.#cancelSoon(id, post);
  }

  /** Hears what comes for one request, and now and then breaks off after it. */
  #hear(post: Post, message: Message, eventId: string | undefined): void {
    const { entry } = post;
    post.lastEvent = eventId ?? post.lastEvent;
    if (message["method"] !== undefined) this.#hearOther(message);
    else if (message["id"] === entry.label) entry.answer(message);
    // A session that has ended refuses what was still open, by the status alone.
    else if (entry.isOpen) this.#ledger.wrong(`${entry.label}: the answer to ${String(message["id"])} came to it`);
    if (post.lastEvent !== undefined && entry.isOpen && this.#dice.oneIn(2)) post.sent.abort();
  }

  /** Waits for the end of a POST, and takes its stream up again where it broke. */
  async #follow(post: Post): Promise<void> {
    let answering: Answering | undefined = await post.sent.answering;
    while (answering !== undefined && post.entry.isOpen) {
      const isWhole = await answering.isWhole;
      if (!post.entry.isOpen) break;
      if (isWhole || post.lastEvent === undefined) {
        this.#ledger.wrong(`${post.entry.label}: its POST ended with ${answering.status} and no answer`);
        post.entry.cutOff();
        break;
      }
      this.#ledger.counts.disconnects += 1;
      await sleep(this.#dice.roll(30));
      this.#ledger.counts.resumed += 1;
      const headers = { ...this.#headers, "last-event-id": post.lastEvent };
      const hear: Hear = (message, eventId) => this.#hear(post, message, eventId);
      post.sent = send(this.#place, headers, undefined, hear, "GET");
      answering = await post.sent.answering;
      if (answering !== undefined && answering.status !== 200 && post.entry.isOpen)
        this.#ledger.wrong(`${post.entry.label}: its stream could not be taken up: ${answering.status}`);
    }
    await answering?.isWhole;
    this.#posts.delete(post);
  }

  async #cancelSoon(id: string, post: Post): Promise<void> {
    await sleep(this.#dice.roll(40));
    if (!post.entry.isOpen) return;
    post.entry.cancel();
    // On another connection it may overtake what it cancels.
    for (; this.#posts.has(post); await sleep(200)) await this.#tell(cancelled(id));
  }

  #hearOther({ id, method, params }: Message): void {
    if (id === undefined) return;
    if (method === "ping") return void this.#tell({ jsonrpc: "2.0", id, result: {} });
    const about = (params as Message)["message"];
    if (method !== "elicitation/create" || !this.#sayings.has(about))
      return this.#ledger.wrong(`${this.#name}: asked for what it does not know: ${String(method)} ${String(about)}`);
    this.#ledger.counts.questions += 1;
    void this.#tell({ jsonrpc: "2.0", id, result: reply(this.#sayings.get(about)) });
  }

  async #tell(message: Message): Promise<void> {
    await (await send(this.#place, this.#headers, message, () => undefined).answering)?.isWhole;
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }
}
