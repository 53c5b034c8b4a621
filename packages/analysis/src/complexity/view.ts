import { fitToBudget, MAX_RESULT_BYTES, sizeInJson } from "@toolwright/kit/files";
import type { FunctionMeasures } from "../metrics/measures.js";
import { nothingFound, type SkippedFile } from "../project/project.js";
import type {
  Baseline,
  ComplexityReport,
  FoundViolation,
  Hotspot,
  RankedFile,
  Summary,
  Violation,
  Worse,
} from "./report.js";

/** A function with all that was measured of it. */
type ListedFunction = Omit<FunctionMeasures, "increments"> & {
  readonly file: string;
  readonly increments?: FunctionMeasures["increments"];
};

/** Which part of a report is shown. */
export interface ViewWish {
  readonly offset: number;
  readonly limit: number;
  /** Lists every function, not only those above a threshold. */
  readonly isFull: boolean;
  readonly explain: boolean;
  /** How many bytes of JSON the lists may have; undefined = any number. */
  readonly room?: Room | undefined;
}

/** How many bytes of JSON each list may have, and all together. */
interface Room {
  readonly all: number;
  readonly page: number;
  readonly hotspots: number;
  readonly rankings: number;
  readonly skipped: number;
  readonly baseline: number;
}

/** What a result has room for; of SARIF, which says the same in more words, fewer go in. */
export const roomFor = (format: string): Room => ({
  all: MAX_RESULT_BYTES,
  page: format === "sarif" ? 8000 : MAX_RESULT_BYTES,
  hotspots: 3000,
  rankings: 5000,
  skipped: 4000,
  baseline: 4000,
});

/** A report as it is shown: its lists bounded, with a word on what is left. */
export interface ComplexityView {
  readonly summary: Summary;
  /** What a reader must know before the numbers. */
  readonly remark?: string;
  readonly violations: readonly Violation[];
  readonly violations_total: number;
  readonly functions?: readonly ListedFunction[];
  readonly hotspots: readonly Hotspot[];
  readonly top_files?: {
    readonly requested: number;
    readonly returned: number;
    readonly rankings: readonly RankedFile[];
  };
  readonly baseline?: BaselineView;
  readonly skipped: readonly SkippedFile[];
  readonly skipped_total: number;
  readonly left_out: { readonly generated: number; readonly vendored: number };
  /** The arguments with which the next call goes on. */
  readonly next?: { readonly offset: number };
}

/** How a project stands against a commit, with the first of what is worse. */
type BaselineView = Omit<Baseline, "worse"> & {
  readonly worse: readonly Worse[];
  readonly worse_total: number;
  readonly new_violations: readonly Omit<Violation, "message" | "increments" | "increments_left" | "baseline_state">[];
  readonly new_violations_total: number;
  /** How many of them are errors. */
  readonly new_errors: number;
};

/** A part of a report, with where it stands in the order of SARIF's results. */
export interface Shown {
  readonly view: ComplexityView;
  /** The violations of the view with the functions that they are of. */
  readonly found: readonly FoundViolation[];
}

/** Takes that part of a report that is to be shown. */
export function showReport(report: ComplexityReport, wish: ViewWish): Shown {
  const { summary, hotspots, ranking, baseline, skipped, left_out, violations } = report;
  const { room } = wish;
  const rankings = ranking && bounded(ranking.rankings, room?.rankings);
  const remark = remarkOn(report);
  const rest = {
    summary,
    ...(remark !== undefined && { remark }),
    violations_total: violations.length,
    hotspots: bounded(hotspots, room?.hotspots),
    ...(ranking !== undefined &&
      rankings !== undefined && { top_files: { requested: ranking.requested, returned: rankings.length, rankings } }),
    ...(baseline !== undefined && { baseline: baselineView(baseline, violations, room?.baseline) }),
    skipped: bounded(skipped, room?.skipped),
    skipped_total: skipped.length,
    left_out,
  };
  const left = room && Math.min(room.page, room.all - sizeInJson(rest));
  const { functions, found, next } = wish.isFull ? functionPage(report, wish, left) : violationPage(report, wish, left);
  const view = {
    ...rest,
    violations: found.map(toViolation),
    ...(functions !== undefined && { functions }),
    ...(next !== undefined && { next: { offset: next } }),
  };
  return { view, found };
}

interface Page {
  readonly functions?: readonly ListedFunction[];
  readonly found: readonly FoundViolation[];
  readonly next?: number | undefined;
}

function violationPage({ violations }: ComplexityReport, { offset, limit }: ViewWish, room: number | undefined): Page {
  const some = violations.slice(offset, offset + limit);
  const fitting = bounded(some.map(toViolation), room).length;
  const found = some.slice(0, fitting);
  return { found, next: nextOf(offset, found.length, violations.length) };
}

/** A page of functions has the violations of just these. */
function functionPage(
  { functions, violations }: ComplexityReport,
  { offset, limit, explain }: ViewWish,
  room: number | undefined,
): Page {
  const wanted = functions.slice(offset, offset + limit);
  const listed = wanted.map(({ file, measures: { increments, ...measures } }): ListedFunction => {
    return { file, ...measures, ...(explain && { increments }) };
  });
  const byFunction = new Map<unknown, FoundViolation[]>();
  for (const each of violations) byFunction.set(each.of, [...(byFunction.get(each.of) ?? []), each]);
  const found = wanted.map((each) => byFunction.get(each) ?? []);
  const sent = listed.map((each, at) => [each, found[at]?.map(toViolation)]);
  const some = listed.slice(0, bounded(sent, room).length);
  return {
    functions: some,
    found: found.slice(0, some.length).flat(),
    next: nextOf(offset, some.length, functions.length),
  };
}

function baselineView(
  { worse, ...rest }: Baseline,
  violations: readonly FoundViolation[],
  room: number | undefined,
): BaselineView {
  const fresh = violations.flatMap(({ violation }) => {
    const { message: _message, increments: _increments, increments_left: _left, baseline_state, ...told } = violation;
    return baseline_state === "new" ? [told] : [];
  });
  return {
    ...rest,
    worse: bounded(worse, room),
    worse_total: worse.length,
    new_violations: bounded(fresh, room),
    new_violations_total: fresh.length,
    new_errors: fresh.filter(({ severity }) => severity === "error").length,
  };
}

const toViolation = ({ violation }: FoundViolation): Violation => violation;

const bounded = <Entry>(entries: readonly Entry[], room: number | undefined): readonly Entry[] =>
  room === undefined ? entries : fitToBudget(entries, room);

const nextOf = (offset: number, count: number, total: number): number | undefined =>
  count > 0 && offset + count < total ? offset + count : undefined;

/** What a reader must know before the numbers: that nothing was measured is not that nothing is wrong. */
export const remarkOn = ({ summary, skipped }: Pick<ComplexityReport, "summary" | "skipped">): string | undefined =>
  summary.total_files > 0 ? undefined : nothingFound(skipped.length, "project_path, include, exclude and toolchain");
