import { fitToBudget, MAX_RESULT_BYTES, sizeInJson } from "@toolwright/kit/files";
import { nextOffset } from "@toolwright/kit/pack";
import type { FunctionMeasures } from "../metrics/measures.js";
import { noSourceFiles, type SkippedFile } from "../project/project.js";
import type {
  Baseline,
  ComplexFunction,
  ComplexityReport,
  FoundViolation,
  RankedFile,
  Summary,
  Violation,
} from "./report.js";

type ListedFunction = Omit<FunctionMeasures, "increments"> & {
  readonly file: string;
  readonly increments?: FunctionMeasures["increments"];
};

/** Selects a page of a report. */
export interface ViewOptions {
  readonly offset: number;
  readonly limit: number;
  /** Lists every function, not only those above a threshold. */
  readonly isFull: boolean;
  readonly explain: boolean;
  /** The sizes of the lists in bytes of JSON; undefined = unlimited. */
  readonly budget?: Budget | undefined;
}

/** The sizes of the lists in bytes of JSON, and of all together. */
interface Budget {
  readonly all: number;
  readonly page: number;
  readonly hotspots: number;
  readonly rankings: number;
  readonly skipped: number;
  readonly baseline: number;
}

/** The budget of a result. SARIF needs more bytes for each violation, so it has fewer of them. */
export const budgetFor = (format: string): Budget => ({
  all: MAX_RESULT_BYTES,
  page: format === "sarif" ? 8000 : MAX_RESULT_BYTES,
  hotspots: 3000,
  rankings: 5000,
  skipped: 4000,
  baseline: 4000,
});

/** A page of a report. */
export interface ComplexityView {
  readonly summary: Summary;
  /** What a reader must know before the numbers. */
  readonly remark?: string;
  readonly violations: readonly Violation[];
  readonly violations_total: number;
  readonly functions?: readonly ListedFunction[];
  readonly hotspots: readonly ComplexFunction[];
  readonly top_files?: {
    readonly requested: number;
    readonly returned: number;
    readonly rankings: readonly RankedFile[];
  };
  readonly baseline?: BaselineView;
  readonly skipped: readonly SkippedFile[];
  readonly skipped_total: number;
  readonly left_out: { readonly generated: number; readonly vendored: number };
  readonly next_cursor?: string;
}

type BaselineView = Baseline & {
  readonly worse_total: number;
  readonly new_violations: readonly Omit<Violation, "message" | "increments" | "increments_left" | "baseline_state">[];
  readonly new_violations_total: number;
  /** How many of them are errors. */
  readonly new_errors: number;
};

/** A page of a report with the functions of its violations, which SARIF needs. */
export interface ComplexityPage {
  readonly view: ComplexityView;
  readonly found: readonly FoundViolation[];
}

/** Explains a report without files; undefined if there are files. */
export const remarkOn = ({ summary, skipped }: Pick<ComplexityReport, "summary" | "skipped">): string | undefined =>
  summary.total_files > 0 ? undefined : noSourceFiles(skipped.length, "the path, include, exclude and the toolchain");

/** Selects a page of a report. */
export function toView(report: ComplexityReport, options: ViewOptions): ComplexityPage {
  const { summary, hotspots, ranking, baseline, skipped, left_out, violations } = report;
  const { budget } = options;
  const rankings = ranking && fit(ranking.rankings, budget?.rankings);
  const remark = remarkOn(report);
  const rest = {
    summary,
    ...(remark !== undefined && { remark }),
    violations_total: violations.length,
    hotspots: fit(hotspots, budget?.hotspots),
    ...(ranking !== undefined &&
      rankings !== undefined && { top_files: { requested: ranking.requested, returned: rankings.length, rankings } }),
    ...(baseline !== undefined && { baseline: toBaselineView(baseline, violations, budget?.baseline) }),
    skipped: fit(skipped, budget?.skipped),
    skipped_total: skipped.length,
    left_out,
  };
  const left = budget && Math.min(budget.page, budget.all - sizeInJson(rest));
  const { functions, found, total } = options.isFull
    ? pageOfFunctions(report, options, left)
    : pageOfViolations(report, options, left);
  const count = functions?.length ?? found.length;
  const view = {
    ...rest,
    violations: found.map(toViolation),
    ...(functions !== undefined && { functions }),
    ...(count > 0 && nextOffset(options.offset + count, total)),
  };
  return { view, found };
}

interface Page {
  readonly functions?: readonly ListedFunction[];
  readonly found: readonly FoundViolation[];
  readonly total: number;
}

function pageOfViolations(
  { violations }: ComplexityReport,
  { offset, limit }: ViewOptions,
  bytes: number | undefined,
): Page {
  const some = violations.slice(offset, offset + limit);
  return { found: some.slice(0, fit(some.map(toViolation), bytes).length), total: violations.length };
}

/** A page of functions, with the violations of just these functions. */
function pageOfFunctions(
  { functions, violations }: ComplexityReport,
  { offset, limit, explain }: ViewOptions,
  bytes: number | undefined,
): Page {
  const wanted = functions.slice(offset, offset + limit);
  const listed = wanted.map(({ file, measures: { increments, ...measures } }): ListedFunction => {
    return { file, ...measures, ...(explain && { increments }) };
  });
  const byFunction = new Map<unknown, FoundViolation[]>();
  for (const each of violations) byFunction.set(each.of, [...(byFunction.get(each.of) ?? []), each]);
  const found = wanted.map((each) => byFunction.get(each) ?? []);
  const count = fit(
    listed.map((each, at) => [each, found[at]?.map(toViolation)]),
    bytes,
  ).length;
  return { functions: listed.slice(0, count), found: found.slice(0, count).flat(), total: functions.length };
}

function toBaselineView(
  { worse, ...rest }: Baseline,
  violations: readonly FoundViolation[],
  bytes: number | undefined,
): BaselineView {
  const added = violations.flatMap(({ violation }) => {
    const { message: _message, increments: _increments, increments_left: _left, baseline_state, ...shown } = violation;
    return baseline_state === "new" ? [shown] : [];
  });
  return {
    ...rest,
    worse: fit(worse, bytes),
    worse_total: worse.length,
    new_violations: fit(added, bytes),
    new_violations_total: added.length,
    new_errors: added.filter(({ severity }) => severity === "error").length,
  };
}

const toViolation = ({ violation }: FoundViolation): Violation => violation;

const fit = <Entry>(entries: readonly Entry[], bytes: number | undefined): readonly Entry[] =>
  bytes === undefined ? entries : fitToBudget(entries, bytes);
