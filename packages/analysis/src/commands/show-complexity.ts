import { type Column, drawTable, visibleLine } from "@toolwright/kit/terminal";
import type { Baseline, ComplexityReport, RankedFile, Violation, Worse } from "../complexity/report.js";
import { remarkOn } from "../complexity/view.js";
import { saidWorse, scopeOf } from "../complexity/write-report.js";
import { count, counted } from "../format.js";
import type { Desk } from "./deed.js";
import { remarks, section, skippedFiles } from "./view.js";

/** Complexity for people: the numbers of the whole, then what is above the thresholds, the worst first. */
export function showComplexity(desk: Desk, report: ComplexityReport, top: number): string {
  const { paint, project } = desk;
  const { summary, violations, ranking, baseline, skipped, left_out } = report;
  const { errors, warnings, technical_debt_hours: hours } = summary;
  const remark = remarkOn(report);
  if (remark !== undefined)
    return [
      `${paint.bold(`Complexity of ${project}`)}: ${scopeOf(summary)}`,
      ...remarks(desk, [remark]),
      ...skippedFiles(desk, skipped),
      ...leftOut(desk, left_out),
    ].join("\n");
  const verdict =
    errors + warnings === 0
      ? paint.green("No function is above the thresholds.")
      : `${errors > 0 ? paint.red(counted(errors, "error")) : paint.green("no errors")}, ${warnings > 0 ? paint.yellow(counted(warnings, "warning")) : "no warnings"}, ${count(hours)} hours of technical debt`;
  const found = violations.map(({ violation }) => violation);
  return [
    `${paint.bold(`Complexity of ${project}`)}: ${scopeOf(summary)}`,
    "",
    spread(desk, summary),
    "",
    verdict,
    ...(found.some(({ increments }) => increments !== undefined)
      ? found.slice(0, top).flatMap((violation) => explain(desk, violation))
      : section(desk, "Above the thresholds", columns(desk, baseline !== undefined), { rows: found, most: top })),
    ...section<RankedFile>(
      desk,
      "Files by score",
      [
        { name: "#", text: ({ rank }) => String(rank), isNumber: true },
        { name: "file", text: ({ file }) => file, gives: "path" },
        { name: "score", text: ({ total_score }) => total_score.toFixed(2), isNumber: true },
        { name: "functions", text: ({ function_count }) => count(function_count), isNumber: true },
        { name: "max cyclomatic", text: ({ max_cyclomatic }) => count(max_cyclomatic), isNumber: true },
        { name: "avg cognitive", text: ({ avg_cognitive }) => avg_cognitive.toFixed(1), isNumber: true },
        { name: "effort", text: ({ halstead_effort }) => count(Math.round(halstead_effort)), isNumber: true },
      ],
      { rows: ranking?.rankings ?? [], most: Number.POSITIVE_INFINITY },
    ),
    ...(baseline === undefined ? [] : showBaseline(desk, { baseline, found, top })),
    ...skippedFiles(desk, skipped),
    ...leftOut(desk, left_out),
  ].join("\n");
}

const leftOut = ({ paint }: Desk, { generated, vendored }: ComplexityReport["left_out"]): string[] =>
  generated + vendored === 0
    ? []
    : ["", paint.faint(`Left out: ${generated} generated and ${vendored} vendored files (--all has them).`)];

function spread({ paint, width }: Desk, summary: ComplexityReport["summary"]): string {
  const rows = [
    ["cyclomatic", summary.median_cyclomatic, summary.p90_cyclomatic, summary.max_cyclomatic],
    ["cognitive", summary.median_cognitive, summary.p90_cognitive, summary.max_cognitive],
  ] as const;
  return drawTable<(typeof rows)[number]>(
    [
      { name: "", text: ([name]) => name },
      { name: "median", text: ([, median]) => count(median), isNumber: true },
      { name: "p90", text: ([, , p90]) => count(p90), isNumber: true },
      { name: "max", text: ([, , , max]) => count(max), isNumber: true },
    ],
    rows,
    { width, head: paint.faint },
  );
}

/** Where there is a baseline, each says how it stands against that. */
function columns({ paint }: Desk, hasBaseline: boolean): readonly Column<Violation>[] {
  const states: readonly Column<Violation>[] = [
    {
      name: "baseline",
      text: ({ baseline_state }) => baseline_state ?? "",
      paint: (text, { baseline_state }) => (baseline_state === "new" ? paint.red(text) : text),
    },
  ];
  return [
    {
      name: "severity",
      text: ({ severity }) => severity,
      paint: (text, { severity }) => (severity === "error" ? paint.red(text) : paint.yellow(text)),
    },
    ...(hasBaseline ? states : []),
    { name: "metric", text: ({ rule }) => rule.replace("-complexity", "") },
    { name: "value", text: ({ value }) => count(value), isNumber: true },
    { name: "limit", text: ({ threshold }) => count(threshold), isNumber: true },
    { name: "function", text: (violation) => violation.function, gives: "words" },
    { name: "place", text: ({ file, line }) => `${file}:${line}`, gives: "path" },
  ];
}

/** A violation with every line that adds to it. */
function explain({ paint }: Desk, violation: Violation): string[] {
  const { severity, rule, value, threshold, file, line, increments = [], increments_left: left = 0 } = violation;
  const mark = severity === "error" ? paint.red(severity) : paint.yellow(severity);
  const width = Math.max(...increments.map((increment) => String(increment.line).length), 1);
  return [
    "",
    `${mark}${violation.baseline_state === "new" ? paint.red(" new") : ""} ${paint.bold(visibleLine(violation.function))}  ${paint.cyan(visibleLine(`${file}:${line}`))}`,
    `  ${rule.replace("-", " ")} ${value}, above ${threshold}`,
    ...increments.map(
      ({ line: at, adds, reason, nesting }) =>
        `  ${paint.faint(`line ${String(at).padStart(width)}`)}  +${adds}  ${visibleLine(reason)}${nesting === undefined || nesting === 0 ? "" : paint.faint(` (nested ${nesting} deep)`)}`,
    ),
    ...(left > 0 ? [paint.faint(`  and ${count(left)} more lines`)] : []),
  ];
}

function showBaseline(
  desk: Desk,
  { baseline, found, top }: { baseline: Baseline; found: readonly Violation[]; top: number },
): string[] {
  const { paint } = desk;
  const { revision, worse, worse_functions, better, removed } = baseline;
  const isNew = ({ severity, baseline_state }: Violation) => severity === "error" && baseline_state === "new";
  const errors = found.filter(isNew).length;
  const said = (worse_functions === 0 ? paint.green : paint.red)(saidWorse(worse_functions));
  const fresh = errors === 0 ? paint.green("no error is new") : paint.red(counted(errors, "new error"));
  return [
    "",
    `Against ${visibleLine(revision)}: ${said}, ${fresh}, ${count(better)} better, ${count(removed)} removed`,
    ...section<Worse>(
      desk,
      "Worse than before",
      [
        { name: "metric", text: ({ metric }) => metric },
        { name: "was", text: ({ was }) => count(was), isNumber: true },
        { name: "is", text: ({ is }) => count(is), isNumber: true, paint: paint.red },
        { name: "function", text: (each) => each.function, gives: "words" },
        { name: "place", text: ({ file, line }) => `${file}:${line}`, gives: "path" },
      ],
      { rows: worse, most: top },
    ),
  ];
}
