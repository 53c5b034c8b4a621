import type { Sql } from "@toolwright/kit/storage";
import { type ByteCache, loadVectors } from "./segment.js";
import type { IndexRows, Part } from "./views.js";

/** A row and its cosine similarity to the query. */
export interface NearRow {
  readonly row: number;
  readonly cosine: number;
}

/** A segment whose vectors are searched: the rows with a 1 in the mask, which has one byte per row. */
export interface MaskedPart {
  readonly part: Part;
  readonly mask: Uint8Array;
}

/** The vector of a query. */
export interface QueryVector {
  readonly vector: Float32Array;
  /** The name of the embedder that made it. */
  readonly embedder: string;
  /** Embeds passages to compare them with the query. Undefined: the embedder is too slow for that. */
  readonly embed?: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
}

/** Whether the vectors of a segment were made by the embedder of the query. */
const isComparable = (part: Part, query: QueryVector): boolean =>
  part.dimension === query.vector.length && part.embedder === query.embedder;

/** Returns the allowed rows that are nearest to the query, best first. */
export function nearestRows(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  query: QueryVector,
  limit: number,
): Promise<NearRow[]> {
  return searchParts(sql, cache, index, query, limit, ({ allowed }) => allowed);
}

/** Returns the cosines of the given rows. Rows without a vector are not in the map. */
export async function cosinesOf(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  query: QueryVector,
  rows: readonly number[],
): Promise<Map<number, number>> {
  const wanted = new Uint8Array(index.size);
  for (const row of rows) wanted[row] = 1;
  const found = await searchParts(sql, cache, index, query, rows.length, ({ offset, columns }) =>
    wanted.subarray(offset, offset + columns.rows),
  );
  return new Map(found.map(({ row, cosine }) => [row, cosine]));
}

async function searchParts(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  query: QueryVector,
  limit: number,
  maskOf: (part: Part) => Uint8Array,
): Promise<NearRow[]> {
  const parts = index.parts.filter((part) => isComparable(part, query)).map((part) => ({ part, mask: maskOf(part) }));
  const findNearRows: FindNearRows =
    sql.dialect === "postgres" ? (await import("./postgres/vectors.js")).findNearRows : findInMemory;
  const found = await findNearRows(sql, cache, parts, query.vector, limit);
  return found.sort((one, other) => other.cosine - one.cosine || one.row - other.row).slice(0, limit);
}

/** Finds the rows that are nearest to a vector: at least the best `limit` of all segments. */
type FindNearRows = (
  sql: Sql,
  cache: ByteCache,
  parts: readonly MaskedPart[],
  vector: Float32Array,
  limit: number,
) => Promise<NearRow[]>;

/** For databases that cannot compare vectors. */
const findInMemory: FindNearRows = async (sql, cache, parts, vector, limit) => {
  const found: NearRow[] = [];
  for (const { part, mask: wanted } of parts) {
    const { table, has, isComplete } = await loadVectors(sql, cache, part.columns.id, part.dimension);
    const isWhole = wanted === part.alive && part.aliveRows === part.columns.rows;
    const mask = !isComplete ? wanted.map((byte, row) => byte & (has[row] as number)) : isWhole ? undefined : wanted;
    for (const { row, score } of table.search(vector, limit, mask))
      found.push({ row: part.offset + row, cosine: score });
  }
  return found;
};
