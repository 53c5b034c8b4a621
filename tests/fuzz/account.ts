import { judge } from "../../packages/engine/test/judges/official-schema.js";
import { leaks } from "../../packages/engine/test/judges/revision-words.js";
import { type Asked, dueFor, keyOf } from "./oracle.js";

type Message = Record<string, unknown>;

const STATELESS = "2026-07-28";
const HANDSHAKE = "2025-11-25";
const BATCHING = new Set(["2024-11-05", "2025-03-26"]);

/** Keeps account of a conversation: what is due for what was sent, and what is wrong with what came back. */
export class Account {
  readonly #revision: string;
  readonly #asked = new Map<unknown, Asked[]>();
  readonly #sure = new Map<string, number>();
  readonly #unsure = new Map<string, number>();
  readonly #answered = new Map<string, number>();
  readonly #cancelled = new Set<string>();
  readonly #lasting = new Set<string>();
  readonly #faults: string[] = [];
  #least = 0;
  #most = 0;
  #nameless = 0;
  #isMixed = false;

  constructor(revision: string) {
    this.#revision = revision;
  }

  /** All that is due has come, but for what lasts until the end. */
  get isSettled(): boolean {
    for (const [id, count] of this.#sure) {
      if (!this.#lasting.has(id) && !this.#cancelled.has(id) && (this.#answered.get(id) ?? 0) < count) return false;
    }
    return this.#nameless >= this.#least;
  }

  sent(text: string): void {
    const due = dueFor(text, BATCHING.has(this.#revision), (id, asked) => {
      this.#asked.set(id, [...(this.#asked.get(id) ?? []), asked]);
      if (asked.method === "subscriptions/listen") this.#lasting.add(keyOf(id));
    });
    for (const id of due.ids) add(this.#sure, id);
    for (const id of due.unsure) add(this.#unsure, id);
    // What cannot be read but speaks of the other era may be refused in the way of that.
    if (due.most > 0 && text.includes("io.modelcontextprotocol/")) this.#isMixed = true;
    this.#least += due.least;
    this.#most += due.most;
    // A cancelled request need not be answered; which one was meant is read as loosely as can be.
    const cancelled = /"requestId":\s*("[^"]*"|[-\d.eE+]+)/.exec(text)?.[1];
    if (cancelled !== undefined) this.#cancelled.add(cancelled);
  }

  /** A line that may be refused without an id: one over the limit, or one of nothing but spaces of some kind. */
  sentUnsure(): void {
    this.#most += 1;
  }

  /** Takes note of what the server said; gives the requests in it, which want an answer. */
  heard(text: string): Message[] {
    const value = JSON.parse(text) as Message | Message[];
    if (Array.isArray(value)) this.#expectBatch(value, text);
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) this.#take(message, text);
    return messages.filter(({ method, id }) => method !== undefined && id !== undefined);
  }

  /** Everything that is wrong, when the conversation is over. */
  faults(): string[] {
    const faults = [...this.#faults];
    for (const id of new Set([...this.#sure.keys(), ...this.#answered.keys()])) {
      const least = this.#cancelled.has(id) ? 0 : (this.#sure.get(id) ?? 0);
      const most = (this.#sure.get(id) ?? 0) + (this.#unsure.get(id) ?? 0);
      const count = this.#answered.get(id) ?? 0;
      if (count < least) faults.push(`${id} was answered ${count} times, not ${least}`);
      if (count > most) faults.push(`${id} was answered ${count} times, at most ${most} are due`);
    }
    if (this.#nameless < this.#least || this.#nameless > this.#most)
      faults.push(`${this.#nameless} answers without an id, due are ${this.#least} to ${this.#most}`);
    return faults;
  }

  #expectBatch(messages: readonly Message[], text: string): void {
    if (!BATCHING.has(this.#revision)) this.#faults.push(`a batch in ${this.#revision}: ${text}`);
    if (messages.length === 0) this.#faults.push("an empty batch");
  }

  #take(message: Message, text: string): void {
    const { id, method, error } = message;
    const isAnswer = method === undefined;
    const asked = isAnswer ? (this.#asked.get(id) ?? []) : [];
    const eras = new Set(asked.map(({ isModern }) => (isModern ? STATELESS : this.#revision)));
    if (eras.size === 0) eras.add(this.#revision);
    // A request without the marks of an era, before any handshake, is one of the handshake era: ping is answered to it.
    if (this.#revision === STATELESS && asked.some(({ isModern }) => !isModern)) eras.add(HANDSHAKE);
    if (!isAnswer || (this.#isMixed && asked.length === 0)) eras.add(STATELESS);
    // Integers beyond 2^53 are legal ids, which not every judge can read.
    const isVast = typeof id === "number" && !Number.isSafeInteger(id);
    const judged = isVast ? { ...message, id: 0 } : message;
    const context = { asked: new Map([[judged["id"] as string | number, asked.map((one) => one.method)]]) };
    const verdicts = [...eras].map((revision) => [
      ...judge(revision, "server", judged, context),
      ...leaks(revision, message).map((word) => `leaks ${word}`),
    ]);
    if (verdicts.every((faults) => faults.length > 0)) this.#faults.push(`${verdicts[0]?.join("; ")} in ${text}`);
    const { code, data } = (error ?? {}) as { code?: number; data?: { code?: string } };
    // A prompt or a resource that fails in words, as after an answer that cannot be read, says which failure it was.
    if (code === -32603 && data?.code === undefined) this.#faults.push(`an internal error: ${text}`);
    if (!isAnswer) return;
    if (id === undefined || id === null) this.#nameless += 1;
    else add(this.#answered, keyOf(id));
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
