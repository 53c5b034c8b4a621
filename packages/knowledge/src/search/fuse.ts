import type { Passage } from "./hits.js";
import type { CloseLook } from "./rerank.js";
import type { Fusion, Weights } from "./search-types.js";

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
  readonly look: CloseLook | undefined;
  /** What is taken off because a better one is of the same section. */
  readonly repeated?: number;
}

/** What softens the first ranks in reciprocal rank fusion. */
const RANK_CONSTANT = 60;

/** How much a closer look at a passage counts in each leg beside the whole of it. */
const LOOK = {
  words: { stretch: 0.2, together: 0.1, heading: 0.2 },
  vector: { cosine: 0.5, feedback: 0.2 },
} satisfies Record<keyof Weights, Partial<Record<keyof CloseLook, number>>>;

/**
 * How much vectors count beside words, by how well the embedder finds things: the built-in table's was chosen by measuring, an unknown
 * one's is the usual 0.7. That table tells more of a stretch than of a whole passage.
 */
export function defaultWeights(embedder: string, hasLooks: boolean): Weights {
  const vector = embedder.startsWith("static") ? (hasLooks ? 0.3 : 0.2) : /minilm/i.test(embedder) ? 0.5 : 0.7;
  return { vector, words: 1 - vector };
}

/** How two legs become one order. */
interface FuseWish {
  readonly fusion: Fusion;
  readonly weights: Weights;
  /** Whether ranks are asked for; reciprocal rank fusion has them anyway. */
  readonly wantsRanks: boolean;
  /** Of the best rows; for the others what a closer look would tell counts as nothing. */
  readonly looks?: ReadonlyMap<number, CloseLook> | undefined;
}

/** Makes one order of what two legs say. Of equal scores the first in `compare` comes first. */
export function fuse(
  candidates: readonly Candidate[],
  { fusion, weights, wantsRanks, looks }: FuseWish,
  compare: (one: number, other: number) => number,
): Fused[] {
  const ranked = wantsRanks || fusion === "rrf" ? candidates : [];
  const wordsRanks = ranksOf(ranked, ({ words }) => words, compare);
  const vectorRanks = ranksOf(ranked, ({ cosine }) => cosine, compare);
  const mostWords = Math.max(0, ...candidates.map(({ words }) => words ?? 0));
  const cosines = candidates.flatMap(({ cosine }) => cosine ?? []);
  const near = scaleOf(cosines);
  const judged = [...(looks?.values() ?? [])];
  const nearStretch = {
    cosine: scaleOf(judged.flatMap(({ cosine }) => cosine ?? [])),
    feedback: scaleOf(judged.flatMap(({ feedback }) => feedback ?? [])),
  };
  const blendWords = blender(LOOK.words, judged);
  const blendVector = blender(LOOK.vector, judged);
  const hasBoth = mostWords > 0 && cosines.length > 0;
  const isRanked = fusion === "rrf";
  const fused = candidates.map(({ row, words, cosine }): Fused => {
    const look = looks?.get(row);
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
              normalised: blendWords(words / (mostWords || 1), (part) => look?.[part] ?? 0),
              weight: isAlone ? 1 : weights.words,
            };
    const vectorShare =
      cosine === undefined
        ? undefined
        : isRanked
          ? reciprocal(vectorRank)
          : {
              rank: vectorRank,
              normalised: blendVector(near(cosine), (part) => nearStretch[part](look?.[part] ?? -1)),
              weight: isAlone ? 1 : weights.vector,
            };
    return { row, words, cosine, score: worth(wordsShare) + worth(vectorShare), wordsShare, vectorShare, look };
  });
  return fused.sort((one, other) => other.score - one.score || compare(one.row, other.row));
}

/** Blends what the whole of a passage is worth with what a closer look tells, as far as any passage was asked. */
function blender<Part extends keyof CloseLook>(
  shares: Readonly<Record<Part, number>>,
  judged: readonly CloseLook[],
): (whole: number, worthOf: (part: Part) => number) => number {
  const parts = (Object.keys(shares) as Part[]).filter((part) => judged.some((look) => look[part] !== undefined));
  const left = 1 - parts.reduce((sum, part) => sum + shares[part], 0);
  return (whole, worthOf) => parts.reduce((sum, part) => sum + shares[part] * worthOf(part), left * whole);
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

/** How much less a passage counts where a better one is of the same section: that one leads the reader there already. */
const REPEATED = 0.05;

/** Lowers the passages whose section has a better one, and puts them in their new places. */
export function lowerRepeats(
  fused: readonly Fused[],
  passages: ReadonlyMap<number, Pick<Passage, "revision" | "headings">>,
  compare: (one: number, other: number) => number,
): Fused[] {
  const seen = new Set<string>();
  const lowered = fused.map((one): Fused => {
    const passage = passages.get(one.row);
    // What no heading divides is no section.
    if (passage === undefined || passage.headings.length === 0) return one;
    const section = JSON.stringify([passage.revision, ...passage.headings]);
    if (seen.has(section)) return { ...one, score: Math.max(0, one.score - REPEATED), repeated: REPEATED };
    seen.add(section);
    return one;
  });
  return lowered.sort((one, other) => other.score - one.score || compare(one.row, other.row));
}
