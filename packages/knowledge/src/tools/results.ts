import type { Version } from "../collections/collection.js";
import type { Stats } from "../collections/stats.js";

/** A version in the results of tools. */
export const describeVersion = (version: Version) => ({
  version: version.number,
  parent: version.parent,
  status: version.status,
  documents: version.documents,
  chunks: version.chunks,
  bytes: version.bytes,
  embedder: version.embedder,
  dimension: version.dimension,
  chunk_size: version.chunkSize,
  chunk_overlap: version.chunkOverlap,
  checksum: version.checksum,
  delta: { ...version.delta },
  quality: version.quality === null ? null : { ...version.quality },
  created_at: version.createdAt,
  ready_at: version.readyAt,
  promoted_at: version.promotedAt,
});

/** A note about a version that was never promoted. */
export const waitingNote = (version: number): string =>
  `Version ${version} is ready but was never promoted. kb_switch_version promotes it.`;

/** The statistics of a collection in the results of tools. */
export const describeStats = (stats: Stats) => ({
  collection: stats.collection.name,
  version: stats.version?.number ?? null,
  active: stats.collection.active,
  pinned: stats.collection.pinned,
  versions: stats.versions,
  ...(stats.waiting !== null && { note: waitingNote(stats.waiting) }),
  documents: stats.version?.documents ?? 0,
  chunks: stats.version?.chunks ?? 0,
  bytes: stats.version?.bytes ?? 0,
  health_score: stats.health.score,
  health_reasons: [...stats.health.reasons],
  embedder: stats.version?.embedder ?? "",
  dimension: stats.version?.dimension ?? 0,
  last_updated: stats.collection.updatedAt,
  quality: stats.quality === null ? null : { ...stats.quality },
  ...(stats.kinds !== undefined && {
    kinds: { ...stats.kinds },
    licenses: { ...stats.licenses },
    languages: { ...stats.languages },
  }),
});
