import type { SqlRow, SqlValue } from "@toolwright/kit/storage";
import type { Collection, Version, VersionStatus } from "../collections/collection.js";

/** A nullable column as text. */
export const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** A nullable column as a number. PostgreSQL returns large integers as text. */
export const numberOf = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

/** A column with a JSON object. Empty if the column is null. */
export const objectOf = (value: SqlValue | undefined): Record<string, unknown> =>
  typeof value === "string" ? (JSON.parse(value) as Record<string, unknown>) : {};

/** Converts a row to a collection. */
export const toCollection = (row: SqlRow): Collection => ({
  id: Number(row["id"]),
  name: String(row["name"]),
  description: String(row["description"]),
  embedder: textOf(row["embedder"]),
  dimension: numberOf(row["dimension"]),
  chunkSize: Number(row["chunk_size"]),
  chunkOverlap: Number(row["chunk_overlap"]),
  active: numberOf(row["active"]),
  pinned: numberOf(row["pinned"]),
  folder: textOf(row["folder"]),
  metadata: objectOf(row["metadata"]),
  createdAt: String(row["created_at"]),
  updatedAt: String(row["updated_at"]),
});

/** Converts a row to a version. */
export const toVersion = (row: SqlRow): Version => ({
  number: Number(row["number"]),
  parent: numberOf(row["parent"]),
  status: String(row["status"]) as VersionStatus,
  embedder: String(row["embedder"]),
  dimension: Number(row["dimension"]),
  chunkSize: Number(row["chunk_size"]),
  chunkOverlap: Number(row["chunk_overlap"]),
  documents: Number(row["documents"]),
  chunks: Number(row["chunks"]),
  bytes: Number(row["bytes"]),
  checksum: textOf(row["checksum"]),
  delta: objectOf(row["delta"]),
  quality: typeof row["quality"] === "string" ? objectOf(row["quality"]) : null,
  createdAt: String(row["created_at"]),
  readyAt: textOf(row["ready_at"]),
  promotedAt: textOf(row["promoted_at"]),
});
