import { type IndexedTerm, idfOf, type WeightedTerm } from "./bm25.js";
import { countTerms, type Fields } from "./field-weights.js";

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
