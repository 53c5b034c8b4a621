import type { Sql } from "@toolwright/kit/storage";
import { TopRows } from "../vectors/top-rows.js";
import {
  addContext,
  addScores,
  addScoresOf,
  type IndexedTerm,
  idfOf,
  toIndexedTerm,
  type WeightedTerm,
} from "./bm25.js";
import type { Postings } from "./postings.js";
import type { Query } from "./query.js";
import { type ByteCache, loadPostings, sizesOf } from "./segment.js";
import { countTerms, type Fields } from "./terms.js";
import type { IndexRows } from "./views.js";

/** The most terms of a query that count: those that tell most. */
const MOST_TERMS = 20;
/** The most that are looked up to choose them. */
const MOST_LOOKED_UP = 200;
/** How long postings are for each row, about. */
const BYTES_A_ROW = 1.8;

/** Looks terms up in all that is searched; also those that are nowhere. */
export async function lookUpTerms(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  terms: readonly string[],
): Promise<IndexedTerm[]> {
  const loaded: ReadonlyMap<string, Postings>[] = [];
  for (const { columns } of index.parts) loaded.push(await loadPostings(sql, cache, columns.id, terms));
  return terms.map((term) => toIndexedTerm(index, term, loaded));
}

/** About how many passages have each term, without reading which: its postings have two bytes for most of them. */
export async function estimateTerms(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  terms: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { columns, aliveRows } of index.parts) {
    const share = aliveRows / Math.max(1, columns.rows);
    for (const [term, bytes] of await sizesOf(sql, cache, columns.id, terms))
      counts.set(term, (counts.get(term) ?? 0) + (bytes / BYTES_A_ROW) * share);
  }
  return counts;
}

/** The terms of a query that count, and all that its condition may ask about. */
export async function readQueryTerms(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  query: Query,
): Promise<{ readonly scored: readonly WeightedTerm[]; readonly known: ReadonlyMap<string, IndexedTerm> }> {
  const needed = query.condition === undefined ? [] : termsIn(query.condition);
  const asked = new Set([...needed, ...[...query.terms.keys()].slice(0, MOST_LOOKED_UP)]);
  const known = new Map((await lookUpTerms(sql, cache, index, [...asked])).map((term) => [term.term, term]));
  const scored = [...query.terms].flatMap(([term, weight]): WeightedTerm[] => {
    const found = known.get(term);
    return found === undefined || found.df === 0 ? [] : [{ ...found, weight, origin: "query" }];
  });
  return { scored: scored.toSorted((one, other) => other.idf - one.idf).slice(0, MOST_TERMS), known };
}

function termsIn(condition: NonNullable<Query["condition"]>): string[] {
  if (condition.kind === "term") return [condition.term];
  if (condition.kind === "phrase") return [...condition.terms];
  if (condition.kind === "signs") return [];
  return condition.kind === "not" ? termsIn(condition.of) : condition.of.flatMap(termsIn);
}

/** Scores of rows by words. */
export class WordScores {
  readonly scores: Float64Array;
  readonly #index: IndexRows;
  readonly terms: WeightedTerm[] = [];
  /** Rows to whose scores their neighbours have given, by the terms of the query. */
  readonly lifted = new Set<number>();

  constructor(index: IndexRows) {
    this.#index = index;
    this.scores = new Float64Array(index.size);
  }

  /** Adds what terms give to all rows, or to some alone. */
  add(terms: readonly WeightedTerm[], rows?: readonly number[]): void {
    if (rows === undefined) addScores(this.#index, terms, this.scores);
    else addScoresOf(this.#index, terms, this.scores, Uint32Array.from(rows).sort());
    this.terms.push(...terms);
  }

  /** Adds what neighbours give to some rows. Only once, before terms are added that are not of the query. */
  lift(rows: readonly number[]): void {
    addContext(this.#index, this.terms, this.scores, Uint32Array.from(rows).sort());
    for (const row of rows) this.lifted.add(row);
  }

  /** The best rows, best first and of equal ones the first; and how many have any of the terms. */
  rank(limit: number, mask?: Uint8Array): { readonly best: number[]; readonly count: number } {
    const { scores } = this;
    const top = new TopRows(Math.min(limit, scores.length));
    let [floor, count] = [0, 0];
    for (let row = 0; row < scores.length; row += 1) {
      const exact = scores[row] as number;
      if (exact === 0) continue;
      count += 1;
      if (exact <= floor) continue;
      const score = Math.fround(exact);
      if (score <= floor || (mask !== undefined && mask[row] === 0)) continue;
      top.offer(row, score);
      floor = Math.max(0, top.floor);
    }
    return { best: top.sorted().map(({ row }) => row), count };
  }

  /** The best of some rows, as `rank` has them. */
  rankOf(rows: readonly number[], limit: number): number[] {
    const scored = rows.map((row) => ({ row, score: Math.fround(this.scores[row] as number) }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.row - other.row)
      .slice(0, limit)
      .map(({ row }) => row);
  }
}

/** How many of the best passages are believed, how many terms are taken from them, and how much these count beside the query. */
export const FEEDBACK_PASSAGES = 5;
const TERMS = 20;
const SHARE = 0.15;
/** How many terms are looked up to choose from. */
const LOOKED_UP = 120;

/** A passage that is taken to be what was asked for, and how far. */
export interface BelievedPassage {
  readonly fields: Fields;
  readonly score: number;
}

/** What feedback asks of the index. */
export interface TermIndex {
  /** How many passages there are. */
  readonly rows: number;
  /** About how many passages have each term. */
  estimate(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  lookUp(terms: readonly string[]): Promise<readonly IndexedTerm[]>;
}

/** Finds terms that stand for what is asked, in passages that are believed to answer it: a relevance model (RM3). */
export async function expand(
  passages: readonly BelievedPassage[],
  query: readonly WeightedTerm[],
  index: TermIndex,
): Promise<WeightedTerm[]> {
  const shares = new Map<string, number>();
  const holders = new Map<string, number>();
  const all = passages.reduce((sum, { score }) => sum + score ** 2, 0);
  for (const { fields, score } of passages) {
    const { counts, length } = countTerms(fields);
    for (const [term, count] of counts) {
      // The best passages are believed far more than the others.
      shares.set(term, (shares.get(term) ?? 0) + ((score ** 2 / all) * count) / Math.max(1, length));
      holders.set(term, (holders.get(term) ?? 0) + 1);
    }
  }
  // What only one passage has is as likely its own matter as that of the query.
  const likely = [...shares]
    .filter(([term]) => (holders.get(term) ?? 0) >= Math.min(2, passages.length))
    .sort(([, one], [, other]) => other - one)
    .slice(0, LOOKED_UP);
  const counts = await index.estimate(likely.map(([term]) => term));
  const best = likely
    .map(([term, share]) => ({ term, worth: share * idfOf(index.rows, Math.min(index.rows, counts.get(term) ?? 0)) }))
    .sort((one, other) => other.worth - one.worth || (one.term < other.term ? -1 : 1))
    .slice(0, TERMS);
  const known = await index.lookUp(best.map(({ term }) => term));
  const chosen = known.filter(({ df }) => df > 0);
  if (chosen.length === 0) return [];
  const total = chosen.reduce((sum, { term }) => sum + (shares.get(term) ?? 0), 0);
  const queryWeight = query.reduce((sum, { weight }) => sum + weight, 0);
  const unit = (SHARE / (1 - SHARE)) * (queryWeight / total);
  return chosen.map((term) => ({ ...term, weight: unit * (shares.get(term.term) ?? 0), origin: "expansion" }));
}
