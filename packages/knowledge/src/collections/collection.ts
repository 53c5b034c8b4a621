import { ToolError } from "@toolwright/engine";

/** Documents that are searched together. */
export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** What made the vectors of the version that was built last; null = nothing yet. */
  readonly embedder: string | null;
  readonly dimension: number | null;
  /** How passages are cut in new versions, in tokens. */
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  /** The version that is active. */
  readonly active: number | null;
  /** The version that is active in its place. */
  readonly pinned: number | null;
  /** What the paths of its documents are relative to; null = nobody knows, or it has none. */
  readonly folder: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** "building" cannot be asked yet, "archived" not any more; with one that "failed", the next ingest goes on. */
export type VersionStatus = "building" | "ready" | "failed" | "archived";

/** The documents of a collection at one time. It never changes once it is ready. */
export interface Version {
  readonly number: number;
  readonly parent: number | null;
  readonly status: VersionStatus;
  /** What made its vectors; "" = it has none, and is searched by words alone. */
  readonly embedder: string;
  readonly dimension: number;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly documents: number;
  readonly chunks: number;
  /** Of the files as they were read. */
  readonly bytes: number;
  /** Of all documents and what is in them. */
  readonly checksum: string | null;
  readonly delta: Partial<Delta>;
  /** What its evaluation has measured. */
  readonly quality: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
  readonly readyAt: string | null;
  readonly promotedAt: string | null;
}

/** In how many documents a version differs from its parent. */
export interface Delta {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Those that could not be read this time, and are as they were; absent = none. */
  readonly kept?: number;
}

/** How passages are cut, in tokens. */
export interface Cut {
  readonly size: number;
  readonly overlap: number;
}

/** Throws if passages would have nearly nothing of their own. */
export function checkCut(cut: Cut): Cut {
  const overlap = Math.floor(cut.overlap);
  if (overlap * 2 > cut.size)
    throw new ToolError(
      `Cannot cut passages of ${cut.size} tokens that share ${overlap} with the next: at most half may be shared.`,
      { code: "INVALID_ARGUMENT", details: { chunk_size: cut.size, chunk_overlap: overlap } },
    );
  return { size: cut.size, overlap };
}
