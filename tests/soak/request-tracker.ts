import { TIMEOUT_MS, withTimeout } from "./with-timeout.js";

/** A JSON object as received over the wire. */
export type Message = Record<string, unknown>;

/** Returns what is wrong with a response; undefined if it is correct. */
export type Check = (answer: Message) => string | undefined;

/** Totals so far. */
export interface Counts {
  requests: number;
  answers: number;
  cancels: number;
  disconnects: number;
  resumed: number;
  questions: number;
  misbehaviours: number;
}

const MAX_FAILURES = 20;

/** Tracks all requests: each must be answered once and correctly unless its client cancelled it. */
export class RequestTracker {
  readonly counts: Counts = {
    requests: 0,
    answers: 0,
    cancels: 0,
    disconnects: 0,
    resumed: 0,
    questions: 0,
    misbehaviours: 0,
  };
  /** Descriptions of the first failures. */
  readonly failures: string[] = [];
  failureCount = 0;

  /** Registers a request that was sent. */
  open(label: string, check: Check): TrackedRequest {
    this.counts.requests += 1;
    return new TrackedRequest(this, label, check);
  }

  fail(message: string): void {
    this.failureCount += 1;
    if (this.failures.length < MAX_FAILURES) this.failures.push(message);
  }
}

/** One request until it is settled. */
export class TrackedRequest {
  readonly label: string;
  readonly #tracker: RequestTracker;
  readonly #check: Check;
  readonly #settled: Promise<void>;
  #settle: () => void = () => undefined;
  #isAbandoned = false;
  #answers = 0;

  constructor(tracker: RequestTracker, label: string, check: Check) {
    this.#tracker = tracker;
    this.label = label;
    this.#check = check;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#answers === 0 && !this.#isAbandoned;
  }

  get isAnswered(): boolean {
    return this.#answers > 0;
  }

  /** Registers a response. A cancelled request may still get one, but not more. */
  answer(message: Message): void {
    this.#answers += 1;
    if (this.#answers > 1) return this.#tracker.fail(`${this.label}: answered ${this.#answers} times`);
    this.#tracker.counts.answers += 1;
    const failure = this.#isAbandoned && message["error"] !== undefined ? undefined : this.#check(message);
    if (failure !== undefined)
      this.#tracker.fail(`${this.label}: ${failure} in ${JSON.stringify(message).slice(0, 300)}`);
    this.#settle();
  }

  /** The client no longer wants the response. */
  cancel(): void {
    if (!this.isOpen) return;
    this.#tracker.counts.cancels += 1;
    this.abandon();
  }

  /** The client is gone and receives nothing more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#settle();
  }

  /** Waits for the response; one that does not arrive in time counts as lost. */
  async settled(timeoutMs = TIMEOUT_MS): Promise<void> {
    if (this.isOpen) await withTimeout(this.#settled, timeoutMs);
    if (!this.isOpen) return;
    this.#tracker.fail(`${this.label}: no answer`);
    this.abandon();
  }
}
