import { Content, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";
import { CHURN_OUTPUT } from "../churn/output.js";

/** Tells which files change often, together, and by whom. */
export const analyzeCodeChurn = (analysis: Analysis) =>
  tool({
    name: "analyze_code_churn",
    title: "Analyze code churn",
    description: "Git history of a folder: files by churn score, authors, files that change together, bus factor, age.",
    toolset: "analysis",
    aliases: ["analyze_churn"],
    input: {
      type: "object",
      properties: {
        project_path: { type: "string", default: "." },
        period_days: { type: "integer", minimum: 1, maximum: 3650, default: 30 },
        format: { enum: ["summary", "json", "markdown", "csv"], default: "summary" },
        follow_renames: { type: "boolean", default: true },
        exclude_authors: { type: "array", items: { type: "string" }, description: "Names or addresses" },
        all_commits: { type: "boolean", default: false, description: "Count merges, bots and bulk formatting too" },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50 },
        offset: { type: "integer", minimum: 0, default: 0 },
      },
    },
    output: CHURN_OUTPUT,
    annotations: READS,
    timeoutMs: 130_000,
    async run({ project_path, period_days, format, limit, offset, ...wish }, call) {
      const [{ churnForPage }, { toReport }] = await Promise.all([
        import("../churn/recent-churn.js"),
        import("../churn/report.js"),
      ]);
      const churn = await churnForPage(analysis, call, { ...wish, path: project_path, period_days }, offset);
      const report = toReport(churn, { project_path, period_days, limit, offset });
      if (format === "json") return report;
      const { writeReport } = await import("../churn/write-report.js");
      return new Content([text(writeReport(report, format))], { ...report });
    },
  });
