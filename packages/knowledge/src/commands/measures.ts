/** The measures that people look at first, and what they are called. */
const SHORT: readonly (readonly [name: string, words: string])[] = [
  ["recall@10", "recall@10"],
  ["mrr", "MRR"],
  ["ndcg@10", "nDCG@10"],
];

/** What an evaluation has measured, in one line. */
export const measureWords = (quality: Readonly<Record<string, unknown>>): string =>
  SHORT.flatMap(([name, words]) => {
    const value = quality[name];
    return typeof value === "number" ? [`${words} ${value.toFixed(3)}`] : [];
  }).join(", ");
