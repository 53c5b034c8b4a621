import type { StretchScore } from "./stretch-scores.js";
import type { Fusion, Weights } from "./wish.js";

/** What the legs say of a candidate; absent: the leg cannot judge it, or did not name it. */
export interface Candidate {
  readonly row: number;
  readonly words: number | undefined;
  readonly cosine: number | undefined;
}

/** A leg's part in a score: score = the sum of `weight * normalised`. */
interface LegShare {
  readonly rank: number | undefined;
  readonly normalised: number;
  readonly weight: number;
}

/** A candidate with its score. */
export interface Fused extends Candidate {
  readonly score: number;
  readonly wordsShare: LegShare | undefined;
  readonly vectorShare: LegShare | undefined;
  readonly stretch: StretchScore | undefined;
}

/** What softens the first ranks in reciprocal rank fusion. */
const RANK_CONSTANT = 60;

/** How much the best stretches of a passage count in each leg beside the whole of it. */
const STRETCH = { words: 0.2, vector: 0.7 };

/**
 * How much vectors count beside words, by how well the embedder finds things: the built-in table's was chosen by measuring, an unknown
 * one's is the usual 0.7. That table tells more of a stretch than of a whole passage.
 */
export function defaultWeights(embedder: string, hasStretches: boolean): Weights {
  const vector = embedder.startsWith("static") ? (hasStretches ? 0.4 : 0.2) : /minilm/i.test(embedder) ? 0.5 : 0.7;
  return { vector, words: 1 - vector };
}

/** How two legs become one order. */
interface FuseWish {
  readonly fusion: Fusion;
  readonly weights: Weights;
  /** Whether ranks are asked for; reciprocal rank fusion has them anyway. */
  readonly wantsRanks: boolean;
  /** Of the best rows; the stretches of the others count as nothing. */
  readonly stretches?: ReadonlyMap<number, StretchScore> | undefined;
}

/** Makes one order of what two legs say. Of equal scores the first in `compare` comes first. */
export function fuse(
  candidates: readonly Candidate[],
  { fusion, weights, wantsRanks, stretches }: FuseWish,
  compare: (one: number, other: number) => number,
): Fused[] {
  const ranked = wantsRanks || fusion === "rrf" ? candidates : [];
  const wordsRanks = ranksOf(ranked, ({ words }) => words, compare);
  const vectorRanks = ranksOf(ranked, ({ cosine }) => cosine, compare);
  const mostWords = Math.max(0, ...candidates.map(({ words }) => words ?? 0));
  const cosines = candidates.flatMap(({ cosine }) => cosine ?? []);
  const near = scaleOf(cosines);
  const judged = [...(stretches?.values() ?? [])];
  const nearStretch = scaleOf(judged.flatMap(({ cosine }) => cosine ?? []));
  const shares = {
    words: judged.some(({ words }) => words !== undefined) ? STRETCH.words : 0,
    vector: judged.some(({ cosine }) => cosine !== undefined) ? STRETCH.vector : 0,
  };
  const blend = (leg: keyof Weights, whole: number, best: number): number =>
    (1 - shares[leg]) * whole + shares[leg] * best;
  const hasBoth = mostWords > 0 && cosines.length > 0;
  const isRanked = fusion === "rrf";
  const fused = candidates.map(({ row, words, cosine }): Fused => {
    const stretch = stretches?.get(row);
    const isAlone = !hasBoth || words === undefined || cosine === undefined;
    const wordsRank = wordsRanks.get(row);
    const vectorRank = vectorRanks.get(row);
    const wordsShare =
      words === undefined
        ? undefined
        : isRanked
          ? reciprocal(wordsRank)
          : {
              rank: wordsRank,
              normalised: blend("words", words / (mostWords || 1), stretch?.words ?? 0),
              weight: isAlone ? 1 : weights.words,
            };
    const vectorShare =
      cosine === undefined
        ? undefined
        : isRanked
          ? reciprocal(vectorRank)
          : {
              rank: vectorRank,
              normalised: blend("vector", near(cosine), nearStretch(stretch?.cosine ?? -1)),
              weight: isAlone ? 1 : weights.vector,
            };
    return { row, words, cosine, score: worth(wordsShare) + worth(vectorShare), wordsShare, vectorShare, stretch };
  });
  return fused.sort((one, other) => other.score - one.score || compare(one.row, other.row));
}

const reciprocal = (rank: number | undefined): LegShare => ({
  rank,
  normalised: rank === undefined ? 0 : 1 / (RANK_CONSTANT + rank),
  weight: 1,
});

/**
 * What cosines are worth, the highest of them 1. The one that counts as nothing lies as far below the candidates as these lie apart: they
 * are the nearest of all, and none of them is far off. With embedders that find all texts alike it is high; with others it is zero.
 */
function scaleOf(cosines: readonly number[]): (cosine: number) => number {
  const most = Math.max(0, ...cosines);
  const floor = Math.max(0, 2 * Math.min(...cosines) - Math.max(...cosines));
  const range = most - floor || 1;
  return (cosine) => Math.max(0, cosine - floor) / range;
}

const worth = (share: LegShare | undefined): number => (share === undefined ? 0 : share.weight * share.normalised);

/** The place of each candidate that a leg has found something in, from 1. */
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
