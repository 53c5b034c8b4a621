import type { Sql } from "@toolwright/kit/storage";
import { TopRows } from "../vectors/top-rows.js";
import { addScores, addScoresOf, type IndexedTerm, idfOf, toIndexedTerm, type WeightedTerm } from "./bm25.js";
import type { Postings } from "./postings.js";
import type { Query } from "./query.js";
import { type ByteCache, loadPostings, sizesOf } from "./segment.js";
import { countTerms, type Fields } from "./terms.js";
import type { IndexRows } from "./views.js";

/** The maximum number of query terms that are scored. The rarest terms are kept. */
const MAX_TERMS = 20;
/** The maximum number of query terms that are looked up. */
const MAX_LOOKUPS = 200;
/** The average number of bytes of a posting. */
const BYTES_PER_ROW = 1.8;

/** Looks up terms in all segments. Terms that no segment has are included. */
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

/** Estimates how many passages contain each term by the size of its postings, without reading them. */
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
      counts.set(term, (counts.get(term) ?? 0) + (bytes / BYTES_PER_ROW) * share);
  }
  return counts;
}

/** Returns the query terms to score, and all terms that the condition refers to. */
export async function readQueryTerms(
  sql: Sql,
  cache: ByteCache,
  index: IndexRows,
  query: Query,
): Promise<{ readonly scored: readonly WeightedTerm[]; readonly known: ReadonlyMap<string, IndexedTerm> }> {
  const needed = query.condition === undefined ? [] : termsIn(query.condition);
  const wanted = new Set([...needed, ...[...query.terms.keys()].slice(0, MAX_LOOKUPS)]);
  const known = new Map((await lookUpTerms(sql, cache, index, [...wanted])).map((term) => [term.term, term]));
  const scored = [...query.terms].flatMap(([term, weight]): WeightedTerm[] => {
    const found = known.get(term);
    return found === undefined || found.df === 0 ? [] : [{ ...found, weight, origin: "query" }];
  });
  return { scored: scored.toSorted((one, other) => other.idf - one.idf).slice(0, MAX_TERMS), known };
}

function termsIn(condition: NonNullable<Query["condition"]>): string[] {
  if (condition.kind === "term") return [condition.term];
  if (condition.kind === "phrase") return [...condition.terms];
  if (condition.kind === "signs") return [];
  return condition.kind === "not" ? termsIn(condition.of) : condition.of.flatMap(termsIn);
}

/** The BM25 scores of all rows. */
export class WordScores {
  readonly scores: Float64Array;
  readonly #index: IndexRows;
  readonly terms: WeightedTerm[] = [];

  constructor(index: IndexRows) {
    this.#index = index;
    this.scores = new Float64Array(index.size);
  }

  /** Adds the scores of terms to all rows, or to some. */
  add(terms: readonly WeightedTerm[], rows?: readonly number[]): void {
    if (rows === undefined) addScores(this.#index, terms, this.scores);
    else addScoresOf(this.#index, terms, this.scores, Uint32Array.from(rows).sort());
    this.terms.push(...terms);
  }

  /** Returns the best rows in order, and the number of rows that contain at least one term. The first of equal rows wins. */
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

  /** Returns the best of the given rows, in the order of `rank`. */
  rankOf(rows: readonly number[], limit: number): number[] {
    const scored = rows.map((row) => ({ row, score: Math.fround(this.scores[row] as number) }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || one.row - other.row)
      .slice(0, limit)
      .map(({ row }) => row);
  }
}

/** Relevance feedback: the number of passages that provide terms, the number of terms, and their share of the score. */
export const FEEDBACK_PASSAGES = 5;
const TERMS = 20;
const SHARE = 0.15;
/** The maximum number of candidate terms that are looked up. */
const CANDIDATE_TERMS = 120;

/** A passage that is assumed to be relevant. */
export interface FeedbackPassage {
  readonly fields: Fields;
  readonly score: number;
}

/** The statistics that feedback reads from the index. */
export interface TermIndex {
  /** The number of passages. */
  readonly rows: number;
  /** The approximate number of passages that contain each term. */
  estimate(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  lookUp(terms: readonly string[]): Promise<readonly IndexedTerm[]>;
}

/** Chooses expansion terms from passages that are assumed to be relevant, by the relevance model RM3. */
export async function expand(
  passages: readonly FeedbackPassage[],
  query: readonly WeightedTerm[],
  index: TermIndex,
): Promise<WeightedTerm[]> {
  const shares = new Map<string, number>();
  const passageCounts = new Map<string, number>();
  const all = passages.reduce((sum, { score }) => sum + score ** 2, 0);
  for (const { fields, score } of passages) {
    const { counts, length } = countTerms(fields);
    for (const [term, count] of counts) {
      // The square makes the best passages dominate.
      shares.set(term, (shares.get(term) ?? 0) + ((score ** 2 / all) * count) / Math.max(1, length));
      passageCounts.set(term, (passageCounts.get(term) ?? 0) + 1);
    }
  }
  // A term that only one passage contains is often unrelated to the query.
  const candidates = [...shares]
    .filter(([term]) => (passageCounts.get(term) ?? 0) >= Math.min(2, passages.length))
    .sort(([, one], [, other]) => other - one)
    .slice(0, CANDIDATE_TERMS);
  const counts = await index.estimate(candidates.map(([term]) => term));
  const best = candidates
    .map(([term, share]) => ({ term, value: share * idfOf(index.rows, Math.min(index.rows, counts.get(term) ?? 0)) }))
    .sort((one, other) => other.value - one.value || (one.term < other.term ? -1 : 1))
    .slice(0, TERMS);
  const known = await index.lookUp(best.map(({ term }) => term));
  const chosen = known.filter(({ df }) => df > 0);
  if (chosen.length === 0) return [];
  const total = chosen.reduce((sum, { term }) => sum + (shares.get(term) ?? 0), 0);
  const queryWeight = query.reduce((sum, { weight }) => sum + weight, 0);
  const unit = (SHARE / (1 - SHARE)) * (queryWeight / total);
  return chosen.map((term) => ({ ...term, weight: unit * (shares.get(term.term) ?? 0), origin: "expansion" }));
}
