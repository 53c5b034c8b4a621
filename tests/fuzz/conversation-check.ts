import { judge } from "../../packages/engine/test/judges/official-schema.js";
import { leaks } from "../../packages/engine/test/judges/revision-words.js";
import { expectedResponses, keyOf, type SentRequest } from "./expected-responses.js";

type Message = Record<string, unknown>;

const STATELESS = "2026-07-28";
const HANDSHAKE = "2025-11-25";
const BATCHING = new Set(["2024-11-05", "2025-03-26"]);

/** Checks a conversation: derives the required responses from what was sent, and reports what is wrong with what came back. */
export class ConversationCheck {
  readonly #revision: string;
  readonly #requests = new Map<unknown, SentRequest[]>();
  readonly #required = new Map<string, number>();
  readonly #optional = new Map<string, number>();
  readonly #answered = new Map<string, number>();
  readonly #cancelled = new Set<string>();
  readonly #subscriptions = new Set<string>();
  readonly #failures: string[] = [];
  #minWithoutId = 0;
  #maxWithoutId = 0;
  #withoutId = 0;
  #isMixed = false;

  constructor(revision: string) {
    this.#revision = revision;
  }

  /** Every required response has arrived, except those of subscriptions, which last until the end. */
  get isSettled(): boolean {
    for (const [id, count] of this.#required) {
      if (!this.#subscriptions.has(id) && !this.#cancelled.has(id) && (this.#answered.get(id) ?? 0) < count)
        return false;
    }
    return this.#withoutId >= this.#minWithoutId;
  }

  sent(text: string): void {
    const expected = expectedResponses(text, BATCHING.has(this.#revision), (id, requests) => {
      this.#requests.set(id, [...(this.#requests.get(id) ?? []), requests]);
      if (requests.method === "subscriptions/listen") this.#subscriptions.add(keyOf(id));
    });
    for (const id of expected.ids) add(this.#required, id);
    for (const id of expected.optional) add(this.#optional, id);
    // An unreadable message that mentions the other revision may be rejected in the form of either.
    if (expected.max > 0 && text.includes("io.modelcontextprotocol/")) this.#isMixed = true;
    this.#minWithoutId += expected.min;
    this.#maxWithoutId += expected.max;
    // A cancelled request need not be answered; its id is read as leniently as possible.
    const cancelled = /"requestId":\s*("[^"]*"|[-\d.eE+]+)/.exec(text)?.[1];
    if (cancelled !== undefined) this.#cancelled.add(cancelled);
  }

  /** Registers a line that may be rejected without an id: one over the limit, or of whitespace only. */
  sentOptional(): void {
    this.#maxWithoutId += 1;
  }

  /** Registers a message of the server; returns the requests in it, which need an answer. */
  received(text: string): Message[] {
    const value = JSON.parse(text) as Message | Message[];
    if (Array.isArray(value)) this.#expectBatch(value, text);
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) this.#onMessage(message, text);
    return messages.filter(({ method, id }) => method !== undefined && id !== undefined);
  }

  /** Everything that is wrong, once the conversation is over. */
  failures(): string[] {
    const failures = [...this.#failures];
    for (const id of new Set([...this.#required.keys(), ...this.#answered.keys()])) {
      const min = this.#cancelled.has(id) ? 0 : (this.#required.get(id) ?? 0);
      const max = (this.#required.get(id) ?? 0) + (this.#optional.get(id) ?? 0);
      const count = this.#answered.get(id) ?? 0;
      if (count < min) failures.push(`${id} was answered ${count} times, not ${min}`);
      if (count > max) failures.push(`${id} was answered ${count} times, expected at most ${max}`);
    }
    if (this.#withoutId < this.#minWithoutId || this.#withoutId > this.#maxWithoutId)
      failures.push(
        `${this.#withoutId} answers without an id, expected ${this.#minWithoutId} to ${this.#maxWithoutId}`,
      );
    return failures;
  }

  #expectBatch(messages: readonly Message[], text: string): void {
    if (!BATCHING.has(this.#revision)) this.#failures.push(`a batch in ${this.#revision}: ${text}`);
    if (messages.length === 0) this.#failures.push("an empty batch");
  }

  #onMessage(message: Message, text: string): void {
    const { id, method, error } = message;
    const isAnswer = method === undefined;
    const requests = isAnswer ? (this.#requests.get(id) ?? []) : [];
    const revisions = new Set(requests.map(({ isModern }) => (isModern ? STATELESS : this.#revision)));
    if (revisions.size === 0) revisions.add(this.#revision);
    // A request without `_meta` of the stateless revision before any handshake is treated as one of the handshake revisions: ping is answered.
    if (this.#revision === STATELESS && requests.some(({ isModern }) => !isModern)) revisions.add(HANDSHAKE);
    if (!isAnswer || (this.#isMixed && requests.length === 0)) revisions.add(STATELESS);
    // Integers beyond 2^53 are legal ids, but not every validator can read them.
    const isUnsafe = typeof id === "number" && !Number.isSafeInteger(id);
    const checked = isUnsafe ? { ...message, id: 0 } : message;
    const context = { asked: new Map([[checked["id"] as string | number, requests.map((one) => one.method)]]) };
    const results = [...revisions].map((revision) => [
      ...judge(revision, "server", checked, context),
      ...leaks(revision, message).map((word) => `leaks ${word}`),
    ]);
    if (results.every((failures) => failures.length > 0)) this.#failures.push(`${results[0]?.join("; ")} in ${text}`);
    const { code, data } = (error ?? {}) as { code?: number; data?: { code?: string } };
    // An error of a prompt or resource carries a code; one without a code is internal.
    if (code === -32603 && data?.code === undefined) this.#failures.push(`an internal error: ${text}`);
    if (!isAnswer) return;
    if (id === undefined || id === null) this.#withoutId += 1;
    else add(this.#answered, keyOf(id));
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
