/** @typedef {{ ndcg: number, recall: number, mrr: number }} Measures each at 10 results */

/**
 * What one answer is worth. `found` says of each result, in order, which of the relevant things it has; a thing that is found twice
 * counts once.
 * @param {(string | number)[][]} found
 * @param {number} relevant how many there are
 * @returns {Measures}
 */
export function measure(found, relevant) {
  const seen = new Set();
  let [gain, first] = [0, 0];
  for (const [index, each] of found.slice(0, 10).entries()) {
    const fresh = each.filter((thing) => !seen.has(thing));
    if (fresh.length === 0) continue;
    for (const thing of fresh) seen.add(thing);
    gain += 1 / Math.log2(index + 2);
    first ||= 1 / (index + 1);
  }
  let ideal = 0;
  for (let index = 0; index < Math.min(10, relevant); index++) ideal += 1 / Math.log2(index + 2);
  return { ndcg: gain / ideal, recall: seen.size / relevant, mrr: first };
}

/** The mean of several answers. */
export function mean(/** @type {Measures[]} */ all) {
  const of = (/** @type {keyof Measures} */ key) => all.reduce((sum, each) => sum + each[key], 0) / all.length;
  return { ndcg: of("ndcg"), recall: of("recall"), mrr: of("mrr") };
}

/** The ways of searching that are compared. */
export const ways = [
  { name: "words", args: { mode: "words" } },
  { name: "vector", args: { mode: "vector" } },
  { name: "hybrid", args: {} },
];
