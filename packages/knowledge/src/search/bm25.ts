import type { Postings } from "./postings.js";
import type { IndexRows, Part } from "./views.js";

/** The BM25 parameters: term frequency saturation, and length normalisation. */
const K1 = 1.5;
const B = 0.75;

/** A term and its statistics in the index. */
export interface IndexedTerm {
  readonly term: string;
  /** The number of live passages that contain it. */
  readonly df: number;
  readonly idf: number;
  /** By index part. */
  readonly postings: readonly (Postings | undefined)[];
}

/** A term with its weight in the query. */
export interface WeightedTerm extends IndexedTerm {
  readonly weight: number;
  readonly origin: "query" | "expansion";
}

/** The inverse document frequency of a term that occurs in `df` of `rows` passages. Never negative. */
export const idfOf = (rows: number, df: number): number => Math.log(1 + (rows - df + 0.5) / (df + 0.5));

/** Merges the postings of a term from all segments. */
export function toIndexedTerm(
  index: IndexRows,
  term: string,
  loaded: readonly ReadonlyMap<string, Postings>[],
): IndexedTerm {
  const postings = loaded.map((map) => map.get(term));
  let df = 0;
  for (const [at, part] of index.parts.entries()) df += aliveCount(part, postings[at]);
  return { term, df, idf: idfOf(index.rows, df), postings };
}

function aliveCount({ alive, aliveRows, columns }: Part, postings: Postings | undefined): number {
  if (postings === undefined) return 0;
  if (aliveRows === columns.rows) return postings.rows.length;
  let count = 0;
  for (const row of postings.rows) count += alive[row] as number;
  return count;
}

/** The BM25 score of a term that occurs `tf` times in a passage. */
export const contributionOf = (
  { idf, weight }: { readonly idf: number; readonly weight: number },
  tf: number,
  length: number,
  averageLength: number,
): number => (weight * idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / averageLength));

/** Adds the scores of terms to all rows that the filters allow. */
export function addScores(index: IndexRows, terms: readonly WeightedTerm[], scores: Float64Array): void {
  const flat = K1 * (1 - B);
  const slope = (K1 * B) / index.averageLength;
  for (const { idf, weight, postings } of terms) {
    const factor = weight * idf * (K1 + 1);
    for (const [at, { allowed, columns, offset }] of index.parts.entries()) {
      const found = postings[at];
      if (found === undefined) continue;
      const { rows, frequencies } = found;
      const lengths = columns.length;
      for (let position = 0; position < rows.length; position += 1) {
        const row = rows[position] as number;
        if (allowed[row] === 0) continue;
        const tf = frequencies[position] as number;
        scores[offset + row] =
          (scores[offset + row] as number) + (factor * tf) / (tf + flat + slope * (lengths[row] as number));
      }
    }
  }
}

/** Adds the scores of terms to the given rows, which must be sorted. Skips most postings if there are few rows. */
export function addScoresOf(
  index: IndexRows,
  terms: readonly WeightedTerm[],
  scores: Float64Array,
  wantedRows: Uint32Array,
): void {
  const flat = K1 * (1 - B);
  const slope = (K1 * B) / index.averageLength;
  for (const [at, { columns, offset }] of index.parts.entries()) {
    const lengths = columns.length;
    const some = wantedRows.subarray(firstFrom(wantedRows, offset, 0), firstFrom(wantedRows, offset + columns.rows, 0));
    for (const { idf, weight, postings } of terms) {
      const factor = weight * idf * (K1 + 1);
      const { rows, frequencies } = postings[at] ?? NO_POSTINGS;
      for (let next = 0, position = 0; next < some.length && position < rows.length; next += 1) {
        const whole = some[next] as number;
        position = firstFrom(rows, whole - offset, position);
        if (rows[position] !== whole - offset) continue;
        const tf = frequencies[position] as number;
        const length = lengths[whole - offset] as number;
        scores[whole] = (scores[whole] as number) + (factor * tf) / (tf + flat + slope * length);
      }
    }
  }
}

const NO_POSTINGS: Postings = { rows: new Uint32Array(0), frequencies: new Uint16Array(0) };

/** Returns the index of the first number that is at least `wanted`, starting at `from`. An exponential search. */
function firstFrom(numbers: Uint32Array, wanted: number, from: number): number {
  let [low, high] = [from, from];
  for (let step = 1; high < numbers.length && (numbers[high] as number) < wanted; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, numbers.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How often a term occurs in a row. */
export function frequencyIn({ rows, frequencies }: Postings, row: number): number {
  const position = firstFrom(rows, row, 0);
  return rows[position] === row ? (frequencies[position] as number) : 0;
}
