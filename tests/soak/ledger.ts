import { inTime, PATIENCE_MS } from "./patience.js";

/** A JSON object as it came over the wire. */
export type Message = Record<string, unknown>;

/** Says what is wrong with an answer; undefined = nothing. */
export type Check = (answer: Message) => string | undefined;

/** What has happened so far, in numbers. */
export interface Counts {
  requests: number;
  answers: number;
  cancels: number;
  disconnects: number;
  resumed: number;
  questions: number;
  faults: number;
}

const MOST_KEPT = 20;

/** Keeps account of all requests: each is answered once, and rightly, unless its own client has given it up. */
export class Ledger {
  readonly counts: Counts = {
    requests: 0,
    answers: 0,
    cancels: 0,
    disconnects: 0,
    resumed: 0,
    questions: 0,
    faults: 0,
  };
  /** What went wrong, in words; the first of it. */
  readonly wrongs: string[] = [];
  wrongCount = 0;

  /** A request is on its way. */
  open(label: string, check: Check): Entry {
    this.counts.requests += 1;
    return new Entry(this, label, check);
  }

  wrong(words: string): void {
    this.wrongCount += 1;
    if (this.wrongs.length < MOST_KEPT) this.wrongs.push(words);
  }
}

/** One request, until its end. */
export class Entry {
  readonly label: string;
  readonly #ledger: Ledger;
  readonly #check: Check;
  readonly #settled: Promise<void>;
  #settle: () => void = () => undefined;
  #isGivenUp = false;
  #answers = 0;

  constructor(ledger: Ledger, label: string, check: Check) {
    this.#ledger = ledger;
    this.label = label;
    this.#check = check;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#answers === 0 && !this.#isGivenUp;
  }

  get isAnswered(): boolean {
    return this.#answers > 0;
  }

  /** An answer has come. One that was given up may still get one, and no more. */
  answer(message: Message): void {
    this.#answers += 1;
    if (this.#answers > 1) return this.#ledger.wrong(`${this.label}: answered ${this.#answers} times`);
    this.#ledger.counts.answers += 1;
    const fault = this.#isGivenUp && message["error"] !== undefined ? undefined : this.#check(message);
    if (fault !== undefined) this.#ledger.wrong(`${this.label}: ${fault} in ${JSON.stringify(message).slice(0, 300)}`);
    this.#settle();
  }

  /** Its client does not want the answer any more. */
  cancel(): void {
    if (!this.isOpen) return;
    this.#ledger.counts.cancels += 1;
    this.cutOff();
  }

  /** Its client is gone, and hears nothing any more. */
  cutOff(): void {
    this.#isGivenUp = true;
    this.#settle();
  }

  /** Waits for the answer; one that does not come in time is lost. */
  async over(patienceMs = PATIENCE_MS): Promise<void> {
    if (this.isOpen) await inTime(this.#settled, patienceMs);
    if (!this.isOpen) return;
    this.#ledger.wrong(`${this.label}: no answer`);
    this.cutOff();
  }
}
