import { defineCommand, writeJson } from "@toolwright/kit/cli";
import { type Column, drawTable, visibleLine } from "@toolwright/kit/terminal";
import type { Baseline, ComplexityReport, RankedFile, Regression, Violation } from "../complexity/report.js";
import { count, counted } from "../format.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  DEFAULT_ROWS,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  ROW_OPTIONS,
  remarks,
  runAnalysis,
  section,
  skippedFiles,
} from "./run-analysis.js";

const MACHINE_FORMATS = ["full", "json", "sarif", "markdown"] as const;
const FORMATS = ["summary", ...MACHINE_FORMATS] as const;

/** `toolwright analyze complexity` */
export const complexity = defineCommand({
  name: "complexity",
  summary: "Measure how hard functions are to understand and to test",
  tool: "analyze_complexity",
  args: PATH_ARGUMENT,
  options: {
    maxCyclomatic: {
      type: "integer",
      min: 1,
      placeholder: "NUMBER",
      description: "Report an error above it, and a warning above three quarters of it (default: 20).",
    },
    maxCognitive: {
      type: "integer",
      min: 1,
      placeholder: "NUMBER",
      description: "The same for the cognitive complexity (default: 30).",
    },
    explain: { type: "boolean", description: "Show what each line adds, and why." },
    ...ROW_OPTIONS,
    topFiles: { type: "integer", min: 0, placeholder: "NUMBER", default: 0, description: "Rank this many files." },
    toolchain: {
      type: "string",
      placeholder: "NAME",
      default: "auto",
      description: "Analyze only the languages of a toolchain, such as rust, deno or python-uv.",
    },
    baseline: { type: "string", placeholder: "COMMIT", description: "Compare with a commit, branch or tag." },
    all: { type: "boolean", description: "Include generated and vendored files." },
    fail: {
      type: "boolean",
      description: "End with code 1 if there are errors; with --baseline, if a function is worse or an error is new.",
    },
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: [
    "toolwright analyze complexity src --explain",
    "toolwright analyze complexity --baseline main --fail",
    "toolwright analyze complexity --format sarif --output complexity.sarif",
  ],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const [{ analyzeComplexity }, { toView }, { writeReport }] = await Promise.all([
        import("../complexity/analyze.js"),
        import("../complexity/view.js"),
        import("../complexity/write-report.js"),
      ]);
      const { analysis, call, path, format } = screen;
      const { explain, limit = input.top } = input;
      const isFull = input.format === "full";
      const options = {
        project_path: path,
        toolchain: input.toolchain,
        max_cyclomatic: input.maxCyclomatic,
        max_cognitive: input.maxCognitive,
        top_files: input.topFiles,
        include: input.include,
        exclude: input.exclude,
        all: input.all,
        explain,
        baseline: input.baseline,
      };
      const report = await analyzeComplexity(analysis, call, options, isFull);
      const hasFailed = input.fail && isFailure(report);
      const form = MACHINE_FORMATS.find((each) => each === format);
      if (form === undefined) return { text: await show(screen, report, limit ?? DEFAULT_ROWS), hasFailed };
      const page = toView(report, { offset: 0, limit: limit ?? Number.POSITIVE_INFINITY, isFull, explain });
      const text = writeReport(page, form);
      return { text: form === "json" || form === "sarif" ? writeJson(JSON.parse(text)) : text, hasFailed };
    }),
});

function isFailure({ summary, violations, baseline }: ComplexityReport): boolean {
  // An analysis of nothing, such as for a mistyped glob, must not pass.
  if (summary.total_files === 0) return true;
  const errors = violations.filter(({ violation }) => violation.severity === "error");
  if (baseline === undefined) return errors.length > 0;
  return baseline.worse.length > 0 || errors.some(({ violation }) => violation.baseline_state === "new");
}

async function show(screen: AnalysisScreen, report: ComplexityReport, rows: number): Promise<string> {
  const [{ describeScope, describeWorse }, { remarkOn }] = await Promise.all([
    import("../complexity/write-report.js"),
    import("../complexity/view.js"),
  ]);
  const { paint, project } = screen;
  const { summary, violations, ranking, baseline, skipped, left_out } = report;
  const { errors, warnings, technical_debt_hours: hours } = summary;
  const heading = `${paint.bold(`Complexity of ${project}`)}: ${describeScope(summary)}`;
  const remark = remarkOn(report);
  if (remark !== undefined)
    return [heading, ...remarks(screen, [remark]), ...skippedFiles(screen, skipped), ...leftOut(screen, left_out)].join(
      "\n",
    );
  const verdict =
    errors + warnings === 0
      ? paint.green("No function is above the thresholds.")
      : `${errors > 0 ? paint.red(counted(errors, "error")) : paint.green("no errors")}, ${warnings > 0 ? paint.yellow(counted(warnings, "warning")) : "no warnings"}, ${count(hours)} hours of technical debt`;
  const found = violations.map(({ violation }) => violation);
  return [
    heading,
    "",
    distribution(screen, summary),
    "",
    verdict,
    ...(found.some(({ increments }) => increments !== undefined)
      ? found.slice(0, rows).flatMap((violation) => explainViolation(screen, violation))
      : section(screen, "Above the thresholds", violationColumns(screen, baseline !== undefined), {
          rows: found,
          limit: rows,
        })),
    ...section<RankedFile>(
      screen,
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
      { rows: ranking?.rankings ?? [], limit: Number.POSITIVE_INFINITY },
    ),
    ...(baseline === undefined ? [] : showBaseline(screen, { baseline, found, rows }, describeWorse)),
    ...skippedFiles(screen, skipped),
    ...leftOut(screen, left_out),
  ].join("\n");
}

const leftOut = ({ paint }: AnalysisScreen, { generated, vendored }: ComplexityReport["left_out"]): string[] =>
  generated + vendored === 0
    ? []
    : ["", paint.faint(`Left out: ${generated} generated and ${vendored} vendored files (--all includes them).`)];

function distribution({ paint, width }: AnalysisScreen, summary: ComplexityReport["summary"]): string {
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

function violationColumns({ paint }: AnalysisScreen, hasBaseline: boolean): readonly Column<Violation>[] {
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
    { name: "location", text: ({ file, line }) => `${file}:${line}`, gives: "path" },
  ];
}

function explainViolation({ paint }: AnalysisScreen, violation: Violation): string[] {
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
  screen: AnalysisScreen,
  { baseline, found, rows }: { baseline: Baseline; found: readonly Violation[]; rows: number },
  describeWorse: (functions: number) => string,
): string[] {
  const { paint } = screen;
  const { revision, worse, worse_functions, better, removed } = baseline;
  const isNew = ({ severity, baseline_state }: Violation) => severity === "error" && baseline_state === "new";
  const errors = found.filter(isNew).length;
  const change = (worse_functions === 0 ? paint.green : paint.red)(describeWorse(worse_functions));
  const added = errors === 0 ? paint.green("no new error") : paint.red(counted(errors, "new error"));
  return [
    "",
    `Compared with ${visibleLine(revision)}: ${change}, ${added}, ${count(better)} better, ${count(removed)} removed`,
    ...section<Regression>(
      screen,
      "Worse than before",
      [
        { name: "metric", text: ({ metric }) => metric },
        { name: "was", text: ({ was }) => count(was), isNumber: true },
        { name: "is", text: ({ is }) => count(is), isNumber: true, paint: paint.red },
        { name: "function", text: (each) => each.function, gives: "words" },
        { name: "location", text: ({ file, line }) => `${file}:${line}`, gives: "path" },
      ],
      { rows: worse, limit: rows },
    ),
  ];
}
