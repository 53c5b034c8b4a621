import { type InferInput, tool } from "@toolwright/engine";
import { offsetOf, READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  AMOUNT,
  acceptOffset,
  BOOLEAN,
  COUNT,
  EXCLUDE,
  INCLUDE,
  listOf,
  PATH,
  page,
  roundUp,
  STRING,
  toAnalysisCall,
  toContent,
  withDotPaths,
} from "../schema.js";

const INCREMENTS = listOf({ line: COUNT, adds: COUNT, reason: STRING, nesting: COUNT, metric: STRING }, [
  "line",
  "adds",
  "reason",
]);
const LOCATION = { file: STRING, line: COUNT, end_line: COUNT, function: STRING } as const;
const VIOLATION = {
  ...LOCATION,
  severity: { enum: ["error", "warning"] },
  rule: STRING,
  value: COUNT,
  threshold: AMOUNT,
} as const;

const OUTPUT = {
  type: "object",
  properties: {
    summary: {
      type: "object",
      properties: {
        total_files: COUNT,
        total_functions: COUNT,
        median_cyclomatic: AMOUNT,
        p90_cyclomatic: COUNT,
        max_cyclomatic: COUNT,
        median_cognitive: AMOUNT,
        p90_cognitive: COUNT,
        max_cognitive: COUNT,
        errors: COUNT,
        warnings: COUNT,
        technical_debt_hours: AMOUNT,
        languages: listOf({ language: STRING, files: COUNT, functions: COUNT }, ["language", "files", "functions"]),
        files_read: COUNT,
        files_known: COUNT,
      },
      required: ["total_files", "total_functions", "errors", "warnings", "technical_debt_hours", "languages"],
    },
    remark: STRING,
    violations: listOf(
      { ...VIOLATION, message: STRING, baseline_state: STRING, increments: INCREMENTS, increments_left: COUNT },
      ["severity", "rule", "message", "value", "threshold", "file", "line", "end_line", "function"],
    ),
    violations_total: COUNT,
    functions: listOf(
      {
        file: STRING,
        name: STRING,
        line: COUNT,
        end_line: COUNT,
        cyclomatic: COUNT,
        cognitive: COUNT,
        nesting: COUNT,
        parameters: COUNT,
        lines: COUNT,
        code_lines: COUNT,
        halstead: { type: "object", additionalProperties: AMOUNT },
        maintainability: AMOUNT,
        increments: INCREMENTS,
      },
      ["file", "name", "line", "end_line", "cyclomatic", "cognitive"],
    ),
    hotspots: listOf({ ...LOCATION, cyclomatic: COUNT, cognitive: COUNT }, ["file", "function", "line", "cyclomatic"]),
    top_files: {
      type: "object",
      properties: {
        requested: COUNT,
        returned: COUNT,
        rankings: listOf(
          {
            rank: COUNT,
            file: STRING,
            function_count: COUNT,
            max_cyclomatic: COUNT,
            avg_cognitive: AMOUNT,
            halstead_effort: AMOUNT,
            total_score: AMOUNT,
          },
          ["rank", "file", "function_count", "max_cyclomatic", "avg_cognitive", "halstead_effort", "total_score"],
        ),
      },
      required: ["requested", "returned", "rankings"],
    },
    baseline: {
      type: "object",
      properties: {
        revision: STRING,
        commit: STRING,
        worse: listOf({ ...LOCATION, metric: STRING, was: COUNT, is: COUNT }, [
          "file",
          "function",
          "metric",
          "was",
          "is",
        ]),
        worse_total: COUNT,
        worse_functions: COUNT,
        better: COUNT,
        new_violations: listOf(VIOLATION, ["file", "function", "line", "rule", "severity", "value"]),
        new_violations_total: COUNT,
        new_errors: COUNT,
        removed: COUNT,
      },
      required: ["revision", "commit", "worse", "worse_total", "better", "new_violations", "removed"],
    },
    skipped: listOf({ path: STRING, reason: STRING, line: COUNT }, ["path", "reason"]),
    skipped_total: COUNT,
    left_out: {
      type: "object",
      properties: { generated: COUNT, vendored: COUNT },
      required: ["generated", "vendored"],
    },
    next_cursor: STRING,
  },
  required: ["summary", "violations", "violations_total", "hotspots", "skipped", "skipped_total", "left_out"],
} as const;

/** The tool that measures the complexity of functions. */
export const analyzeComplexity = (analysis: Analysis) =>
  tool({
    name: "analyze_complexity",
    title: "Measure complexity",
    description: "Measures cyclomatic and cognitive complexity; lists functions above the thresholds, worst first.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        toolchain: {
          type: "string",
          default: "auto",
          description: "Such as deno, python-uv, cargo, go",
        },
        format: {
          enum: ["summary", "full", "json", "sarif", "markdown"],
          default: "summary",
          description: "full: every function",
        },
        max_cyclomatic: { type: "number", minimum: 1, description: "Error above, warning above 3/4" },
        max_cognitive: { type: "number", minimum: 1, description: "As max_cyclomatic" },
        top_files: { ...COUNT, default: 0, description: "Files to rank" },
        include: INCLUDE,
        exclude: EXCLUDE,
        all: { ...BOOLEAN, default: false, description: "Include generated files" },
        explain: { ...BOOLEAN, default: false, description: "What each line adds" },
        baseline: { ...STRING, description: "Commit to compare with" },
        ...page(100, 500, "entries"),
      },
    },
    output: OUTPUT,
    annotations: READ,
    timeoutMs: 300_000,
    normalizeInput: (input) => roundUp(acceptOffset(input), "top_files"),
    async run({ format, limit, cursor, ...options }, call) {
      const offset = offsetOf(cursor);
      const [{ analyzeComplexity: analyze }, { budgetFor, toView }, { writeReport }] = await Promise.all([
        import("../complexity/analyze.js"),
        import("../complexity/view.js"),
        import("../complexity/write-report.js"),
      ]);
      const isFull = format === "full";
      const report = await analyze(analysis, toAnalysisCall(call), options, isFull);
      const plain = toView(report, { offset, limit, isFull, explain: options.explain, budget: budgetFor(format) });
      const found = analysis.settings.dotPaths ? { ...plain, view: withDotPaths(plain.view, "file") } : plain;
      if (format === "json") return found.view as object as InferInput<typeof OUTPUT>;
      return toContent(writeReport(found, format), found.view);
    },
  });
