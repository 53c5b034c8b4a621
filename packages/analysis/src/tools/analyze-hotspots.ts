import { tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  AMOUNT,
  BOOLEAN,
  COUNT,
  EXCLUDE,
  INCLUDE,
  listOf,
  PATH,
  period,
  STRING,
  STRINGS,
  toAnalysisCall,
  toContent,
} from "../schema.js";

const SHARES = listOf({ name: STRING, share: AMOUNT }, ["name", "share"]);

const FILES = listOf(
  {
    path: STRING,
    language: STRING,
    lines: COUNT,
    code_lines: COUNT,
    functions: COUNT,
    complexity: COUNT,
    complexity_score: AMOUNT,
    churn: AMOUNT,
    commits: COUNT,
    score: AMOUNT,
    authors: SHARES,
    bus_factor: COUNT,
    last_modified: STRING,
  },
  ["path", "language", "lines", "code_lines", "complexity", "churn", "commits", "score", "authors"],
);

const BRIEFS = listOf(
  {
    path: STRING,
    function: STRING,
    line: COUNT,
    end_line: COUNT,
    cyclomatic: COUNT,
    cognitive: COUNT,
    nesting: COUNT,
    parameters: COUNT,
    weight: AMOUNT,
    steps: listOf(
      {
        what: STRING,
        line: COUNT,
        end_line: COUNT,
        takes: COUNT,
        becomes: COUNT,
        leaves: COUNT,
        jumps: STRINGS,
        advice: STRING,
      },
      ["what", "line", "end_line", "takes", "becomes", "leaves", "advice"],
    ),
    increments: listOf({ line: COUNT, adds: COUNT, reason: STRING }, ["line", "adds", "reason"]),
    reasons: listOf({ reason: STRING, times: COUNT, adds: COUNT }, ["reason", "times", "adds"]),
    callers: listOf({ caller: STRING, line: COUNT }, ["caller", "line"]),
    authors: SHARES,
    last_change: STRING,
    recent_lines: COUNT,
    coupled: listOf({ path: STRING, degree: AMOUNT }, ["path", "degree"]),
    tests: listOf({ path: STRING, by: STRING }, ["path", "by"]),
  },
  ["path", "function", "line", "end_line", "cyclomatic", "cognitive", "steps", "increments"],
);

/** The tool that finds complex code which changes often. */
export const analyzeHotspots = (analysis: Analysis) =>
  tool({
    name: "analyze_hotspots",
    title: "Find hotspots",
    description:
      "Ranks files by complexity × churn (score 0–100), and writes a refactoring brief for the worst functions: what to extract first, callers, authors, tests. Use it to decide what to refactor.",
    toolset: "analysis",
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        period_days: period(90),
        top: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "Number of files" },
        functions: {
          type: "integer",
          minimum: 0,
          maximum: 20,
          default: 5,
          description: "Number of refactoring briefs",
        },
        include: INCLUDE,
        exclude: EXCLUDE,
        format: {
          enum: ["summary", "json", "markdown"],
          default: "summary",
          description: "Format of the text; the structured result is the same",
        },
      },
    },
    output: {
      type: "object",
      properties: {
        basis: { enum: ["complexity and churn", "complexity"] },
        period_days: COUNT,
        total: COUNT,
        files: FILES,
        briefs: BRIEFS,
        left_out: STRING,
        is_shallow: BOOLEAN,
        remarks: STRINGS,
        skipped: COUNT,
      },
      required: ["basis", "period_days", "total", "files", "briefs", "is_shallow", "remarks", "skipped"],
    },
    annotations: READ,
    timeoutMs: 120_000,
    async run({ project_path: path, top, format, ...options }, call) {
      const [{ findHotspots }, { fitHotspots, writeMarkdown, writeSummary }] = await Promise.all([
        import("../hotspots/find-hotspots.js"),
        import("../hotspots/show-hotspots.js"),
      ]);
      const write = { summary: writeSummary, json: JSON.stringify, markdown: writeMarkdown }[format];
      const { hotspots } = await findHotspots(analysis, toAnalysisCall(call), { path, ...options });
      const { value, text } = fitHotspots(hotspots, top, (fitted) => write(fitted));
      return toContent(text, value);
    },
  });
