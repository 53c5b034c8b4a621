import type { ProjectFile } from "../project/project.js";
import type { RankedFile } from "./report.js";

/** How much a file asks for attention, from 0 to 90: its worst function, its average one, and how many there are. */
export const scoreOf = (maxCyclomatic: number, avgCognitive: number, functionCount: number): number =>
  0.4 * (Math.min(maxCyclomatic, 50) / 50) * 100 +
  0.4 * (Math.min(avgCognitive, 100) / 100) * 100 +
  0.2 * (Math.min(functionCount, 100) / 100) * 50;

/** The files that ask for attention most. */
export function rankFiles(files: readonly ProjectFile<"measures">[], most: number): readonly RankedFile[] {
  return files
    .filter(({ facts }) => facts.measures.functions.length > 0)
    .map(scored)
    .toSorted((one, other) => other.total_score - one.total_score || (one.file < other.file ? -1 : 1))
    .slice(0, most)
    .map((file, at) => ({ rank: at + 1, ...file }));
}

function scored({ shown, facts: { measures } }: ProjectFile<"measures">): Omit<RankedFile, "rank"> {
  const { functions } = measures;
  const most = functions.reduce((max, { cyclomatic }) => Math.max(max, cyclomatic), 0);
  const average = functions.reduce((all, { cognitive }) => all + cognitive, 0) / functions.length;
  return {
    file: shown,
    function_count: functions.length,
    max_cyclomatic: most,
    avg_cognitive: rounded(average),
    halstead_effort: measures.halstead.effort,
    total_score: rounded(scoreOf(most, average, functions.length)),
  };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
