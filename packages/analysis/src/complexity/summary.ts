import type { Language } from "@toolwright/kit/syntax";
import type { Project } from "../project/project.js";
import type { FoundViolation, MeasuredFunction, Summary } from "./report.js";

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
