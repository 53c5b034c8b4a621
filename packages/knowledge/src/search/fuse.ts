import type { RerankScores } from "./rerank.js";
import type { Weights } from "./search-types.js";

/** A row with the score of each retriever. Undefined: the retriever did not score it. */
export interface Candidate {
  readonly row: number;
  readonly words: number | undefined;
  readonly cosine: number | undefined;
}

/** The contribution of a retriever to a score. The score is the sum of `weight * normalised`. */
interface ScoreShare {
  readonly rank: number | undefined;
  readonly normalised: number;
  readonly weight: number;
}

/** A candidate with its score. */
export interface Fused extends Candidate {
  readonly score: number;
  readonly wordsShare: ScoreShare | undefined;
  readonly vectorShare: ScoreShare | undefined;
  readonly rerank: RerankScores | undefined;
}

/** The weights of the rerank scores in the score of each retriever. The score of the whole passage has the remaining weight. */
const RERANK_WEIGHTS = {
  words: { window: 0.2, proximity: 0.1, heading: 0.2 },
  vector: { windowCosine: 0.5 },
} satisfies Record<keyof Weights, Partial<Record<keyof RerankScores, number>>>;

/**
 * The default weights of the retrievers. Those of the built-in table and of MiniLM were measured; other embedders get the usual 0.7.
 * Vectors of windows are more precise than those of whole passages, so the built-in table weighs more in reranked passages.
 */
export function defaultWeights(embedder: string, isReranked: boolean): Weights {
  const vector = embedder.startsWith("static") ? (isReranked ? 0.3 : 0.2) : /minilm/i.test(embedder) ? 0.5 : 0.7;
  return { vector, words: 1 - vector };
}

/** How to merge the scores of two retrievers. */
interface FuseOptions {
  readonly weights: Weights;
  /** Computes the ranks that an explanation shows. */
  readonly withRanks: boolean;
  /** The rerank scores of the best rows. For other rows they count as 0. */
  readonly rerank?: ReadonlyMap<number, RerankScores> | undefined;
}

/** Merges the results of both retrievers into one order. `compare` orders rows of equal scores. */
export function fuse(
  candidates: readonly Candidate[],
  { weights, withRanks, rerank }: FuseOptions,
  compare: (one: number, other: number) => number,
): Fused[] {
  const ranked = withRanks ? candidates : [];
  const wordsRanks = ranksOf(ranked, ({ words }) => words, compare);
  const vectorRanks = ranksOf(ranked, ({ cosine }) => cosine, compare);
  const maxWords = Math.max(0, ...candidates.map(({ words }) => words ?? 0));
  const cosines = candidates.flatMap(({ cosine }) => cosine ?? []);
  const scaleCosine = cosineScale(cosines);
  const reranked = [...(rerank?.values() ?? [])];
  const scaleWindow = cosineScale(reranked.flatMap(({ windowCosine }) => windowCosine ?? []));
  const blendWords = blender(RERANK_WEIGHTS.words, reranked);
  const blendVector = blender(RERANK_WEIGHTS.vector, reranked);
  const hasBoth = maxWords > 0 && cosines.length > 0;
  const fused = candidates.map(({ row, words, cosine }): Fused => {
    const scores = rerank?.get(row);
    const isSingle = !hasBoth || words === undefined || cosine === undefined;
    const wordsRank = wordsRanks.get(row);
    const vectorRank = vectorRanks.get(row);
    const wordsShare =
      words === undefined
        ? undefined
        : {
            rank: wordsRank,
            normalised: blendWords(words / (maxWords || 1), (name) => scores?.[name] ?? 0),
            weight: isSingle ? 1 : weights.words,
          };
    const vectorShare =
      cosine === undefined
        ? undefined
        : {
            rank: vectorRank,
            normalised: blendVector(scaleCosine(cosine), (name) => scaleWindow(scores?.[name] ?? -1)),
            weight: isSingle ? 1 : weights.vector,
          };
    const score = weighted(wordsShare) + weighted(vectorShare);
    return { row, words, cosine, score, wordsShare, vectorShare, rerank: scores };
  });
  return fused.sort((one, other) => other.score - one.score || compare(one.row, other.row));
}

/** Blends the score of a whole passage with those rerank scores that at least one passage has. */
function blender<Name extends keyof RerankScores>(
  weights: Readonly<Record<Name, number>>,
  reranked: readonly RerankScores[],
): (whole: number, scoreOf: (name: Name) => number) => number {
  const names = (Object.keys(weights) as Name[]).filter((name) =>
    reranked.some((scores) => scores[name] !== undefined),
  );
  const rest = 1 - names.reduce((sum, name) => sum + weights[name], 0);
  return (whole, scoreOf) => names.reduce((sum, name) => sum + weights[name] * scoreOf(name), rest * whole);
}

/**
 * Scales cosines to the range 0 to 1. The highest becomes 1. Zero lies below the lowest candidate by the range of the candidates: they
 * are the nearest rows, so the lowest of them is still relevant. It is high for embedders whose vectors are all similar.
 */
function cosineScale(cosines: readonly number[]): (cosine: number) => number {
  const highest = Math.max(0, ...cosines);
  const zero = Math.max(0, 2 * Math.min(...cosines) - Math.max(...cosines));
  const range = highest - zero || 1;
  return (cosine) => Math.max(0, cosine - zero) / range;
}

const weighted = (share: ScoreShare | undefined): number => (share === undefined ? 0 : share.weight * share.normalised);

/** The ranks of the candidates that a retriever found, from 1. */
function ranksOf(
  candidates: readonly Candidate[],
  valueOf: (candidate: Candidate) => number | undefined,
  compare: (one: number, other: number) => number,
): ReadonlyMap<number, number> {
  const found = candidates.flatMap((candidate) => {
    const value = valueOf(candidate);
    return value === undefined || value <= 0 ? [] : [{ row: candidate.row, value }];
  });
  found.sort((one, other) => other.value - one.value || compare(one.row, other.row));
  return new Map(found.map(({ row }, index) => [row, index + 1]));
}
