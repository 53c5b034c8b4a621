import type { Stretch } from "./answer.js";
import type { WeightedTerm } from "./bm25.js";
import type { Fields } from "./field-weights.js";
import { likelyTokens } from "./sieve.js";
import { stretchesOf } from "./stretches.js";
import type { eachToken } from "./terms.js";
import type { VectorQuestion } from "./vector-leg.js";

/** What the best stretches of a passage are worth; absent: nothing was asked of them. */
export interface StretchScore {
  /** How much of what the query's words are worth the best stretch has, from 0 to 1. */
  readonly words: number | undefined;
  /** The cosine of the nearest stretch. */
  readonly cosine: number | undefined;
}

/** A passage that is cut into stretches. */
interface Cut {
  readonly key: number;
  readonly fields: Fields;
  readonly stretches: readonly Stretch[];
}

/** Judges passages by what they say in one place: a long one has all words somewhere, and its vector is a mean of many matters. */
export async function scoreStretches(
  passages: ReadonlyMap<number, Fields>,
  terms: readonly WeightedTerm[],
  question: VectorQuestion | undefined,
): Promise<ReadonlyMap<number, StretchScore>> {
  const asked = terms.filter(({ origin }) => origin === "query");
  const worth = new Map(asked.map(({ term, idf, weight }) => [term, idf * weight]));
  const eachLikely = likelyTokens(worth.keys());
  const all = [...worth.values()].reduce((sum, value) => sum + value, 0);
  const cuts = [...passages].map(([key, fields]): Cut => ({ key, fields, stretches: stretchesOf(fields.content) }));
  const cosines = await nearestOf(cuts, question);
  return new Map(
    cuts.map((cut) => [
      cut.key,
      { words: all === 0 ? undefined : mostOf(cut, worth, eachLikely) / all, cosine: cosines?.get(cut.key) },
    ]),
  );
}

/** What the words of the stretch are worth that has most. */
function mostOf({ fields, stretches }: Cut, worth: ReadonlyMap<string, number>, eachLikely: typeof eachToken): number {
  const seen = new Set<string>();
  let [at, sum, most] = [0, 0, 0];
  eachLikely(fields.content, (start, _end, form, kind) => {
    if (kind === "single") return;
    while (at < stretches.length && start >= (stretches[at] as Stretch).end) {
      at += 1;
      sum = 0;
      seen.clear();
    }
    for (const term of form.terms) {
      const value = worth.get(term);
      if (value === undefined || seen.has(term)) continue;
      seen.add(term);
      sum += value;
    }
    most = Math.max(most, sum);
  });
  return most;
}

/** The cosine of each passage's nearest stretch, below its headings as in the vector of the whole. */
async function nearestOf(
  cuts: readonly Cut[],
  question: VectorQuestion | undefined,
): Promise<ReadonlyMap<number, number> | undefined> {
  if (question?.embed === undefined) return undefined;
  const [keys, texts]: [number[], string[]] = [[], []];
  for (const { key, fields, stretches } of cuts) {
    const above = fields.headings.join(" > ");
    for (const { start, end } of stretches) {
      keys.push(key);
      texts.push(`${above}\n${fields.content.slice(start, end)}`);
    }
  }
  const nearest = new Map<number, number>();
  for (const [index, vector] of (await question.embed(texts)).entries()) {
    const key = keys[index] as number;
    nearest.set(key, Math.max(nearest.get(key) ?? -1, dot(vector, question.vector)));
  }
  return nearest;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] as number) * (other[index] as number);
  return sum;
}
