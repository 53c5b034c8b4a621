import type { OnProgress } from "@toolwright/kit/progress";
import type { Delta } from "../collections/collection.js";
import type { FileCaller } from "../knowledge-context.js";

/** What an ingest, export or import needs to know about its caller. */
export interface IngestCall extends FileCaller {
  readonly onProgress?: OnProgress | undefined;
}

/** A document that is passed as text. */
interface TextDocument {
  /** The extension determines the kind of document. */
  readonly name: string;
  readonly text: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The options of an ingest. */
export interface IngestOptions {
  readonly collection: string;
  /** Files and folders. Of a folder, all files of known kinds are ingested. */
  readonly paths?: readonly string[] | undefined;
  readonly texts?: readonly TextDocument[] | undefined;
  /** Removes documents whose files no longer exist; the default is true. */
  readonly delete_missing?: boolean | undefined;
  /** Reads unchanged documents again. */
  readonly force?: boolean | undefined;
  /** Reports what would change, and writes nothing. */
  readonly dry_run?: boolean | undefined;
  /** Makes the new version active; the default is true. */
  readonly promote?: boolean | undefined;
  /** Creates vectors; the default is true. */
  readonly embed?: boolean | undefined;
  /** Metadata that is added to every document. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The size of passages from now on, in tokens. */
  readonly chunk_size?: number | undefined;
  readonly chunk_overlap?: number | undefined;
}

/** The outcome for one document. */
export interface Outcome {
  readonly source: string;
  readonly status: "success" | "failed" | "skipped";
  readonly reason?: string | undefined;
  readonly document?: string | undefined;
}

/** The stages of a run, in order. */
export type Stage = "discover" | "read" | "embed" | "index" | "evaluate" | "promote";

/** The result of an ingest. */
export interface IngestResult {
  /** The id of the run; null for a dry run. */
  readonly run: string | null;
  readonly collection: string;
  /** The version with these documents; the existing one if nothing changed. */
  readonly version: number | null;
  /** Whether it is active. */
  readonly promoted: boolean;
  readonly dry_run: boolean;
  readonly delta: Delta;
  readonly documents: number;
  readonly chunks: number;
  /** The embedder; empty if there are no vectors. */
  readonly embedder: string;
  /** Whether it differs from the version that was active before. */
  readonly is_new: boolean;
  /** Why the version was not promoted: it failed its gates, or it has no vectors although the active version has. */
  readonly held?: "gates" | "vectors";
  readonly succeeded: number;
  readonly skipped: number;
  readonly failed: number;
  /** The documents that were not ingested, up to a limit. */
  readonly outcomes: readonly Outcome[];
  readonly warnings: readonly string[];
}

/** The stages as people see them, with the unit of their progress. */
const STAGES: Readonly<Record<Stage, { readonly title: string; readonly unit: string; readonly share: number }>> = {
  discover: { title: "Finding documents", unit: "documents", share: 1 },
  read: { title: "Reading documents", unit: "documents", share: 48 },
  embed: { title: "Embedding passages", unit: "passages", share: 30 },
  index: { title: "Indexing passages", unit: "passages", share: 16 },
  evaluate: { title: "Checking the version", unit: "versions", share: 4 },
  promote: { title: "Promoting the version", unit: "versions", share: 1 },
};

/** The share of each stage in the time of an ingest or import. */
export const STAGE_SHARES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(STAGES).map(({ title, share }) => [title, share]),
);

/** The progress of a run: reported to the caller, and recorded in the database. */
export class IngestProgress {
  readonly #onProgress: OnProgress | undefined;
  stage: Stage = "discover";
  done = 0;
  total = 0;

  constructor(onProgress?: OnProgress) {
    this.#onProgress = onProgress;
  }

  /** Starts a stage, or reports its progress. */
  at(stage: Stage, done: number, total: number): void {
    this.stage = stage;
    this.done = done;
    this.total = total;
    const { title, unit } = STAGES[stage];
    this.#onProgress?.({ stage: title, done, unit, ...(total > 0 && { total }) });
  }
}
