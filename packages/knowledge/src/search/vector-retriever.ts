import type { Sql } from "@toolwright/kit/storage";
import { type ByteCache, loadVectors } from "./segment.js";
import type { IndexRows, Part } from "./views.js";

/** What is asked of the vectors: made by the embedder of this name. */
export interface VectorQuestion {
  readonly vector: Float32Array;
  readonly embedder: string;
  /** Makes vectors of texts to compare with; absent where that takes too long to be done while somebody waits. */
  readonly embed?: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
}

/** Whether the vectors of a part can be asked: they were made by the same embedder. */
const isAskable = (part: Part, question: VectorQuestion): boolean =>
  part.dimension === question.vector.length && part.embedder === question.embedder;

/** The allowed rows that are nearest in meaning, best first. */
export function nearestRows(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  question: VectorQuestion,
  limit: number,
): Promise<NearRow[]> {
  return ask(sql, cache, index, question, limit, ({ allowed }) => allowed);
}

/** The cosines of certain rows; those without a vector are not in the map. */
export async function cosinesOf(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  question: VectorQuestion,
  rows: readonly number[],
): Promise<Map<number, number>> {
  const wanted = new Uint8Array(index.size);
  for (const row of rows) wanted[row] = 1;
  const found = await ask(sql, cache, index, question, rows.length, ({ offset, columns }) =>
    wanted.subarray(offset, offset + columns.rows),
  );
  return new Map(found.map(({ row, cosine }) => [row, cosine]));
}

async function ask(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  question: VectorQuestion,
  limit: number,
  maskOf: (part: Part) => Uint8Array,
): Promise<NearRow[]> {
  const parts = index.parts.filter((part) => isAskable(part, question)).map((part) => ({ part, mask: maskOf(part) }));
  const nearRows: NearRowsOf =
    sql.dialect === "postgres" ? (await import("./postgres/vectors.js")).nearRows : rowsInMemory;
  const found = await nearRows(sql, cache, parts, question.vector, limit);
  return found.sort((one, other) => other.cosine - one.cosine || one.row - other.row).slice(0, limit);
}

/** The rows of segments that are nearest to a vector, at least the best `limit` of all. */
type NearRowsOf = (
  sql: Sql,
  cache: ByteCache,
  parts: readonly AskedPart[],
  vector: Float32Array,
  limit: number,
) => Promise<NearRow[]>;

/** Where the database itself cannot compare vectors. */
const rowsInMemory: NearRowsOf = async (sql, cache, parts, vector, limit) => {
  const found: NearRow[] = [];
  for (const { part, mask: asked } of parts) {
    const { table, has, isComplete } = await loadVectors(sql, cache, part.columns.id, part.dimension);
    const isWhole = asked === part.alive && part.aliveRows === part.columns.rows;
    const mask = !isComplete ? asked.map((byte, row) => byte & (has[row] as number)) : isWhole ? undefined : asked;
    for (const { row, score } of table.search(vector, limit, mask))
      found.push({ row: part.offset + row, cosine: score });
  }
  return found;
};

/** A row and the cosine of its angle with the question. */
export interface NearRow {
  readonly row: number;
  readonly cosine: number;
}

/** A segment whose vectors are asked: rows with a 1 in the mask, a byte a row. */
export interface AskedPart {
  readonly part: Part;
  readonly mask: Uint8Array;
}
