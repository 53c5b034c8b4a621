import type { WeightedTerm } from "./bm25.js";
import { likelyTokens } from "./match.js";
import type { Stretch } from "./search-types.js";
import { eachToken, type Fields } from "./terms.js";
import type { VectorQuestion } from "./vector-retriever.js";

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

/** A stretch has so many characters at least: two or three sentences. */
const LEAST = 200;
/** Where a sentence, a paragraph, an item of a list or a row of a table ends. */
const END = /(?<=[.!?:])\s+|(?<=[。！？])|\n\s*\n|\n(?=[-|*#])/gu;

/** Cuts a passage into stretches, each of which says something on its own. */
export function stretchesOf(content: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (const end of content.matchAll(END)) {
    if (end.index - start < LEAST) continue;
    found.push({ start, end: end.index });
    start = end.index + end[0].length;
  }
  if (start < content.length) found.push({ start, end: content.length });
  return found;
}

/** A passage that is cut into stretches. */
export interface Cut {
  readonly key: number;
  readonly fields: Fields;
  readonly stretches: readonly Stretch[];
}

/** How near the stretches of a passage are in meaning. */
export interface NearStretch {
  /** The cosine of the one that is nearest to the question. */
  readonly cosine: number;
  /** The cosine of the one that is nearest to what the best passages say. */
  readonly feedback?: number;
}

/** A stretch's vector, and whose it is. */
interface Placed {
  readonly key: number;
  readonly vector: Float32Array;
}

/** The nearest stretches of each passage, below its headings as in the vector of the whole. Empty where the embedder is too slow to ask. */
export async function nearestStretches(
  cuts: readonly Cut[],
  question: VectorQuestion | undefined,
  believed: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, NearStretch>> {
  if (question?.embed === undefined) return new Map();
  const texts = cuts.flatMap(({ key, fields, stretches }) => {
    const above = fields.headings.join(" > ");
    return stretches.map(({ start, end }) => ({ key, text: `${above}\n${fields.content.slice(start, end)}` }));
  });
  const vectors = await question.embed(texts.map(({ text }) => text));
  const placed = texts.map(({ key }, index): Placed => ({ key, vector: vectors[index] as Float32Array }));
  const cosines = nearestTo(question.vector, placed);
  const centre = centreOf(placed, believed);
  const likeBest = centre === undefined ? undefined : nearestTo(centre, placed);
  return new Map(
    [...cosines].map(([key, cosine]) => {
      const feedback = likeBest?.get(key);
      return [key, feedback === undefined ? { cosine } : { cosine, feedback }];
    }),
  );
}

function nearestTo(asked: Float32Array, placed: readonly Placed[]): Map<number, number> {
  const nearest = new Map<number, number>();
  for (const { key, vector } of placed) nearest.set(key, Math.max(nearest.get(key) ?? -1, dot(vector, asked)));
  return nearest;
}

/** The direction in which the passages lie that are believed, the better ones far more, as in the feedback of words. */
function centreOf(placed: readonly Placed[], believed: ReadonlyMap<number, number>): Float32Array | undefined {
  const centre = new Float32Array(placed[0]?.vector.length ?? 0);
  for (const { key, vector } of placed) {
    const weight = (believed.get(key) ?? 0) ** 2;
    if (weight === 0) continue;
    for (let index = 0; index < centre.length; index += 1)
      centre[index] = (centre[index] as number) + weight * (vector[index] as number);
  }
  const length = Math.sqrt(dot(centre, centre));
  return length === 0 ? undefined : centre.map((component) => component / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

/** Two terms that are neighbours in the query, and what it is worth that they stand near each other. */
interface Pair {
  readonly terms: readonly [string, string];
  readonly worth: number;
}

/** The neighbours in a query, by each of their terms. */
export interface Neighbours {
  readonly pairs: ReadonlyMap<string, readonly Pair[]>;
  /** What all of them are worth together. */
  readonly worth: number;
}

/** How many characters may stand between two words that are near each other: a few short words. */
const REACH = 25;

/** Pairs the terms of a query, which are in order, as far as they are worth something. */
export function neighboursOf(order: Iterable<string>, worthOf: ReadonlyMap<string, number>): Neighbours {
  const pairs = new Map<string, Pair[]>();
  let [last, all]: [string | undefined, number] = [undefined, 0];
  for (const term of order) {
    const worth = Math.min(worthOf.get(term) ?? 0, (last === undefined ? undefined : worthOf.get(last)) ?? 0);
    if (last !== undefined && worth > 0) {
      const pair: Pair = { terms: [last, term], worth };
      for (const one of pair.terms) pairs.set(one, [...(pairs.get(one) ?? []), pair]);
      all += worth;
    }
    last = term;
  }
  return { pairs, worth: all };
}

/** Goes through the terms of a text, and says how much of the neighbours in a query stand near each other in it. */
export class Together {
  readonly #neighbours: Neighbours;
  readonly #ends = new Map<string, number>();
  readonly #met = new Set<Pair>();

  constructor(neighbours: Neighbours) {
    this.#neighbours = neighbours;
  }

  /** Takes the next term, in the order of the text. */
  meet(term: string, start: number, end: number): void {
    for (const pair of this.#neighbours.pairs.get(term) ?? []) {
      const before = this.#ends.get(pair.terms[0] === term ? pair.terms[1] : pair.terms[0]);
      if (before !== undefined && start - before <= REACH) this.#met.add(pair);
    }
    this.#ends.set(term, end);
  }

  /** From 0 to 1. */
  get share(): number {
    let sum = 0;
    for (const { worth } of this.#met) sum += worth;
    return sum / (this.#neighbours.worth || 1);
  }
}

/** A passage, and what its document was read as. */
export interface Headed extends Fields {
  readonly kind: string;
}

/** A heading in the content of Markdown; elsewhere, and in a block of code, such a line is a remark. */
const INNER = /^#{1,6} +(.+)$/gm;
const CODE = /^ {0,3}(```|~~~).*\n[^]*?^ {0,3}\1[`~]*\s*$/gm;

/**
 * How much of a heading the query names, from 0 to 1: of the one above a passage or one in it, whichever it names more of. A heading says in
 * a few words what the text below is about; where the query has all of them, it asks about that.
 */
export function headingScore({ headings, content, kind }: Headed, worth: ReadonlyMap<string, number>): number {
  let most = namedOf(headings.at(-1) ?? "", worth);
  if (kind !== "markdown") return most;
  for (const [, heading = ""] of content.replaceAll(CODE, "").matchAll(INNER))
    most = Math.max(most, namedOf(heading, worth));
  return most;
}

function namedOf(heading: string, worth: ReadonlyMap<string, number>): number {
  const terms = new Set<string>();
  eachToken(heading, (_start, _end, form, kind) => {
    if (kind !== "single") for (const term of form.terms) terms.add(term);
  });
  let named = 0;
  for (const term of terms) if (worth.has(term)) named += 1;
  return named / Math.max(1, terms.size);
}
