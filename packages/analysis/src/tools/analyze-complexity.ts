import { tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const amount = { type: "number" } as const;
const severity = { enum: ["error", "warning"] } as const;

const listOf = <const Properties extends object, const Required extends readonly (keyof Properties & string)[]>(
  properties: Properties,
  required: Required,
) => ({ type: "array", items: { type: "object", properties, required } }) as const;

const INCREMENTS = listOf({ line: count, adds: count, reason: words, nesting: count, metric: words }, [
  "line",
  "adds",
  "reason",
]);

const PLACE = { file: words, line: count, end_line: count, function: words } as const;

const VIOLATION = { ...PLACE, severity, rule: words, value: count, threshold: count } as const;

const FUNCTION = {
  file: words,
  name: words,
  line: count,
  end_line: count,
  cyclomatic: count,
  cognitive: count,
  nesting: count,
  parameters: count,
  lines: count,
  code_lines: count,
  halstead: { type: "object", additionalProperties: amount },
  maintainability: amount,
  increments: INCREMENTS,
} as const;

/** What the tool tells, in every format. */
export const OUTPUT = {
  type: "object",
  properties: {
    summary: {
      type: "object",
      properties: {
        total_files: count,
        total_functions: count,
        median_cyclomatic: amount,
        p90_cyclomatic: count,
        max_cyclomatic: count,
        median_cognitive: amount,
        p90_cognitive: count,
        max_cognitive: count,
        errors: count,
        warnings: count,
        technical_debt_hours: amount,
        languages: listOf({ language: words, files: count, functions: count }, ["language", "files", "functions"]),
        files_read: count,
        files_known: count,
      },
      required: ["total_files", "total_functions", "errors", "warnings", "technical_debt_hours", "languages"],
    },
    remark: words,
    violations: listOf(
      { ...VIOLATION, message: words, baseline_state: words, increments: INCREMENTS, increments_left: count },
      ["severity", "rule", "message", "value", "threshold", "file", "line", "end_line", "function"],
    ),
    violations_total: count,
    functions: listOf(FUNCTION, ["file", "name", "line", "end_line", "cyclomatic", "cognitive"]),
    hotspots: listOf({ ...PLACE, cyclomatic: count, cognitive: count }, ["file", "function", "line", "cyclomatic"]),
    top_files: {
      type: "object",
      properties: {
        requested: count,
        returned: count,
        rankings: listOf(
          {
            rank: count,
            file: words,
            function_count: count,
            max_cyclomatic: count,
            avg_cognitive: amount,
            halstead_effort: amount,
            total_score: amount,
          },
          ["rank", "file", "function_count", "max_cyclomatic", "avg_cognitive", "halstead_effort", "total_score"],
        ),
      },
      required: ["requested", "returned", "rankings"],
    },
    baseline: {
      type: "object",
      properties: {
        revision: words,
        commit: words,
        worse: listOf({ ...PLACE, metric: words, was: count, is: count }, ["file", "function", "metric", "was", "is"]),
        worse_total: count,
        worse_functions: count,
        better: count,
        new_violations: listOf(VIOLATION, ["file", "function", "line", "rule", "severity", "value"]),
        new_violations_total: count,
        new_errors: count,
        removed: count,
      },
      required: ["revision", "commit", "worse", "worse_total", "better", "new_violations", "removed"],
    },
    skipped: listOf({ path: words, reason: words, line: count }, ["path", "reason"]),
    skipped_total: count,
    left_out: {
      type: "object",
      properties: { generated: count, vendored: count },
      required: ["generated", "vendored"],
    },
    next: { type: "object", properties: { offset: count }, required: ["offset"] },
  },
  required: ["summary", "violations", "violations_total", "hotspots", "skipped", "skipped_total", "left_out"],
} as const;

const globs = { type: "array", items: { type: "string", minLength: 1 } } as const;

/** Measures how complex functions are. */
export const analyzeComplexity = (analysis: Analysis) =>
  tool({
    name: "analyze_complexity",
    title: "Measure complexity",
    description:
      "Cyclomatic and cognitive complexity, Halstead and maintainability of functions, and which are above thresholds.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        toolchain: { type: "string", default: "auto", description: "auto, deno, python-uv or a language" },
        format: {
          enum: ["summary", "full", "json", "sarif", "markdown"],
          default: "summary",
          description: "full: every function",
        },
        max_cyclomatic: { ...count, minimum: 1, description: "Error above, warning above 3/4; default 20/10" },
        max_cognitive: { ...count, minimum: 1, description: "30/15" },
        top_files: { ...count, default: 0, description: "Rank so many" },
        include: globs,
        exclude: globs,
        all: { type: "boolean", default: false, description: "Also generated and vendored" },
        explain: { type: "boolean", default: false, description: "What each line adds" },
        baseline: { type: "string", description: "Commit: tells what is worse" },
        limit: { ...count, minimum: 1, maximum: 500, default: 100 },
        offset: { ...count, default: 0 },
      },
    },
    output: OUTPUT,
    annotations: READS,
    timeoutMs: 300_000,
    async run({ format, limit, offset, ...wish }, call) {
      const [{ analyzeComplexity: analyze }, { roomFor, showReport }, { toResult }] = await Promise.all([
        import("../complexity/analyze.js"),
        import("../complexity/view.js"),
        import("../complexity/write-report.js"),
      ]);
      const isFull = format === "full";
      const report = await analyze(analysis, call, wish, isFull);
      const shown = showReport(report, { offset, limit, isFull, explain: wish.explain, room: roomFor(format) });
      return toResult(shown, format);
    },
  });
