import type { Language } from "@toolwright/kit/syntax";
import type { Project, ProjectFile } from "../project/project.js";
import type { FoundViolation, MeasuredFunction, RankedFile, Summary } from "./report.js";

/** The estimated cost of each point above a threshold. */
const MINUTES = { error: 30, warning: 15 } as const;

/** Summarizes a whole project. */
export function summarize(
  { files, read, known }: Project<"measures">,
  functions: readonly MeasuredFunction[],
  violations: readonly FoundViolation[],
): Summary {
  const cyclomatic = distributionOf(functions.map(({ measures }) => measures.cyclomatic));
  const cognitive = distributionOf(functions.map(({ measures }) => measures.cognitive));
  const errors = violations.filter(({ violation }) => violation.severity === "error").length;
  const minutes = violations.reduce(
    (sum, { violation: { severity, value, threshold } }) => sum + MINUTES[severity] * (value - threshold),
    0,
  );
  return {
    total_files: files.length,
    total_functions: functions.length,
    median_cyclomatic: cyclomatic.median,
    p90_cyclomatic: cyclomatic.p90,
    max_cyclomatic: cyclomatic.max,
    median_cognitive: cognitive.median,
    p90_cognitive: cognitive.p90,
    max_cognitive: cognitive.max,
    errors,
    warnings: violations.length - errors,
    technical_debt_hours: round(minutes / 60),
    languages: languagesIn(files),
    files_read: read,
    files_known: known,
  };
}

function distributionOf(values: readonly number[]): { median: number; p90: number; max: number } {
  const sorted = Float64Array.from(values).sort();
  const at = (index: number): number => sorted[index] ?? 0;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 0 ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
  return { median, p90: at(Math.ceil(sorted.length * 0.9) - 1), max: at(sorted.length - 1) };
}

function languagesIn(files: Project<"measures">["files"]): Summary["languages"] {
  const counts = new Map<Language, { files: number; functions: number }>();
  for (const { language, facts } of files) {
    const count = counts.get(language) ?? { files: 0, functions: 0 };
    counts.set(language, { files: count.files + 1, functions: count.functions + facts.measures.functions.length });
  }
  return [...counts]
    .map(([language, count]) => ({ language, ...count }))
    .toSorted((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}

/** The score of a file, from 0 to 90: its worst function, its average function, and the number of functions. */
export const scoreOf = (maxCyclomatic: number, avgCognitive: number, functionCount: number): number =>
  0.4 * (Math.min(maxCyclomatic, 50) / 50) * 100 +
  0.4 * (Math.min(avgCognitive, 100) / 100) * 100 +
  0.2 * (Math.min(functionCount, 100) / 100) * 50;

/** The files with the highest scores. */
export function rankFiles(files: readonly ProjectFile<"measures">[], limit: number): readonly RankedFile[] {
  return files
    .filter(({ facts }) => facts.measures.functions.length > 0)
    .map(toRanked)
    .toSorted((a, b) => b.total_score - a.total_score || (a.file < b.file ? -1 : 1))
    .slice(0, limit)
    .map((file, at) => ({ rank: at + 1, ...file }));
}

function toRanked({ displayPath, facts: { measures } }: ProjectFile<"measures">): Omit<RankedFile, "rank"> {
  const { functions } = measures;
  const max = functions.reduce((highest, { cyclomatic }) => Math.max(highest, cyclomatic), 0);
  const average = functions.reduce((sum, { cognitive }) => sum + cognitive, 0) / functions.length;
  return {
    file: displayPath,
    function_count: functions.length,
    max_cyclomatic: max,
    avg_cognitive: round(average),
    halstead_effort: measures.halstead.effort,
    total_score: round(scoreOf(max, average, functions.length)),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
