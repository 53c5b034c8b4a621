import type { Sql, SqlStore } from "@toolwright/kit/storage";
import { EXACT_ROWS } from "../../vectors/vector-table.js";

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
