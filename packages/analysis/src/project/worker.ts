import { parentPort } from "node:worker_threads";
import { decodeText, type FileContents, readFileSync, type TextForm } from "@toolwright/kit/files";
import { type Language, ParseTimeout, startParser } from "@toolwright/kit/syntax";
import type { Fact } from "../facts/facts.js";
import { readFacts } from "../facts/read-facts.js";

/** What a thread is asked: to read files, or to tell facts of a text. */
export type Job = { readonly id: number } & (FilesQuestion | FactsQuestion);

/** Files to read by their real paths. */
export interface FilesQuestion {
  readonly places: readonly string[];
  /** How large one of them may be. */
  readonly most: number;
}

/** Bytes to tell facts of. */
export interface FactsQuestion {
  readonly language: Language;
  readonly bytes: Uint8Array;
  readonly form: TextForm;
  readonly wanted: readonly Fact[];
}

/** What a thread answers. */
export interface Answer {
  readonly id: number;
  /** What the files held; undefined for those that are to be read with more care. */
  readonly files?: readonly (FileContents | undefined)[];
  /** Each fact as JSON: so it is kept, and so it costs the main thread least. */
  readonly facts?: Readonly<Partial<Record<Fact, string>>>;
  /** Why there are none. */
  readonly fault?: string;
  /** The thread can no longer be trusted: what failed may have left the parser in any state. */
  readonly isSpent?: true;
}

// It is needed whatever is asked; should it fail, whoever needs it is told.
startParser().catch(() => undefined);

let turn: Promise<void> = Promise.resolve();

// One after the other, so that the main thread knows which one a thread that dies was at.
parentPort?.on("message", (job: Job) => {
  turn = turn.then(() => work(job));
});

async function work(job: Job): Promise<void> {
  const { id } = job;
  if ("places" in job) {
    const files = readFiles(job);
    const given = files.flatMap((file) => (file === undefined ? [] : [file.bytes.buffer]));
    parentPort?.postMessage({ id, files } satisfies Answer, given);
  } else parentPort?.postMessage({ id, ...(await answer(job)) } satisfies Answer, []);
}

/** How much is read for one question: the main thread has to hold it. */
const MOST_BYTES = 4 * 1024 * 1024;

function readFiles({ places, most }: FilesQuestion): Answer["files"] & object {
  let left = MOST_BYTES;
  return places.map((place) => {
    const file = readFileSync(place, Math.min(most, left));
    left -= file?.bytes.length ?? 0;
    return file;
  });
}

async function answer({ language, bytes, form, wanted }: FactsQuestion): Promise<Omit<Answer, "id">> {
  try {
    const text = decodeText(bytes.subarray(form.bomBytes), form.encoding);
    const facts = Object.entries(await readFacts(language, text, wanted));
    return { facts: Object.fromEntries(facts.map(([fact, value]) => [fact, JSON.stringify(value)])) };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return error instanceof ParseTimeout ? { fault } : { fault: `it could not be read: ${fault}`, isSpent: true };
  }
}
