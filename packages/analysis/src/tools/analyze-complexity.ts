import { tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";
import { OUTPUT } from "../complexity/output.js";

const globs = { type: "array", items: { type: "string", minLength: 1 } } as const;
const count = { type: "integer", minimum: 0 } as const;

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
        import("../complexity/format.js"),
      ]);
      const isFull = format === "full";
      const report = await analyze(analysis, call, wish, isFull);
      const shown = showReport(report, { offset, limit, isFull, explain: wish.explain, room: roomFor(format) });
      return toResult(shown, format);
    },
  });
