import { ToolError } from "@toolwright/engine";

/** A set of documents that are searched together. */
export interface Collection {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The embedder of the version that was built last; null if there is none. */
  readonly embedder: string | null;
  readonly dimension: number | null;
  /** The chunk size of new versions, in tokens. */
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly active: number | null;
  /** Overrides the active version. */
  readonly pinned: number | null;
  /** The folder that the document paths are relative to; null if unknown or if no path is relative. */
  readonly folder: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A version that is "building" cannot be searched yet, and an "archived" one no longer. An ingest resumes a "failed" one. */
export type VersionStatus = "building" | "ready" | "failed" | "archived";

/** A snapshot of a collection's documents. It is immutable once it is ready. */
export interface Version {
  readonly number: number;
  readonly parent: number | null;
  readonly status: VersionStatus;
  /** The embedder of its vectors; empty if it has none and is searched by words only. */
  readonly embedder: string;
  readonly dimension: number;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly documents: number;
  readonly chunks: number;
  /** The total size of the source files. */
  readonly bytes: number;
  /** A hash of all documents and their content. */
  readonly checksum: string | null;
  readonly delta: Partial<Delta>;
  /** The results of its evaluation. */
  readonly quality: Readonly<Record<string, unknown>> | null;
  readonly createdAt: string;
  readonly readyAt: string | null;
  readonly promotedAt: string | null;
}

/** The number of documents by which a version differs from its parent. */
export interface Delta {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Documents that could not be read and were kept unchanged. */
  readonly kept?: number;
}

/** How documents are split into passages, in tokens. */
export interface Cut {
  readonly size: number;
  readonly overlap: number;
}

/** Throws if passages consist mostly of overlap. */
export function checkCut(cut: Cut): Cut {
  const overlap = Math.floor(cut.overlap);
  if (overlap * 2 > cut.size)
    throw new ToolError(
      `Cannot use an overlap of ${overlap} tokens with passages of ${cut.size} tokens: the overlap may be at most half.`,
      { code: "INVALID_ARGUMENT", details: { chunk_size: cut.size, chunk_overlap: overlap } },
    );
  return { size: cut.size, overlap };
}
