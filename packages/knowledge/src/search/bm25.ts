import type { IndexRows, Part } from "./index-rows.js";
import type { Postings } from "./postings.js";

/** How soon a repeated word counts no more, and how much a passage's length does. */
const K1 = 1.5;
const B = 0.75;

/** A term that is looked for, with all that is known of it. */
export interface IndexedTerm {
  readonly term: string;
  /** In how many passages it is, of those that are alive. */
  readonly df: number;
  readonly idf: number;
  /** By part. */
  readonly postings: readonly (Postings | undefined)[];
}

/** A term with how often it counts. */
export interface WeightedTerm extends IndexedTerm {
  readonly weight: number;
  readonly origin: "query" | "expansion";
}

/** What a term is worth that is in `df` of `rows` passages: never below zero. */
export const idfOf = (rows: number, df: number): number => Math.log(1 + (rows - df + 0.5) / (df + 0.5));

/** Gathers what the segments know of a term. */
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

/** What a term gives to a passage in which it is `tf` times. */
export const contributionOf = (
  { idf, weight }: { readonly idf: number; readonly weight: number },
  tf: number,
  length: number,
  averageLength: number,
): number => (weight * idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / averageLength));

/** Adds to the score of each allowed row what terms give to it. */
export function addScores(index: IndexRows, terms: readonly WeightedTerm[], scores: Float64Array): void {
  const flat = K1 * (1 - B);
  const slope = (K1 * B) / index.averageLength;
  for (const { idf, weight, postings } of terms) {
    const worth = weight * idf * (K1 + 1);
    for (const [at, { allowed, columns, offset }] of index.parts.entries()) {
      const found = postings[at];
      if (found === undefined) continue;
      const { rows, frequencies } = found;
      const lengths = columns.length;
      for (let place = 0; place < rows.length; place += 1) {
        const row = rows[place] as number;
        if (allowed[row] === 0) continue;
        const tf = frequencies[place] as number;
        scores[offset + row] =
          (scores[offset + row] as number) + (worth * tf) / (tf + flat + slope * (lengths[row] as number));
      }
    }
  }
}

/** Adds to the scores of certain rows, which are in order, what terms give to them. Where few are asked, most postings are passed over. */
export function addScoresOf(
  index: IndexRows,
  terms: readonly WeightedTerm[],
  scores: Float64Array,
  asked: Uint32Array,
): void {
  const flat = K1 * (1 - B);
  const slope = (K1 * B) / index.averageLength;
  for (const [at, { columns, offset }] of index.parts.entries()) {
    const lengths = columns.length;
    const some = asked.subarray(firstFrom(asked, offset, 0), firstFrom(asked, offset + columns.rows, 0));
    for (const { idf, weight, postings } of terms) {
      const worth = weight * idf * (K1 + 1);
      const { rows, frequencies } = postings[at] ?? NONE;
      for (let next = 0, place = 0; next < some.length && place < rows.length; next += 1) {
        const whole = some[next] as number;
        place = firstFrom(rows, whole - offset, place);
        if (rows[place] !== whole - offset) continue;
        const tf = frequencies[place] as number;
        const length = lengths[whole - offset] as number;
        scores[whole] = (scores[whole] as number) + (worth * tf) / (tf + flat + slope * length);
      }
    }
  }
}

const NONE: Postings = { rows: new Uint32Array(0), frequencies: new Uint16Array(0) };

/** The place of the first number that is not below another one, from a place on: in steps that double, then by halves. */
export function firstFrom(numbers: Uint32Array, wanted: number, from: number): number {
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

/** How often a term is in a row. */
export function frequencyIn({ rows, frequencies }: Postings, row: number): number {
  const place = firstFrom(rows, row, 0);
  return rows[place] === row ? (frequencies[place] as number) : 0;
}
