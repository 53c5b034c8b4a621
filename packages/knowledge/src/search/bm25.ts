import type { Postings } from "./postings.js";
import type { IndexRows, Part } from "./views.js";

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

/** How many passages before and after one are looked at, and how much a word counts that is there and not here. */
const REACH = 3;
const SHARE = 0.3;

/**
 * Adds to the scores of certain rows, which are in order, what their neighbours in the document give: a text names its matter once
 * and goes on about it. Of each term the best of the neighbours counts for what it has more than the row itself.
 */
export function addContext(
  index: IndexRows,
  terms: readonly WeightedTerm[],
  scores: Float64Array,
  asked: Uint32Array,
): void {
  for (const [at, part] of index.parts.entries()) {
    const { columns, offset } = part;
    const some = asked.subarray(firstFrom(asked, offset, 0), firstFrom(asked, offset + columns.rows, 0));
    const starts = Uint32Array.from(some, (row) => edge(part, row - offset, -1));
    const ends = Uint32Array.from(some, (row) => edge(part, row - offset, 1));
    for (const term of terms) {
      const rows = term.postings[at]?.rows;
      if (rows === undefined) continue;
      for (let next = 0, place = 0; next < some.length && place < rows.length; next += 1) {
        const row = some[next] as number;
        place = firstFrom(rows, starts[next] as number, place);
        const given = liftFrom(index, at, term, row - offset, place, ends[next] as number);
        scores[row] = (scores[row] as number) + given;
      }
    }
  }
}

/** What the neighbours of a row give to it by one term. */
export function liftOf(index: IndexRows, at: number, term: WeightedTerm, row: number): number {
  const part = index.parts[at] as Part;
  const rows = term.postings[at]?.rows;
  if (rows === undefined) return 0;
  return liftFrom(index, at, term, row, firstFrom(rows, edge(part, row, -1), 0), edge(part, row, 1));
}

/** The last row in one direction that is near enough, and of the same document: its rows lie side by side. */
function edge({ columns: { revision, rows } }: Part, row: number, step: -1 | 1): number {
  let last = row;
  for (let far = 1; far <= REACH; far += 1) {
    const next = row + far * step;
    if (next < 0 || next >= rows || revision[next] !== revision[row]) break;
    last = next;
  }
  return last;
}

function liftFrom(index: IndexRows, at: number, term: WeightedTerm, row: number, from: number, last: number): number {
  const postings = term.postings[at];
  if (postings === undefined) return 0;
  const { length } = (index.parts[at] as Part).columns;
  const { rows, frequencies } = postings;
  let [own, best] = [0, 0];
  for (let place = from; place < rows.length && (rows[place] as number) <= last; place += 1) {
    const near = rows[place] as number;
    const given = contributionOf(term, frequencies[place] as number, length[near] as number, index.averageLength);
    if (near === row) own = given;
    best = Math.max(best, given);
  }
  return SHARE * (best - own);
}
