import type { Churn } from "./churn.js";
import type { FileRecord } from "./lineage.js";
import type { Pair } from "./shared-commits.js";
import type { Tally } from "./tally.js";

/** Fewer shared commits may be chance; below half of its commits a file does not follow the other. */
const LEAST = { least: 3, degree: 50 } as const;

/** How many pairs are kept. */
const MOST_PAIRS = 500;

/** Files that change together: most shared commits first. */
export function couplingOf(
  { shared, lineage }: Tally,
  there: readonly FileRecord[],
  pathOf: (name: string) => string,
): Churn["coupling"] {
  const places = lineage.placesIn(there);
  let best: Pair[] = [];
  for (const pair of shared.pairs(places, there.length, LEAST)) {
    best.push(pair);
    if (best.length > 4 * MOST_PAIRS) best = best.sort(byShare).slice(0, MOST_PAIRS);
  }
  return best
    .sort(byShare)
    .slice(0, MOST_PAIRS)
    .map(({ first, second, together, degree }) => ({
      files: [pathOf(there[first]?.name ?? ""), pathOf(there[second]?.name ?? "")],
      together,
      degree,
    }));
}

const byShare = (one: Pair, other: Pair): number =>
  other.together - one.together || other.degree - one.degree || one.first - other.first || one.second - other.second;
