import type { AgeGroup, FileChurn } from "./churn.js";

const DAY = 86_400;

/** Days. No period is longer than the last, and git gives no commit from before the period. */
const GROUPS = [7, 30, 90, 365, 3650] as const;

/** Whole days between two moments in seconds; what is dated later by a wrong clock is new. */
export const ageOf = (time: number, now: number): number => Math.max(0, Math.floor((now - time) / DAY));

/** How many files of all there are were last changed how long ago; those without a change in the period come last. */
export function ageGroups(files: readonly FileChurn[], all: number): readonly AgeGroup[] {
  const groups = GROUPS.map((days, at) => {
    const after = GROUPS[at - 1] ?? -1;
    return { days, files: files.filter(({ age_days: age }) => age > after && age <= days).length };
  });
  const others = all - files.length;
  return [...groups, { files: others }].filter((group) => group.files > 0);
}
