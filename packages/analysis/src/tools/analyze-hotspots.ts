import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const number = { type: "number", minimum: 0 } as const;

const list = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "array",
  items: { type: "object", properties, required },
});

const SHARES = list({ name: words, share: number }, ["name", "share"]);

/** A file of the ranking in a result. */
export const HOTSPOT_FILE: JsonObject = {
  type: "object",
  properties: {
    path: words,
    language: words,
    lines: count,
    code_lines: count,
    functions: count,
    complexity: count,
    complexity_score: number,
    churn: number,
    commits: count,
    score: number,
    authors: SHARES,
    bus_factor: count,
    last_modified: words,
  },
  required: ["path", "language", "lines", "code_lines", "complexity", "churn", "commits", "score", "authors"],
};

/** The brief of a function in a result. */
export const BRIEF: JsonObject = {
  type: "object",
  properties: {
    path: words,
    function: words,
    line: count,
    end_line: count,
    cyclomatic: count,
    cognitive: count,
    nesting: count,
    parameters: count,
    weight: number,
    steps: list(
      {
        what: words,
        line: count,
        end_line: count,
        takes: count,
        becomes: count,
        leaves: count,
        jumps: { type: "array", items: words },
        advice: words,
      },
      ["what", "line", "end_line", "takes", "becomes", "leaves", "advice"],
    ),
    increments: list({ line: count, adds: count, reason: words }, ["line", "adds", "reason"]),
    reasons: list({ reason: words, times: count, adds: count }, ["reason", "times", "adds"]),
    callers: list({ caller: words, line: count }, ["caller", "line"]),
    authors: SHARES,
    last_change: words,
    recent_lines: count,
    coupled: list({ path: words, degree: number }, ["path", "degree"]),
    tests: list({ path: words, by: words }, ["path", "by"]),
  },
  required: ["path", "function", "line", "end_line", "cyclomatic", "cognitive", "steps", "increments"],
};

const globs = { type: "array", items: { type: "string" } } as const;

/** Finds where complex code changes often. */
export const analyzeHotspots = (analysis: Analysis) =>
  tool({
    name: "analyze_hotspots",
    title: "Find hotspots",
    description:
      "Files ranked by complexity × churn (score 0-100), and for the worst functions a refactoring brief: what to extract first, callers, authors, tests.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        period_days: { type: "integer", minimum: 1, maximum: 3650, default: 90 },
        top: { type: "integer", minimum: 1, maximum: 100, default: 10 },
        functions: { type: "integer", minimum: 0, maximum: 20, default: 5 },
        include: globs,
        exclude: globs,
        format: { enum: ["summary", "json", "markdown"], default: "summary" },
      },
    },
    output: {
      type: "object",
      properties: {
        basis: { enum: ["complexity and churn", "complexity"] },
        period_days: count,
        total: count,
        files: { type: "array", items: HOTSPOT_FILE },
        briefs: { type: "array", items: BRIEF },
        left_out: { type: "string" },
        is_shallow: { type: "boolean" },
        remarks: { type: "array", items: { type: "string" } },
        skipped: count,
      },
      required: ["basis", "period_days", "total", "files", "briefs", "is_shallow", "remarks", "skipped"],
    },
    annotations: READS,
    timeoutMs: 120_000,
    async run({ project_path: path, top, format, ...wish }, call) {
      const [{ findHotspots }, { summariseHotspots, describeHotspots }, { cutHotspots }] = await Promise.all([
        import("../hotspots/find-hotspots.js"),
        import("../hotspots/show-hotspots.js"),
        import("../hotspots/show-hotspots.js"),
      ]);
      const show = { summary: summariseHotspots, json: JSON.stringify, markdown: describeHotspots }[format];
      const found = await findHotspots(analysis, call, { path, ...wish });
      const { value, text: said } = cutHotspots(found, top, (cut) => show(cut));
      return new Content([text(said)], value as object as JsonObject);
    },
  });
