import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { insertRows, type Sql, type SqlRow, type SqlStore } from "@toolwright/kit/storage";
import { buildSegment, type IndexedChunk } from "../search/segment-writer.js";
import type { IngestRun } from "./run.js";

/** The embedder of a version's vectors; "" and 0 if it has none. */
export interface VectorSpace {
  readonly embedder: string;
  readonly dimension: number;
}

/** With more segments, a version is indexed again as one: searching many segments is slower than rebuilding them. */
const MAX_SEGMENTS = 8;
const MAX_DEAD_SHARE = 0.3;
const PAGE = 2000;
const CHUNKS_AT_ONCE = 400;

/** The work needed to index a version. */
export interface IndexPlan {
  /** Segments of the parent that are reused. */
  readonly kept: readonly number[];
  /** Revisions that are in none of these segments. */
  readonly fresh: readonly number[];
  /** The number of their passages. */
  readonly passages: number;
}

/** Decides which segments of the parent are reused and what must be indexed. The members are already written. */
export async function planIndex(run: IngestRun, space: VectorSpace, chunks: number): Promise<IndexPlan> {
  const { collection, parent, version, store } = run;
  const rows =
    parent === undefined || !isSameVectorSpace(parent, space)
      ? []
      : await store.read((sql) =>
          sql.all(
            "SELECT s.id, s.rows FROM version_segments v JOIN segments s ON s.id = v.segment WHERE v.collection = ? AND v.version = ? ORDER BY s.id",
            collection.id,
            parent.number,
          ),
        );
  const [all, fresh] = [await pages(run, false), rows.length === 0 ? undefined : await pages(run, true)];
  if (fresh === undefined) return { kept: [], fresh: all.revisions, passages: all.chunks };
  const held = rows.reduce((sum, row) => sum + Number(row["rows"]), 0);
  const dead = held - (chunks - fresh.chunks);
  const count = rows.length + (fresh.chunks > 0 ? 1 : 0);
  if (count > MAX_SEGMENTS || dead > MAX_DEAD_SHARE * held)
    return { kept: [], fresh: all.revisions, passages: all.chunks };
  return { kept: rows.map((row) => Number(row["id"])), fresh: fresh.revisions, passages: fresh.chunks };

  /** Counts the members of the version, or only those that no segment of the parent has. */
  async function pages(of: IngestRun, isFresh: boolean): Promise<{ revisions: number[]; chunks: number }> {
    const found = { revisions: [] as number[], chunks: 0 };
    const outside = `AND NOT EXISTS (SELECT 1 FROM segment_revisions s JOIN version_segments v ON v.segment = s.segment
      WHERE s.revision = m.revision AND v.collection = m.collection AND v.version = ?)`;
    for (let after = 0; ; await yieldToEventLoop()) {
      const from = after;
      const page = await store.read((sql) =>
        sql.all(
          `SELECT m.revision, r.chunks FROM members m JOIN revisions r ON r.id = m.revision
           WHERE m.collection = ? AND m.version = ? AND m.revision > ? ${isFresh ? outside : ""} ORDER BY m.revision LIMIT ?`,
          of.collection.id,
          version,
          from,
          ...(isFresh ? [parent?.number ?? 0] : []),
          PAGE,
        ),
      );
      for (const row of page) {
        found.revisions.push(Number(row["revision"]));
        found.chunks += Number(row["chunks"]);
      }
      if (page.length < PAGE) return found;
      after = Number(page.at(-1)?.["revision"]);
    }
  }
}

/** Whether the vectors of two versions are comparable. */
export const isSameVectorSpace = (one: VectorSpace, other: VectorSpace): boolean =>
  one.embedder === other.embedder && one.dimension === other.dimension;

/** Builds the missing segments of a version's index, and records its segments. The version is not searchable yet. */
export async function indexVersion(
  run: IngestRun,
  space: VectorSpace,
  { kept, fresh }: IndexPlan,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const sizes: { readonly revision: number; rows: number }[] = [];
  const chunks = fresh.length === 0 ? undefined : chunksOf(run.store, space, fresh, sizes, onProgress);
  const of = { collection: run.collection.id, ...space };
  const built = chunks === undefined ? [] : await buildSegment(run.store, of, chunks, signal);
  await noteRevisions(run, built, sizes);
  await run.write(async (sql) => {
    await sql.run("DELETE FROM version_segments WHERE collection = ? AND version = ?", run.collection.id, run.version);
    for (const segment of [...kept, ...built])
      await sql.run(
        "INSERT INTO version_segments (collection, version, segment) VALUES (?, ?, ?)",
        run.collection.id,
        run.version,
        segment,
      );
  });
}

/** Yields the passages of revisions with their vectors. `sizes` receives the number of passages per revision. */
async function* chunksOf(
  store: SqlStore,
  { embedder }: VectorSpace,
  revisions: readonly number[],
  sizes: { readonly revision: number; rows: number }[],
  onProgress: (done: number) => void,
): AsyncGenerator<IndexedChunk, void> {
  const chunks = new ChunkPages(embedder, revisions);
  for (let done = 0; ; ) {
    const rows = await store.read((sql) => chunks.read(sql, CHUNKS_AT_ONCE));
    if (rows.length === 0) return;
    for (const row of rows) {
      const chunk = toIndexed(row);
      if (sizes.at(-1)?.revision !== chunk.revision) sizes.push({ revision: chunk.revision, rows: 0 });
      (sizes.at(-1) as { rows: number }).rows += 1;
      yield chunk;
    }
    done += rows.length;
    onProgress(done);
  }
}

/** Reads the passages of revisions in pages. */
class ChunkPages {
  readonly #embedder: string;
  readonly #revisions: readonly number[];
  #next = 0;
  #after = -1;

  constructor(embedder: string, revisions: readonly number[]) {
    this.#embedder = embedder;
    this.#revisions = revisions;
  }

  /** Returns the next passages; an empty array at the end. */
  async read(sql: Sql, limit: number): Promise<readonly SqlRow[]> {
    const found: SqlRow[] = [];
    while (found.length < limit && this.#next < this.#revisions.length) {
      const left = limit - found.length;
      const text = this.#embedder === "" ? CHUNKS : CHUNKS_WITH_VECTORS;
      const values = [...(this.#embedder === "" ? [] : [this.#embedder]), this.#revisions[this.#next] ?? 0];
      const rows = await sql.all(text, ...values, this.#after, left);
      found.push(...rows);
      this.#after = Number(rows.at(-1)?.["ordinal"] ?? this.#after);
      if (rows.length === left) continue;
      this.#next += 1;
      this.#after = -1;
    }
    return found;
  }
}

const COLUMNS = "c.number, c.revision, c.ordinal, c.type, c.headings, c.content, r.title";
const WHERE = "WHERE c.revision = ? AND c.ordinal > ? ORDER BY c.ordinal LIMIT ?";
const CHUNKS = `SELECT ${COLUMNS} FROM chunks c JOIN revisions r ON r.id = c.revision ${WHERE}`;
const CHUNKS_WITH_VECTORS = `SELECT ${COLUMNS}, e.scale, e.vector FROM chunks c JOIN revisions r ON r.id = c.revision
  LEFT JOIN embeddings e ON e.hash = c.hash AND e.embedder = ? ${WHERE}`;

function toIndexed(row: SqlRow): IndexedChunk {
  const { vector } = row;
  return {
    number: Number(row["number"]),
    revision: Number(row["revision"]),
    type: String(row["type"]),
    title: String(row["title"]),
    headings: JSON.parse(String(row["headings"])) as string[],
    content: String(row["content"]),
    vector:
      vector instanceof Uint8Array
        ? { bytes: new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength), scale: Number(row["scale"]) }
        : undefined,
  };
}

/** Records which revisions the new segments contain. They were filled in the order of `sizes`. */
async function noteRevisions(
  run: IngestRun,
  segments: readonly number[],
  sizes: readonly { readonly revision: number; readonly rows: number }[],
): Promise<void> {
  const pairs: (readonly [segment: number, revision: number, rows: number])[] = [];
  let next = 0;
  let left = sizes[0]?.rows ?? 0;
  for (const segment of segments) {
    const row = await run.store.read((sql) => sql.get("SELECT rows FROM segments WHERE id = ?", segment));
    for (let room = Number(row?.["rows"]); room > 0 && next < sizes.length; ) {
      const rows = Math.min(room, left);
      if (rows > 0) pairs.push([segment, sizes[next]?.revision ?? 0, rows]);
      room -= rows;
      left -= rows;
      if (left > 0) continue;
      next += 1;
      left = sizes[next]?.rows ?? 0;
    }
  }
  for (let at = 0; at < pairs.length; at += PAGE)
    await run.write((sql) =>
      insertRows(sql, "INSERT INTO segment_revisions (segment, revision, rows)", pairs.slice(at, at + PAGE)),
    );
}
