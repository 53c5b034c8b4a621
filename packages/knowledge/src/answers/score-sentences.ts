import { ToolError } from "@toolwright/engine";
import type { Passage } from "../citations/passage.js";
import { EndpointUnavailable } from "../embedders/embedder.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { Hit, SearchResult } from "../search/search-types.js";
import { eachToken } from "../search/terms.js";
import { type Sentence, sentencesOf } from "./sentences.js";

/** A sentence that may be part of an answer. */
export interface Candidate extends Sentence {
  readonly hit: Hit;
  readonly passage: Passage;
  readonly terms: ReadonlySet<string>;
  /** The share of the question that the sentence covers, partly with its headings, and that its passage covers. */
  readonly own: number;
  readonly around: number;
  readonly cosine: number;
  readonly score: number;
}

/** Options for scoring. */
export interface ScoreOptions {
  /** The embedder of the passages. Empty: vectors were not searched. */
  readonly embedder: string;
  readonly signal?: AbortSignal | undefined;
  readonly warn: (warning: string) => void;
}

/** The weights of the score. Determined with the golden questions on the documentation of this project. */
const WEIGHTS = { own: 0.5, around: 0.2, cosine: 0.2, rank: 0.1 } as const;
/** The maximum number of sentences to embed, because large models are slow. */
const MAX_VECTORS = 32;

/** Scores the sentences of passages, best first. */
export async function scoreSentences(
  context: KnowledgeContext,
  query: string,
  weights: ReadonlyMap<string, number>,
  found: readonly { readonly hit: Hit; readonly passage: Passage }[],
  { embedder, signal, warn }: ScoreOptions,
): Promise<readonly Candidate[]> {
  const plain = found.flatMap(({ hit, passage }, rank) => {
    const above = termsIn([hit.title, ...hit.headings].join("\n"));
    const around = coverage(weights, new Set([...above, ...termsIn(hit.content)]));
    return sentencesOf(passage.text).map((sentence): Candidate => {
      const terms = termsIn(sentence.text);
      // A sentence need not repeat the words of its headings.
      const own = 0.7 * coverage(weights, terms) + 0.3 * coverage(weights, new Set([...terms, ...above]));
      const parts = { own, around, cosine: 0 };
      return { ...sentence, hit, passage, terms, ...parts, score: scoreOf(parts, rank) };
    });
  });
  const best = plain.sort((one, other) => other.score - one.score);
  if (embedder === "") return best;
  const first = best.slice(0, MAX_VECTORS);
  const cosines = await cosinesOf(context, embedder, query, first, signal).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    if (error instanceof EndpointUnavailable) context.noteUnavailable(error);
    warn(`Sentences were ranked by words only: ${error.message}`);
    return [];
  });
  const ranks = new Map(found.map(({ hit }, rank) => [hit.chunk_id, rank]));
  return first
    .map((candidate, at) => {
      const cosine = cosines[at] ?? 0;
      return { ...candidate, cosine, score: scoreOf({ ...candidate, cosine }, ranks.get(candidate.hit.chunk_id) ?? 0) };
    })
    .sort((one, other) => other.score - one.score);
}

const scoreOf = ({ own, around, cosine }: Pick<Candidate, "own" | "around" | "cosine">, rank: number): number =>
  WEIGHTS.own * own + WEIGHTS.around * around + WEIGHTS.cosine * Math.max(0, cosine) + WEIGHTS.rank / (1 + rank);

async function cosinesOf(
  context: KnowledgeContext,
  embedderName: string,
  query: string,
  sentences: readonly Sentence[],
  signal: AbortSignal | undefined,
): Promise<readonly number[]> {
  if (sentences.length === 0) return [];
  const embedder = await context.embedder(embedderName, true);
  const options = { isUrgent: true, ...(signal !== undefined && { signal }) };
  const [question] = await embedder.embed([query], { kind: "query", ...options });
  const texts = sentences.map(({ text }) => text);
  const vectors = await embedder.embed(texts, { kind: "passage", ...options });
  return vectors.map((vector) => vector.reduce((sum, component, at) => sum + component * (question?.[at] ?? 0), 0));
}

/** The default weight of a query term that no passage contains, if the number of passages is unknown. */
const UNKNOWN = 6;
/** In a small collection every term is in many passages, but still matters. */
const MIN_WEIGHT = 1.2;

/** Returns the terms of a query with their weights. Rare terms weigh more. */
export function weighTerms({ results, query_info: { query_terms: terms } }: SearchResult): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  let rarest: number | undefined;
  for (const { explain } of results)
    for (const { term, origin, idf, df, weight } of explain?.words?.terms ?? []) {
      if (origin !== "query") continue;
      known.set(term, Math.max(MIN_WEIGHT, idf) * Math.min(1, weight));
      rarest ??= Math.log(1 + (passagesOf(idf, df) + 0.5) / 0.5);
    }
  return new Map(terms.map((term) => [term, known.get(term) ?? Math.max(MIN_WEIGHT, rarest ?? UNKNOWN)]));
}

/** Computes the number of passages from the inverse document frequency of a term. */
const passagesOf = (idf: number, df: number): number => (Math.exp(idf) - 1) * (df + 0.5) + df - 0.5;

/** Returns the terms of a text. */
function termsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  eachToken(text, (_start, _end, { terms }, kind) => {
    if (kind !== "single") for (const term of terms) found.add(term);
  });
  return found;
}

/** Returns the weighted share of the query terms that a text contains, from 0 to 1. */
function coverage(weights: ReadonlyMap<string, number>, terms: ReadonlySet<string>): number {
  let [all, here] = [0, 0];
  for (const [term, value] of weights) {
    all += value;
    if (terms.has(term)) here += value;
  }
  return all === 0 ? 0 : here / all;
}
