import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../fuzz/random.js";
import type { Connection } from "./connections.js";
import {
  cancelled,
  INITIALIZED,
  initialize,
  isInputRequest,
  retryWithInput,
  STATELESS,
  supportsElicitation,
  toRequest,
} from "./messages.js";
import { choosePlan, type Plan, reply } from "./plan.js";
import type { Message, RequestTracker, TrackedRequest } from "./request-tracker.js";
import { withTimeout } from "./with-timeout.js";

const MAX_PENDING = 8;

/** A client on one connection: sends requests, cancels, answers elicitations, and disconnects in one of several ways. */
export class ConnectionClient {
  readonly #connection: Connection;
  readonly #random: Random;
  readonly #tracker: RequestTracker;
  readonly #name: string;
  readonly #revision: string;
  readonly #entries = new Map<unknown, TrackedRequest>();
  readonly #waiting = new Set<TrackedRequest>();
  /** The user's answer to the elicitation with this message. */
  readonly #answers = new Map<unknown, string | undefined>();
  /** Requests that may be answered with an input request. */
  readonly #rounds = new Map<unknown, { request: Message; plan: Plan }>();
  #last = 0;

  constructor(connection: Connection, random: Random, tracker: RequestTracker, name: string, revision: string) {
    this.#connection = connection;
    this.#random = random;
    this.#tracker = tracker;
    this.#name = name;
    this.#revision = revision;
    connection.onMessage = (text) => this.#onMessage(text);
  }

  async initialize(): Promise<void> {
    if (this.#revision === STATELESS) return;
    const id = this.#nextId();
    const entry = this.#open(id, ({ result }) => {
      const agreed = (result as Message | undefined)?.["protocolVersion"];
      return agreed === this.#revision ? undefined : "another revision";
    });
    this.#send(initialize(id, this.#revision));
    await entry.settled();
    this.#send(INITIALIZED);
  }

  /** Sends `limit` requests, or as many as fit into the time. */
  async sendRequests(limit: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < limit && !isLate(); count += 1) {
      this.#request();
      await this.#waitForPending(MAX_PENDING);
      if (this.#random.oneIn(2)) await sleep(this.#random.below(30));
    }
  }

  /** Waits until every request is answered. */
  async settle(): Promise<void> {
    await this.#waitForPending(1);
  }

  /** Disconnects after every request is answered. */
  async close(): Promise<void> {
    await this.settle();
    await this.#end();
  }

  /** Ends its side of the connection while requests are pending; all of them must still be answered. */
  async closeEarly(): Promise<void> {
    await this.settle();
    const texts = Array.from({ length: 5 }, () => this.#nextId());
    const entries = texts.map((id) => {
      const entry = this.#open(id, ({ error }) => (error === undefined ? undefined : "an error"));
      this.#send(toRequest(this.#revision, id, "tools/call", { name: "slow", arguments: { text: id, ms: 5 } }, false));
      return entry;
    });
    const finished = this.#end();
    await Promise.all(entries.map((entry) => entry.settled()));
    await finished;
  }

  /** Disconnects without notice while requests are pending, sometimes in the middle of a message. */
  disconnect(): void {
    for (const entry of this.#waiting) entry.abandon();
    this.#tracker.counts.disconnects += 1;
    const { params } = choosePlan(this.#random, this.#nextId(), false);
    if (this.#random.oneIn(2))
      this.#connection.sendHalf(JSON.stringify(toRequest(this.#revision, "half", "ping", params, false)));
    this.#connection.destroy();
  }

  async #end(): Promise<void> {
    if ((await withTimeout(this.#connection.end())) === "timeout")
      this.#tracker.fail(`${this.#name}: the server did not close the connection`);
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }

  #open(id: string, check: Plan["check"]): TrackedRequest {
    const entry = this.#tracker.open(id, check);
    this.#entries.set(id, entry);
    this.#waiting.add(entry);
    return entry;
  }

  #send(message: Message): void {
    this.#connection.send(JSON.stringify(message));
  }

  #request(): void {
    const id = this.#nextId();
    const plan = choosePlan(this.#random, id, supportsElicitation(this.#revision));
    if (plan.misbehaves) this.#tracker.counts.misbehaviours += 1;
    const request = toRequest(this.#revision, id, plan.method, plan.params, this.#random.oneIn(2));
    const isQuestioned = "answer" in plan && this.#revision === STATELESS;
    if (isQuestioned) this.#rounds.set(id, { request, plan });
    else if ("answer" in plan) this.#answers.set(id, plan.answer);
    const entry = this.#open(id, isQuestioned ? isInputRequest : plan.check);
    this.#send(request);
    if (plan.isEndless || this.#random.oneIn(12)) void this.#cancelSoon(id, entry);
  }

  async #cancelSoon(id: string, entry: TrackedRequest): Promise<void> {
    await sleep(this.#random.below(40));
    if (!entry.isOpen) return;
    entry.cancel();
    this.#send(cancelled(id));
  }

  /** Waits until fewer than `open` requests are pending. */
  async #waitForPending(open: number): Promise<void> {
    for (;;) {
      for (const entry of this.#waiting) if (!entry.isOpen) this.#waiting.delete(entry);
      if (this.#waiting.size < open) return;
      await Promise.race([...this.#waiting].map((entry) => entry.settled()));
    }
  }

  #onMessage(text: string): void {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return this.#tracker.fail(`${this.#name}: received an invalid message: ${text.slice(0, 200)}`);
    }
    const { id, method } = message;
    if (method === undefined) this.#onResponse(id, message);
    else if (id !== undefined) this.#onRequest(id, message);
  }

  #onResponse(id: unknown, message: Message): void {
    const entry = this.#entries.get(id);
    if (entry === undefined)
      return this.#tracker.fail(
        `${this.#name}: a response without a request: ${JSON.stringify(message).slice(0, 200)}`,
      );
    entry.answer(message);
    const round = this.#rounds.get(id);
    this.#rounds.delete(id);
    const again = round && retryWithInput(round.request, message, `${String(id)}.retry`, reply(round.plan.answer));
    if (round === undefined || again === undefined) return;
    this.#tracker.counts.questions += 1;
    this.#open(again["id"] as string, round.plan.check);
    this.#send(again);
  }

  #onRequest(id: unknown, { method, params }: Message): void {
    const about = (params as Message)["message"];
    if (method === "ping") return this.#send({ jsonrpc: "2.0", id, result: {} });
    if (method !== "elicitation/create" || !this.#answers.has(about))
      return this.#tracker.fail(`${this.#name}: unexpected request: ${String(method)} ${String(about)}`);
    this.#tracker.counts.questions += 1;
    this.#send({ jsonrpc: "2.0", id, result: reply(this.#answers.get(about)) });
  }
}
