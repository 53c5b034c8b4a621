import type { Fused } from "./fuse.js";
import type { Passage } from "./hits.js";

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
