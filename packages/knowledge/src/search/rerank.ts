import type { WeightedTerm } from "./bm25.js";
import { likelyTokens } from "./match.js";
import type { TextSpan } from "./search-types.js";
import { eachToken, type Fields } from "./terms.js";
import type { QueryVector } from "./vector-retriever.js";

/** The scores of a passage that are computed from its text. Absent: not available for this query. */
export interface RerankScores {
  /** The share of the weight of the query terms that the best window contains, from 0 to 1. */
  readonly window?: number;
  /** The share of the adjacent query terms that are close to each other in the passage, from 0 to 1. */
  readonly proximity?: number;
  /** The share of the best matching heading that the query names, from 0 to 1. */
  readonly heading?: number;
  /** The cosine of the window that is nearest to the query. */
  readonly windowCosine?: number;
}

/** A passage to rerank, and the kind of its document. */
export interface RerankedPassage extends Fields {
  readonly kind: string;
}

/** The query that passages are compared with. */
export interface RerankQuery {
  readonly terms: readonly WeightedTerm[];
  /** The terms of the query in their order. */
  readonly order: Iterable<string>;
  readonly vector: QueryVector | undefined;
}

interface WindowedPassage {
  readonly key: number;
  readonly passage: RerankedPassage;
  readonly windows: readonly TextSpan[];
}

/**
 * Scores passages by windows of two or three sentences. A long passage contains every term somewhere, and its vector is the mean of
 * several topics.
 */
export async function rerank(
  passages: ReadonlyMap<number, RerankedPassage>,
  { terms, order, vector }: RerankQuery,
): Promise<ReadonlyMap<number, RerankScores>> {
  const queryTerms = terms.filter(({ origin }) => origin === "query");
  const weights = new Map(queryTerms.map(({ term, idf, weight }) => [term, idf * weight]));
  const pairs = pairTerms(order, weights);
  const eachLikely = likelyTokens(weights.keys());
  const windowed = [...passages].map(([key, passage]) => ({ key, passage, windows: splitWindows(passage.content) }));
  const cosines = await windowCosines(windowed, vector);
  return new Map(
    windowed.map((each) => {
      const windowCosine = cosines.get(each.key);
      const scores = scoreTerms(each, weights, pairs, eachLikely);
      return [each.key, windowCosine === undefined ? scores : { ...scores, windowCosine }];
    }),
  );
}

function scoreTerms(
  { passage, windows }: WindowedPassage,
  weights: ReadonlyMap<string, number>,
  pairs: TermPairs,
  eachLikely: typeof eachToken,
): RerankScores {
  if (weights.size === 0) return {};
  const proximity = new ProximityCounter(pairs);
  const seen = new Set<string>();
  let [at, sum, best] = [0, 0, 0];
  eachLikely(passage.content, (start, end, form, kind) => {
    if (kind === "single") return;
    while (at < windows.length && start >= (windows[at] as TextSpan).end) {
      at += 1;
      sum = 0;
      seen.clear();
    }
    for (const term of form.terms) {
      const weight = weights.get(term);
      if (weight === undefined) continue;
      proximity.add(term, start, end);
      if (seen.has(term)) continue;
      seen.add(term);
      sum += weight;
    }
    best = Math.max(best, sum);
  });
  const total = [...weights.values()].reduce((whole, weight) => whole + weight, 0);
  return {
    window: best / (total || 1),
    heading: headingScore(passage, weights),
    ...(pairs.weight > 0 && { proximity: proximity.share }),
  };
}

/** The minimum length of a window in characters: two or three sentences. */
const MIN_WINDOW = 200;
/** The end of a sentence, a paragraph, a list item or a table row. */
const BOUNDARY = /(?<=[.!?:])\s+|(?<=[。！？])|\n\s*\n|\n(?=[-|*#])/gu;

/** Splits the text of a passage into windows. */
export function splitWindows(content: string): readonly TextSpan[] {
  const windows: TextSpan[] = [];
  let start = 0;
  for (const boundary of content.matchAll(BOUNDARY)) {
    if (boundary.index - start < MIN_WINDOW) continue;
    windows.push({ start, end: boundary.index });
    start = boundary.index + boundary[0].length;
  }
  if (start < content.length) windows.push({ start, end: content.length });
  return windows;
}

/**
 * Returns the highest cosine of the windows of each passage. As in the vector of the whole passage, headings precede the text. Empty if
 * the embedder is too slow to embed windows during a search.
 */
async function windowCosines(
  windowed: readonly WindowedPassage[],
  query: QueryVector | undefined,
): Promise<ReadonlyMap<number, number>> {
  const best = new Map<number, number>();
  if (query?.embed === undefined) return best;
  const texts = windowed.flatMap(({ key, passage: { headings, content }, windows }) =>
    windows.map(({ start, end }) => ({ key, text: `${headings.join(" > ")}\n${content.slice(start, end)}` })),
  );
  const vectors = await query.embed(texts.map(({ text }) => text));
  for (const [index, { key }] of texts.entries())
    best.set(key, Math.max(best.get(key) ?? -1, dot(vectors[index] as Float32Array, query.vector)));
  return best;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] as number) * (other[index] as number);
  return sum;
}

/** Two adjacent terms of the query. */
interface TermPair {
  readonly terms: readonly [string, string];
  readonly weight: number;
}

/** The pairs of adjacent query terms, by each of their terms. */
interface TermPairs {
  readonly byTerm: ReadonlyMap<string, readonly TermPair[]>;
  /** The sum of all weights. */
  readonly weight: number;
}

/** The maximum distance of two terms in characters: a few short words. */
const MAX_DISTANCE = 25;

function pairTerms(order: Iterable<string>, weights: ReadonlyMap<string, number>): TermPairs {
  const byTerm = new Map<string, TermPair[]>();
  let [previous, total]: [string | undefined, number] = [undefined, 0];
  for (const term of order) {
    const weight = previous === undefined ? 0 : Math.min(weights.get(term) ?? 0, weights.get(previous) ?? 0);
    if (previous !== undefined && weight > 0) {
      const pair: TermPair = { terms: [previous, term], weight };
      for (const each of pair.terms) byTerm.set(each, [...(byTerm.get(each) ?? []), pair]);
      total += weight;
    }
    previous = term;
  }
  return { byTerm, weight: total };
}

/** Determines which term pairs are close to each other in a text. */
class ProximityCounter {
  readonly #pairs: TermPairs;
  readonly #ends = new Map<string, number>();
  readonly #close = new Set<TermPair>();

  constructor(pairs: TermPairs) {
    this.#pairs = pairs;
  }

  /** Adds the next term of the text. */
  add(term: string, start: number, end: number): void {
    for (const pair of this.#pairs.byTerm.get(term) ?? []) {
      const before = this.#ends.get(pair.terms[0] === term ? pair.terms[1] : pair.terms[0]);
      if (before !== undefined && start - before <= MAX_DISTANCE) this.#close.add(pair);
    }
    this.#ends.set(term, end);
  }

  /** From 0 to 1. */
  get share(): number {
    let sum = 0;
    for (const { weight } of this.#close) sum += weight;
    return sum / (this.#pairs.weight || 1);
  }
}

/** A heading inside Markdown text. In code blocks and in other kinds of documents such a line is a comment. */
const INNER_HEADING = /^#{1,6} +(.+)$/gm;
const CODE_BLOCK = /^ {0,3}(```|~~~).*\n[^]*?^ {0,3}\1[`~]*\s*$/gm;

/** The share of the terms of a heading that the query contains: the heading above the passage or one inside it, whichever is higher. */
function headingScore({ headings, content, kind }: RerankedPassage, weights: ReadonlyMap<string, number>): number {
  let best = namedShare(headings.at(-1) ?? "", weights);
  if (kind !== "markdown") return best;
  for (const [, heading = ""] of content.replaceAll(CODE_BLOCK, "").matchAll(INNER_HEADING))
    best = Math.max(best, namedShare(heading, weights));
  return best;
}

function namedShare(heading: string, weights: ReadonlyMap<string, number>): number {
  const terms = new Set<string>();
  eachToken(heading, (_start, _end, form, kind) => {
    if (kind !== "single") for (const term of form.terms) terms.add(term);
  });
  let named = 0;
  for (const term of terms) if (weights.has(term)) named += 1;
  return named / Math.max(1, terms.size);
}
