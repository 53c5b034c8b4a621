import type { Call } from "@toolwright/engine";
import type { Delta } from "../collections/collection.js";
import type { Caller } from "../knowledge-context.js";

/** What an ingest needs of the call that asks for it. */
export type IngestCall = Caller & Pick<Call, "progress">;

/** A document that is given as it is. */
interface TextDocument {
  /** Its end tells what kind of document it is. */
  readonly name: string;
  readonly text: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** What is to come into a collection. */
export interface IngestOptions {
  readonly collection: string;
  /** Files, and folders of which every file of a known kind is taken. */
  readonly paths?: readonly string[] | undefined;
  readonly texts?: readonly TextDocument[] | undefined;
  /** Whether documents whose file is gone leave the new version; yes by default. */
  readonly delete_missing?: boolean | undefined;
  /** Reads every document again, though nothing has changed. */
  readonly force?: boolean | undefined;
  /** Says what would happen, and writes nothing. */
  readonly dry_run?: boolean | undefined;
  /** Whether the new version answers at once; yes by default. */
  readonly promote?: boolean | undefined;
  /** Whether vectors are made; yes by default. */
  readonly embed?: boolean | undefined;
  /** What every document gets, beside what it says of itself. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** How passages are cut from now on. */
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
}

/** What became of one document. */
export interface Outcome {
  readonly source: string;
  readonly status: "success" | "failed" | "skipped";
  readonly reason?: string | undefined;
  readonly document?: string | undefined;
}

/** What a run is at: one after the other. */
export type Stage = "discover" | "read" | "embed" | "index" | "evaluate" | "promote";

/** What an ingest came to. */
export interface IngestResult {
  /** Of the run, to find its outcomes by; null after a dry run. */
  readonly run: string | null;
  readonly collection: string;
  /** The version with these documents; where nothing has changed, the one that was there. */
  readonly version: number | null;
  /** Whether it answers. */
  readonly promoted: boolean;
  readonly dry_run: boolean;
  readonly delta: Delta;
  readonly documents: number;
  readonly chunks: number;
  /** "" = it has no vectors. */
  readonly embedder: string;
  /** Whether it is another version than the one that answered before. */
  readonly is_new: boolean;
  /** Why it does not answer, though that was wished: it has not passed its gates, or has no vectors where the one before has. */
  readonly held?: "gates" | "vectors";
  readonly succeeded: number;
  readonly skipped: number;
  readonly failed: number;
  /** What was not plainly taken or unchanged, as far as it fits; the run has all. */
  readonly outcomes: readonly Outcome[];
  readonly warnings: readonly string[];
}

/** What part of the whole each stage is, in thousandths: from where to where, with a step between, so that each is told of. */
const PARTS: Readonly<Record<Stage, readonly [from: number, to: number]>> = {
  discover: [0, 10],
  read: [20, 490],
  embed: [500, 790],
  index: [800, 950],
  evaluate: [960, 980],
  promote: [990, 1000],
};
const WHOLE = 1000;

/** More often than that nobody can follow. */
const INTERVAL_MS = 100;

/** Tells whoever has called how far a run is, in numbers that only grow. */
export class Progress {
  readonly #call: Pick<IngestCall, "progress">;
  #last = -1;
  #lastAt = Number.NEGATIVE_INFINITY;
  stage: Stage = "discover";
  done = 0;
  total = 0;

  constructor(call: Pick<IngestCall, "progress">) {
    this.#call = call;
  }

  /** Begins a stage, or says how far it is. */
  at(stage: Stage, done: number, total: number, words: string): void {
    const isNew = stage !== this.stage;
    this.stage = stage;
    this.done = done;
    this.total = total;
    const now = performance.now();
    if (!isNew && done < total && now - this.#lastAt < INTERVAL_MS) return;
    const [from, to] = PARTS[stage];
    const value = total === 0 ? from : Math.round(from + ((to - from) * Math.min(done, total)) / total);
    if (value <= this.#last) return;
    this.#last = value;
    this.#lastAt = now;
    this.#call.progress(value, `${stage}: ${words}`, WHOLE);
  }
}
