import { parentPort } from "node:worker_threads";
import { decodeText, type FileContents, readFileSync, type TextForm } from "@toolwright/kit/files";
import { type Language, ParseTimeout, startParser } from "@toolwright/kit/syntax";
import type { Fact } from "../facts/facts.js";
import { readFacts } from "../facts/read-facts.js";
import type { Step } from "../hotspots/hotspots.js";
import { findSteps, type MeasuredRange } from "../hotspots/steps.js";

/** A job for a thread. */
export type Job = { readonly id: number } & JobInput;

/** What a thread can do: read files, read facts from a content, or find refactoring steps for a function. */
export type JobInput = FilesJob | FactsJob | StepsJob;

/** Reads files by their real paths. */
export interface FilesJob {
  readonly realPaths: readonly string[];
  readonly maxBytes: number;
}

interface ContentJob {
  readonly language: Language;
  readonly bytes: Uint8Array;
  readonly form: TextForm;
}

/** Reads facts from a content. */
export interface FactsJob extends ContentJob {
  readonly wanted: readonly Fact[];
}

/** Finds refactoring steps for a function of a content. */
export interface StepsJob extends ContentJob {
  readonly range: MeasuredRange;
}

/** The answer of a thread. */
export interface Answer {
  readonly id: number;
  /** The contents of files; undefined for those that need the checks of the main thread. */
  readonly files?: readonly (FileContents | undefined)[];
  /** Each fact as JSON: the cache keeps it in this form, and passing a string costs the main thread least. */
  readonly facts?: Readonly<Partial<Record<Fact, string>>>;
  readonly steps?: readonly Step[];
  /** Why there is no result. */
  readonly failure?: string;
  /** The failure may have left the parser in any state: the thread must not be used again. */
  readonly isUnusable?: true;
}

// Every content job needs the parser. If it cannot start, the job that needs it fails.
startParser().catch(() => undefined);

let queue: Promise<void> = Promise.resolve();

// One job at a time: if the thread dies, the main thread knows which job it was working on.
parentPort?.on("message", (job: Job) => {
  queue = queue.then(() => run(job));
});

async function run(job: Job): Promise<void> {
  const { id } = job;
  if ("realPaths" in job) {
    const files = readFiles(job);
    const transferred = files.flatMap((file) => (file === undefined ? [] : [file.bytes.buffer]));
    parentPort?.postMessage({ id, files } satisfies Answer, transferred);
  } else parentPort?.postMessage({ id, ...(await analyze(job)) } satisfies Answer, []);
}

/** How much one job reads: the main thread has to hold it. */
const MAX_BYTES = 4 * 1024 * 1024;

function readFiles({ realPaths, maxBytes }: FilesJob): Answer["files"] & object {
  let left = MAX_BYTES;
  return realPaths.map((realPath) => {
    const file = readFileSync(realPath, Math.min(maxBytes, left));
    left -= file?.bytes.length ?? 0;
    return file;
  });
}

async function analyze(job: FactsJob | StepsJob): Promise<Omit<Answer, "id">> {
  const { language, bytes, form } = job;
  try {
    const text = decodeText(bytes.subarray(form.bomBytes), form.encoding);
    if ("range" in job) return { steps: await findSteps(language, text, job.range) };
    const facts = Object.entries(await readFacts(language, text, job.wanted));
    return { facts: Object.fromEntries(facts.map(([fact, value]) => [fact, JSON.stringify(value)])) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return error instanceof ParseTimeout
      ? { failure }
      : { failure: `it could not be read: ${failure}`, isUnusable: true };
  }
}
