import { parentPort } from "node:worker_threads";
import { decodeText, type TextForm } from "../../../files/text.js";
import type { Language } from "../../../syntax/languages.js";
import { ParseTimeout } from "../../../syntax/parse.js";
import type { Fact } from "../facts/facts.js";
import { readFacts } from "../facts/read-facts.js";

/** What a thread is asked: to tell facts of a text. */
export interface Job {
  readonly id: number;
  readonly language: Language;
  readonly bytes: Uint8Array;
  readonly form: TextForm;
  readonly wanted: readonly Fact[];
}

/** What a thread answers. */
export interface Answer {
  readonly id: number;
  /** Each fact as JSON: so it is kept, and so it costs the main thread least. */
  readonly facts?: Readonly<Partial<Record<Fact, string>>>;
  /** Why there are none. */
  readonly fault?: string;
  /** The thread can no longer be trusted: what failed may have left the parser in any state. */
  readonly isSpent?: true;
}

let turn: Promise<void> = Promise.resolve();

// One after the other, so that the main thread knows which one a thread that dies was at.
parentPort?.on("message", (job: Job) => {
  turn = turn.then(() => work(job));
});

async function work(job: Job): Promise<void> {
  parentPort?.postMessage(await answer(job), []);
}

async function answer({ id, language, bytes, form, wanted }: Job): Promise<Answer> {
  try {
    const text = decodeText(bytes.subarray(form.bomBytes), form.encoding);
    const facts = Object.entries(await readFacts(language, text, wanted));
    return { id, facts: Object.fromEntries(facts.map(([fact, value]) => [fact, JSON.stringify(value)])) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return error instanceof ParseTimeout
      ? { id, fault }
      : { id, fault: `it could not be read: ${fault}`, isSpent: true };
  }
}
