import { setImmediate } from "node:timers/promises";
import type { Sql, SqlRow, SqlStore, SqlValue } from "@toolwright/kit/storage";
import { EXACT_ROWS } from "../../vectors/vector-table.js";
import type { ByteCache } from "../segment.js";
import type { AskedPart, NearRow } from "../vector-retriever.js";

/** Up to so many rows are named one by one. */
const MOST_NAMED = 2000;
/** An index is asked where at least this share of its rows may answer; else it would go through most of them in vain. */
const LEAST_SHARE = 0.2;
/** What pgvector keeps in view at most while it goes through an index. */
const WIDEST_VIEW = 1000;

/** A segment to be asked, and how. */
interface Asked extends AskedPart {
  readonly wanted: number;
  readonly isIndexed: boolean;
}

/** The rows of segments that are nearest to a vector, some of each; in one journey to the server, or a few. */
export async function nearRows(
  sql: Sql,
  cache: ByteCache,
  parts: readonly AskedPart[],
  vector: Float32Array,
  limit: number,
): Promise<NearRow[]> {
  const asked: Asked[] = [];
  for (const { part, mask } of parts) {
    const wanted = mask.reduce((sum, byte) => sum + byte, 0);
    const isLarge = part.view.rows > EXACT_ROWS && wanted >= LEAST_SHARE * mask.length && limit <= WIDEST_VIEW;
    const isIndexed = wanted > MOST_NAMED && isLarge && (await isReady(sql, cache, part.columns.id));
    if (wanted > 0) asked.push({ part, mask, wanted, isIndexed });
  }
  if (asked.length === 0) return [];
  if (asked.reduce((sum, { wanted }) => sum + wanted, 0) <= MOST_NAMED) return askNamed(sql, asked, vector);
  const found = await askAll(sql, asked, vector, limit);
  const short = asked.filter(({ isIndexed }, at) => isIndexed && found[at] !== undefined && found[at].length < limit);
  if (short.length === 0) return found.flat();
  const whole = short.map((each) => ({ ...each, isIndexed: false }));
  const kept = found.filter((_, at) => !short.includes(asked[at] as Asked));
  return [...kept, ...(await askAll(sql, whole, vector, limit))].flat();
}

async function isReady(sql: Sql, cache: ByteCache, segment: number): Promise<boolean> {
  const key = `near index ${segment}`;
  if (cache.get(key) === true) return true;
  const has = await hasNearIndex(sql, segment);
  if (has) cache.set(key, true, 100);
  return has;
}

async function askNamed(sql: Sql, asked: readonly Asked[], vector: Float32Array): Promise<NearRow[]> {
  const [segments, places]: [number[], number[]] = [[], []];
  for (const { part, mask } of asked)
    for (const [place, byte] of mask.entries())
      if (byte === 1) {
        segments.push(part.columns.id);
        places.push(place);
      }
  const offsets = new Map(asked.map(({ part }) => [part.columns.id, part.offset]));
  const rows = await sql.all(
    `SELECT v.segment, v.place, v.vector <=> ?::halfvec AS distance
     FROM unnest(?::bigint[], ?::integer[]) AS w (segment, place)
     JOIN segment_vectors v ON v.segment = w.segment AND v.place = w.place`,
    literalOf(vector),
    `{${segments.join(",")}}`,
    `{${places.join(",")}}`,
  );
  return rows.map((row) => toNear(row, offsets.get(Number(row["segment"])) ?? 0));
}

/** What each segment has, in the order of the segments. */
async function askAll(sql: Sql, asked: readonly Asked[], vector: Float32Array, limit: number): Promise<NearRow[][]> {
  const usesIndex = asked.some(({ isIndexed }) => isIndexed);
  // Nothing but this keeps PostgreSQL from sorting all rows instead.
  if (usesIndex)
    await sql.get(
      "SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', 'strict_order', true), set_config('enable_sort', 'off', true)",
      String(Math.max(40, limit)),
    );
  const values: SqlValue[] = [];
  const texts = asked.map(({ part, mask, isIndexed }, at) => {
    const question = literalOf(vector);
    if (isIndexed) {
      const near = `vector::halfvec(${part.dimension}) <=> ?::halfvec(${part.dimension})`;
      values.push(question, bitsOf(mask), question, limit);
      // The segment's number stands in the statement, since only so it is known that the index holds all that is asked for.
      return `(SELECT ${at} AS at, place, ${near} AS distance FROM segment_vectors
        WHERE segment = ${part.columns.id} AND get_bit(?::bytea, place) = 1 ORDER BY ${near} LIMIT ?)`;
    }
    values.push(question, part.columns.id, bitsOf(mask), limit);
    return `(SELECT ${at} AS at, place, vector <=> ?::halfvec AS distance FROM segment_vectors
      WHERE segment = ? AND get_bit(?::bytea, place) = 1 ORDER BY distance, place LIMIT ?)`;
  });
  const rows = await sql.all(texts.join(" UNION ALL "), ...values);
  if (usesIndex) await sql.get("SELECT set_config('enable_sort', 'on', true)");
  const found = asked.map((): NearRow[] => []);
  for (const row of rows) {
    const at = Number(row["at"]);
    found[at]?.push(toNear(row, asked[at]?.part.offset ?? 0));
  }
  return found;
}

const toNear = (row: SqlRow, offset: number): NearRow => ({
  row: offset + Number(row["place"]),
  cosine: 1 - Number(row["distance"]),
});

/** A bit a row, the lowest of each byte first. */
function bitsOf(mask: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(mask.length / 8));
  for (let row = 0; row < mask.length; row += 1)
    if (mask[row] === 1) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  return bits;
}

/** Smaller segments are looked through faster than an index is. */
const FEWEST_ROWS = 10_000;
/** More components cannot be indexed. */
const MOST_COMPONENTS = 4000;

/** The name of the index over a segment's vectors. */
const indexName = (segment: number): string => `segment_vectors_near_${segment}`;

/** Whether a segment's vectors have an index that can be asked. */
export async function hasNearIndex(sql: Sql, segment: number): Promise<boolean> {
  const row = await sql.get(
    "SELECT indisvalid::integer AS valid FROM pg_index WHERE indexrelid = to_regclass(?)",
    indexName(segment),
  );
  return row?.["valid"] === 1;
}

/** Makes the indexes that a collection needs when it has grown beyond what is looked through; a segment has its own, since it never changes. */
export async function ensureNearIndexes(
  ledger: SqlStore,
  segment: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const rows = await ledger.read((sql) =>
    sql.all(
      `SELECT s.id, s.rows, s.dimension FROM segments s JOIN segments o ON o.collection = s.collection
         AND o.embedder = s.embedder AND o.dimension = s.dimension WHERE o.id = ?`,
      segment,
    ),
  );
  if (rows.reduce((sum, row) => sum + Number(row["rows"]), 0) <= EXACT_ROWS) return;
  for (const row of rows) {
    const [id, size, dimension] = [Number(row["id"]), Number(row["rows"]), Number(row["dimension"])];
    if (size < FEWEST_ROWS || dimension > MOST_COMPONENTS) continue;
    if (await ledger.read((sql) => hasNearIndex(sql, id))) continue;
    signal?.throwIfAborted();
    // One that was cut short is there, and of no use.
    await ledger.build(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(id)}`);
    await ledger.build(
      `CREATE INDEX CONCURRENTLY ${indexName(id)} ON segment_vectors
       USING hnsw ((vector::halfvec(${dimension})) halfvec_cosine_ops) WHERE segment = ${id}`,
    );
  }
}

/** Takes the index of a segment away that has gone. */
export async function dropNearIndex(ledger: SqlStore, segment: number): Promise<void> {
  await ledger.build(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(segment)}`);
}

/** Vectors that one statement and one transaction write. */
const A_STATEMENT = 100;
const A_TRANSACTION = 2000;

/** Writes the vectors of a segment in short transactions; a scale of 0 means that there is none. */
export async function writeVectors(
  ledger: SqlStore,
  segment: number,
  vectors: readonly Int8Array[],
  scales: readonly number[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const places = scales.flatMap((scale, place) => (scale === 0 ? [] : [place]));
  for (let start = 0; start < places.length; start += A_TRANSACTION) {
    signal?.throwIfAborted();
    const some = places.slice(start, start + A_TRANSACTION);
    await ledger.write(async (sql) => {
      for (let at = 0; at < some.length; at += A_STATEMENT) {
        const few = some.slice(at, at + A_STATEMENT);
        const rows = few.map(() => "(?, ?, ?)").join(", ");
        // Cosines are of angles alone, so that the whole numbers do without their scale: half vectors hold them exactly.
        const values = few.flatMap((place): SqlValue[] => [segment, place, literalOf(vectors[place] as Int8Array)]);
        await sql.run(`INSERT INTO segment_vectors (segment, place, vector) VALUES ${rows}`, ...values);
      }
    });
    await setImmediate();
  }
  await ensureNearIndexes(ledger, segment, signal);
}

/** A vector as pgvector reads it. */
export const literalOf = (vector: Int8Array | Float32Array): string => `[${vector.join(",")}]`;
