import type { Language } from "@toolwright/kit/syntax";
import type { Project, ProjectFile } from "../project/project.js";
import type { FoundViolation, MeasuredFunction, RankedFile, Summary } from "./report.js";

/** What each point above a threshold is reckoned to cost. */
const MINUTES = { error: 30, warning: 15 } as const;

/** The numbers of a whole project. */
export function summarise(
  { files, read, known }: Project<"measures">,
  functions: readonly MeasuredFunction[],
  violations: readonly FoundViolation[],
): Summary {
  const [cyclomatic, cognitive] = (["cyclomatic", "cognitive"] as const).map((metric) =>
    spread(functions.map(({ measures }) => measures[metric])),
  ) as [Spread, Spread];
  const errors = violations.filter(({ violation }) => violation.severity === "error").length;
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
    technical_debt_hours: debtOf(violations),
    languages: languagesIn(files),
    files_read: read,
    files_known: known,
  };
}

interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly max: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (index: number): number => sorted[index] ?? 0;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 0 ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
  return { median, p90: at(Math.ceil(sorted.length * 0.9) - 1), max: at(sorted.length - 1) };
}

function debtOf(violations: readonly FoundViolation[]): number {
  const minutes = violations.reduce(
    (all, { violation: { severity, value, threshold } }) => all + MINUTES[severity] * (value - threshold),
    0,
  );
  return Math.round((minutes / 60) * 100) / 100;
}

function languagesIn(files: Project<"measures">["files"]): Summary["languages"] {
  const counts = new Map<Language, { files: number; functions: number }>();
  for (const { language, facts } of files) {
    const count = counts.get(language) ?? { files: 0, functions: 0 };
    counts.set(language, { files: count.files + 1, functions: count.functions + facts.measures.functions.length });
  }
  return [...counts]
    .map(([language, count]) => ({ language, ...count }))
    .toSorted((one, other) => other.files - one.files || (one.language < other.language ? -1 : 1));
}

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
