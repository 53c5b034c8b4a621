import { setImmediate } from "node:timers/promises";
import type { Sql, SqlRow, SqlStore, SqlValue } from "@toolwright/kit/storage";
import { EXACT_ROWS } from "../../vectors/vector-table.js";
import type { ByteCache } from "../segment.js";
import type { MaskedPart, NearRow } from "../vector-retriever.js";

/** Up to this number, rows are listed in the query. */
const MAX_NAMED = 2000;
/** The minimum share of allowed rows for using the index. Below it, an index scan would discard most rows. */
const MIN_SHARE = 0.2;
/** The maximum of `hnsw.ef_search` in pgvector. */
const MAX_SCAN = 1000;

/** A segment to query, with the way to query it. */
interface PartQuery extends MaskedPart {
  readonly wanted: number;
  readonly isIndexed: boolean;
}

/** Finds the rows of each segment that are nearest to a vector, in as few queries as possible. */
export async function findNearRows(
  sql: Sql,
  cache: ByteCache,
  parts: readonly MaskedPart[],
  vector: Float32Array,
  limit: number,
): Promise<NearRow[]> {
  const queries: PartQuery[] = [];
  for (const { part, mask } of parts) {
    const wanted = mask.reduce((sum, byte) => sum + byte, 0);
    const isLarge = part.view.rows > EXACT_ROWS && wanted >= MIN_SHARE * mask.length && limit <= MAX_SCAN;
    const isIndexed = wanted > MAX_NAMED && isLarge && (await isReady(sql, cache, part.columns.id));
    if (wanted > 0) queries.push({ part, mask, wanted, isIndexed });
  }
  if (queries.length === 0) return [];
  if (queries.reduce((sum, { wanted }) => sum + wanted, 0) <= MAX_NAMED) return findNamed(sql, queries, vector);
  const found = await findAll(sql, queries, vector, limit);
  const short = queries.filter(({ isIndexed }, at) => isIndexed && found[at] !== undefined && found[at].length < limit);
  if (short.length === 0) return found.flat();
  const whole = short.map((each) => ({ ...each, isIndexed: false }));
  const kept = found.filter((_, at) => !short.includes(queries[at] as PartQuery));
  return [...kept, ...(await findAll(sql, whole, vector, limit))].flat();
}

async function isReady(sql: Sql, cache: ByteCache, segment: number): Promise<boolean> {
  const key = `near index ${segment}`;
  if (cache.get(key) === true) return true;
  const has = await hasNearIndex(sql, segment);
  if (has) cache.set(key, true, 100);
  return has;
}

async function findNamed(sql: Sql, queries: readonly PartQuery[], vector: Float32Array): Promise<NearRow[]> {
  const [segments, positions]: [number[], number[]] = [[], []];
  for (const { part, mask } of queries)
    for (const [position, byte] of mask.entries())
      if (byte === 1) {
        segments.push(part.columns.id);
        positions.push(position);
      }
  const offsets = new Map(queries.map(({ part }) => [part.columns.id, part.offset]));
  const rows = await sql.all(
    `SELECT v.segment, v.place, v.vector <=> ?::halfvec AS distance
     FROM unnest(?::bigint[], ?::integer[]) AS w (segment, place)
     JOIN segment_vectors v ON v.segment = w.segment AND v.place = w.place`,
    literalOf(vector),
    `{${segments.join(",")}}`,
    `{${positions.join(",")}}`,
  );
  return rows.map((row) => toNear(row, offsets.get(Number(row["segment"])) ?? 0));
}

/** Returns the nearest rows of each segment, in the order of the segments. */
async function findAll(
  sql: Sql,
  queries: readonly PartQuery[],
  vector: Float32Array,
  limit: number,
): Promise<NearRow[][]> {
  const usesIndex = queries.some(({ isIndexed }) => isIndexed);
  // PostgreSQL would otherwise sort all rows instead of using the index.
  if (usesIndex)
    await sql.get(
      "SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', 'strict_order', true), set_config('enable_sort', 'off', true)",
      String(Math.max(40, limit)),
    );
  const values: SqlValue[] = [];
  const texts = queries.map(({ part, mask, isIndexed }, at) => {
    const question = literalOf(vector);
    if (isIndexed) {
      const near = `vector::halfvec(${part.dimension}) <=> ?::halfvec(${part.dimension})`;
      values.push(question, bitsOf(mask), question, limit);
      // The segment number is a literal, because only then the planner knows that the partial index applies.
      return `(SELECT ${at} AS at, place, ${near} AS distance FROM segment_vectors
        WHERE segment = ${part.columns.id} AND get_bit(?::bytea, place) = 1 ORDER BY ${near} LIMIT ?)`;
    }
    values.push(question, part.columns.id, bitsOf(mask), limit);
    return `(SELECT ${at} AS at, place, vector <=> ?::halfvec AS distance FROM segment_vectors
      WHERE segment = ? AND get_bit(?::bytea, place) = 1 ORDER BY distance, place LIMIT ?)`;
  });
  const rows = await sql.all(texts.join(" UNION ALL "), ...values);
  if (usesIndex) await sql.get("SELECT set_config('enable_sort', 'on', true)");
  const found = queries.map((): NearRow[] => []);
  for (const row of rows) {
    const at = Number(row["at"]);
    found[at]?.push(toNear(row, queries[at]?.part.offset ?? 0));
  }
  return found;
}

const toNear = (row: SqlRow, offset: number): NearRow => ({
  row: offset + Number(row["place"]),
  cosine: 1 - Number(row["distance"]),
});

/** Packs a mask into bits, lowest bit first. */
function bitsOf(mask: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(mask.length / 8));
  for (let row = 0; row < mask.length; row += 1)
    if (mask[row] === 1) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  return bits;
}

/** In smaller segments a sequential scan is faster than an index. */
const MIN_INDEXED_ROWS = 10_000;
/** The maximum number of dimensions that pgvector can index. */
const MAX_DIMENSION = 4000;

/** The name of the index over a segment's vectors. */
const indexName = (segment: number): string => `segment_vectors_near_${segment}`;

/** Whether the vectors of a segment have a valid index. */
export async function hasNearIndex(sql: Sql, segment: number): Promise<boolean> {
  const row = await sql.get(
    "SELECT indisvalid::integer AS valid FROM pg_index WHERE indexrelid = to_regclass(?)",
    indexName(segment),
  );
  return row?.["valid"] === 1;
}

/** Creates the missing indexes of a large collection. Each segment has its own index, because segments never change. */
export async function ensureNearIndexes(
  store: SqlStore,
  segment: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT s.id, s.rows, s.dimension FROM segments s JOIN segments o ON o.collection = s.collection
         AND o.embedder = s.embedder AND o.dimension = s.dimension WHERE o.id = ?`,
      segment,
    ),
  );
  if (rows.reduce((sum, row) => sum + Number(row["rows"]), 0) <= EXACT_ROWS) return;
  for (const row of rows) {
    const [id, size, dimension] = [Number(row["id"]), Number(row["rows"]), Number(row["dimension"])];
    if (size < MIN_INDEXED_ROWS || dimension > MAX_DIMENSION) continue;
    if (await store.read((sql) => hasNearIndex(sql, id))) continue;
    signal?.throwIfAborted();
    // An interrupted build leaves an invalid index.
    await store.build(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(id)}`);
    await store.build(
      `CREATE INDEX CONCURRENTLY ${indexName(id)} ON segment_vectors
       USING hnsw ((vector::halfvec(${dimension})) halfvec_cosine_ops) WHERE segment = ${id}`,
    );
  }
}

/** Drops the index of a deleted segment. */
export async function dropNearIndex(store: SqlStore, segment: number): Promise<void> {
  await store.build(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(segment)}`);
}

/** The number of vectors per statement and per transaction. */
const ROWS_PER_STATEMENT = 100;
const ROWS_PER_TRANSACTION = 2000;

/** Writes the vectors of a segment in short transactions. A scale of 0 means that the row has no vector. */
export async function writeVectors(
  store: SqlStore,
  segment: number,
  vectors: readonly Int8Array[],
  scales: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const positions = scales.flatMap((scale, position) => (scale === 0 ? [] : [position]));
  for (let start = 0; start < positions.length; start += ROWS_PER_TRANSACTION) {
    signal?.throwIfAborted();
    const some = positions.slice(start, start + ROWS_PER_TRANSACTION);
    await store.write(async (sql) => {
      for (let at = 0; at < some.length; at += ROWS_PER_STATEMENT) {
        const few = some.slice(at, at + ROWS_PER_STATEMENT);
        const rows = few.map(() => "(?, ?, ?)").join(", ");
        // Cosines do not depend on the scale, so the quantised integers are stored. Half-precision vectors hold them exactly.
        const values = few.flatMap((position): SqlValue[] => [
          segment,
          position,
          literalOf(vectors[position] as Int8Array),
        ]);
        await sql.run(`INSERT INTO segment_vectors (segment, place, vector) VALUES ${rows}`, ...values);
      }
    });
    await setImmediate();
  }
  await ensureNearIndexes(store, segment, signal);
}

/** Formats a vector as a pgvector literal. */
export const literalOf = (vector: Int8Array | Float32Array): string => `[${vector.join(",")}]`;
