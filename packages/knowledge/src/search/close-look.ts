import type { Stretch } from "./answer.js";
import type { WeightedTerm } from "./bm25.js";
import { type Headed, headingScore } from "./heading-score.js";
import { type Neighbours, neighboursOf, Together } from "./neighbours.js";
import { likelyTokens } from "./sieve.js";
import { type Cut, type NearStretch, nearestStretches } from "./stretch-vectors.js";
import { stretchesOf } from "./stretches.js";
import type { eachToken } from "./terms.js";
import type { VectorQuestion } from "./vector-leg.js";

/** What a closer look at a passage tells; absent: nothing was asked of it. */
export interface CloseLook extends Partial<NearStretch> {
  /** How much of what the query's words are worth the best stretch has, from 0 to 1. */
  readonly stretch?: number;
  /** How many of the words that are neighbours in the query stand near each other here, from 0 to 1. */
  readonly together?: number;
  /** How much of a heading the query names, from 0 to 1. */
  readonly heading?: number;
}

/** What is asked of passages. */
export interface LookWish {
  readonly terms: readonly WeightedTerm[];
  /** The terms of the query as they stand in it. */
  readonly order: Iterable<string>;
  readonly question: VectorQuestion | undefined;
  /** How far passages are believed to be what was asked for: those are, of which others may be like. */
  readonly believed: ReadonlyMap<number, number>;
}

/** Judges passages by what they say in one place: a long one has all words somewhere, and its vector is a mean of many matters. */
export async function lookClosely(
  passages: ReadonlyMap<number, Headed>,
  { terms, order, question, believed }: LookWish,
): Promise<ReadonlyMap<number, CloseLook>> {
  const fromQuery = terms.filter(({ origin }) => origin === "query");
  const worth = new Map(fromQuery.map(({ term, idf, weight }) => [term, idf * weight]));
  const neighbours = neighboursOf(order, worth);
  const eachLikely = likelyTokens(worth.keys());
  const cuts = [...passages].map(([key, fields]) => ({ key, fields, stretches: stretchesOf(fields.content) }));
  const near = await nearestStretches(cuts, question, believed);
  return new Map(
    cuts.map((cut) => [cut.key, { ...lookAtWords(cut, worth, neighbours, eachLikely), ...near.get(cut.key) }]),
  );
}

function lookAtWords(
  { fields, stretches }: Cut & { readonly fields: Headed },
  worth: ReadonlyMap<string, number>,
  neighbours: Neighbours,
  eachLikely: typeof eachToken,
): CloseLook {
  if (worth.size === 0) return {};
  const together = new Together(neighbours);
  const seen = new Set<string>();
  let [at, sum, most] = [0, 0, 0];
  eachLikely(fields.content, (start, end, form, kind) => {
    if (kind === "single") return;
    while (at < stretches.length && start >= (stretches[at] as Stretch).end) {
      at += 1;
      sum = 0;
      seen.clear();
    }
    for (const term of form.terms) {
      const value = worth.get(term);
      if (value === undefined) continue;
      together.meet(term, start, end);
      if (seen.has(term)) continue;
      seen.add(term);
      sum += value;
    }
    most = Math.max(most, sum);
  });
  const all = [...worth.values()].reduce((whole, value) => whole + value, 0);
  return {
    stretch: most / (all || 1),
    heading: headingScore(fields, worth),
    ...(neighbours.worth > 0 && { together: together.share }),
  };
}
