import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../fuzz/dice.js";
import { canAsk, cancelled, INITIALIZED, initialize, isQuestion, nextRound, STATELESS, toRequest } from "./eras.js";
import type { Entry, Ledger, Message } from "./ledger.js";
import { inTime } from "./patience.js";
import { choosePlan, type Plan, reply } from "./plan.js";
import type { Wire } from "./wires.js";

const MOST_OPEN = 8;

/** A client on one connection: asks, cancels, answers questions, and goes in one of many ways. */
export class Talker {
  readonly #wire: Wire;
  readonly #dice: Dice;
  readonly #ledger: Ledger;
  readonly #name: string;
  readonly #revision: string;
  readonly #entries = new Map<unknown, Entry>();
  readonly #waiting = new Set<Entry>();
  /** What the person says to the question with this text. */
  readonly #sayings = new Map<unknown, string | undefined>();
  /** Requests whose answer may be a question. */
  readonly #rounds = new Map<unknown, { request: Message; plan: Plan }>();
  #last = 0;

  constructor(wire: Wire, dice: Dice, ledger: Ledger, name: string, revision: string) {
    this.#wire = wire;
    this.#dice = dice;
    this.#ledger = ledger;
    this.#name = name;
    this.#revision = revision;
    wire.hear = (text) => this.#hear(text);
  }

  async shakeHands(): Promise<void> {
    if (this.#revision === STATELESS) return;
    const id = this.#nextId();
    const entry = this.#open(id, ({ result }) => {
      const agreed = (result as Message | undefined)?.["protocolVersion"];
      return agreed === this.#revision ? undefined : "another revision";
    });
    this.#send(initialize(id, this.#revision));
    await entry.over();
    this.#send(INITIALIZED);
  }

  /** Makes so many requests, or as many as there is time for. */
  async talk(most: number, isLate: () => boolean): Promise<void> {
    for (let count = 0; count < most && !isLate(); count += 1) {
      this.#request();
      await this.#roomFor(MOST_OPEN);
      if (this.#dice.oneIn(2)) await sleep(this.#dice.roll(30));
    }
  }

  /** Waits until everything is answered. */
  async rest(): Promise<void> {
    await this.#roomFor(1);
  }

  /** Says goodbye when everything is answered. */
  async leave(): Promise<void> {
    await this.rest();
    await this.#finish();
  }

  /** Says that nothing more comes while answers are on their way, which must all come. */
  async leaveEarly(): Promise<void> {
    await this.rest();
    const texts = Array.from({ length: 5 }, () => this.#nextId());
    const entries = texts.map((id) => {
      const entry = this.#open(id, ({ error }) => (error === undefined ? undefined : "an error"));
      this.#send(toRequest(this.#revision, id, "tools/call", { name: "slow", arguments: { text: id, ms: 5 } }, false));
      return entry;
    });
    const finished = this.#finish();
    await Promise.all(entries.map((entry) => entry.over()));
    await finished;
  }

  /** Goes without a word, in the middle of everything and now and then in the middle of a message. */
  vanish(): void {
    for (const entry of this.#waiting) entry.cutOff();
    this.#ledger.counts.disconnects += 1;
    const { params } = choosePlan(this.#dice, this.#nextId(), false);
    if (this.#dice.oneIn(2))
      this.#wire.sendHalf(JSON.stringify(toRequest(this.#revision, "half", "ping", params, false)));
    this.#wire.cut();
  }

  async #finish(): Promise<void> {
    if ((await inTime(this.#wire.finish())) === "late") this.#ledger.wrong(`${this.#name}: the server did not go`);
  }

  #nextId(): string {
    this.#last += 1;
    return `${this.#name}.${this.#last}`;
  }

  #open(id: string, check: Plan["check"]): Entry {
    const entry = this.#ledger.open(id, check);
    this.#entries.set(id, entry);
    this.#waiting.add(entry);
    return entry;
  }

  #send(message: Message): void {
    this.#wire.send(JSON.stringify(message));
  }

  #request(): void {
    const id = this.#nextId();
    const plan = choosePlan(this.#dice, id, canAsk(this.#revision));
    if (plan.isFault) this.#ledger.counts.faults += 1;
    const request = toRequest(this.#revision, id, plan.method, plan.params, this.#dice.oneIn(2));
    const isQuestioned = "said" in plan && this.#revision === STATELESS;
    if (isQuestioned) this.#rounds.set(id, { request, plan });
    else if ("said" in plan) this.#sayings.set(id, plan.said);
    const entry = this.#open(id, isQuestioned ? isQuestion : plan.check);
    this.#send(request);
    if (plan.isEndless || this.#dice.oneIn(12)) void this.#cancelSoon(id, entry);
  }

  async #cancelSoon(id: string, entry: Entry): Promise<void> {
    await sleep(this.#dice.roll(40));
    if (!entry.isOpen) return;
    entry.cancel();
    this.#send(cancelled(id));
  }

  /** Waits until fewer than so many requests are open. */
  async #roomFor(open: number): Promise<void> {
    for (;;) {
      for (const entry of this.#waiting) if (!entry.isOpen) this.#waiting.delete(entry);
      if (this.#waiting.size < open) return;
      await Promise.race([...this.#waiting].map((entry) => entry.over()));
    }
  }

  #hear(text: string): void {
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return this.#ledger.wrong(`${this.#name}: heard what is no message: ${text.slice(0, 200)}`);
    }
    const { id, method } = message;
    if (method === undefined) this.#take(id, message);
    else if (id !== undefined) this.#answer(id, message);
  }

  #take(id: unknown, message: Message): void {
    const entry = this.#entries.get(id);
    if (entry === undefined)
      return this.#ledger.wrong(`${this.#name}: an answer to nobody: ${JSON.stringify(message).slice(0, 200)}`);
    entry.answer(message);
    const round = this.#rounds.get(id);
    this.#rounds.delete(id);
    const again = round && nextRound(round.request, message, `${String(id)}.again`, reply(round.plan.said));
    if (round === undefined || again === undefined) return;
    this.#ledger.counts.questions += 1;
    this.#open(again["id"] as string, round.plan.check);
    this.#send(again);
  }

  #answer(id: unknown, { method, params }: Message): void {
    const about = (params as Message)["message"];
    if (method === "ping") return this.#send({ jsonrpc: "2.0", id, result: {} });
    if (method !== "elicitation/create" || !this.#sayings.has(about))
      return this.#ledger.wrong(`${this.#name}: asked for what it does not know: ${String(method)} ${String(about)}`);
    this.#ledger.counts.questions += 1;
    this.#send({ jsonrpc: "2.0", id, result: reply(this.#sayings.get(about)) });
  }
}
