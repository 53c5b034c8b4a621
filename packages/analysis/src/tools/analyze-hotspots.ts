import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";
import { BRIEF, HOTSPOT_FILE } from "../hotspots/output-schemas.js";

const globs = { type: "array", items: { type: "string" } } as const;
const count = { type: "integer", minimum: 0 } as const;

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
        import("../hotspots/cut-hotspots.js"),
      ]);
      const show = { summary: summariseHotspots, json: JSON.stringify, markdown: describeHotspots }[format];
      const found = await findHotspots(analysis, call, { path, ...wish });
      const { value, text: said } = cutHotspots(found, top, (cut) => show(cut));
      return new Content([text(said)], value as object as JsonObject);
    },
  });
