import { Content, text, tool } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { READS } from "../annotations.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const texts = { type: "array", items: words } as const;

const FILE = {
  type: "object",
  properties: {
    path: words,
    commits: count,
    unique_authors: { ...texts, description: "The most active ten" },
    author_count: count,
    additions: count,
    deletions: count,
    first_seen: words,
    last_modified: words,
    churn_score: { type: "number", minimum: 0, maximum: 1 },
    age_days: count,
    bus_factor: { ...count, description: "How few authors hold more than half of the changed lines" },
    earlier: { ...texts, description: "Earlier names" },
  },
  required: ["path", "commits", "unique_authors", "additions", "deletions", "churn_score"],
} as const;

const list = <const Properties extends Readonly<Record<string, object>>>(properties: Properties) =>
  ({ type: "array", items: { type: "object", properties } }) as const;

/** What analyze_code_churn gives, in whichever format its text is. */
export const CHURN_OUTPUT = {
  type: "object",
  properties: {
    project_path: words,
    period_days: count,
    since: words,
    summary: {
      type: "object",
      properties: {
        total_commits: count,
        total_files_changed: count,
        deleted_files: { ...count, description: "Changed in the period, gone by now" },
        hotspot_files: texts,
        stable_files: texts,
        author_contributions: list({ name: words, commits: count, files: count, lines: count }),
      },
      required: ["total_commits", "total_files_changed", "hotspot_files", "stable_files", "author_contributions"],
    },
    files: { type: "array", items: FILE },
    coupling: list({
      files: texts,
      together: count,
      degree: { ...count, description: "Percent of the commits of the one that changes less often" },
    }),
    ownership: {
      type: "object",
      properties: { bus_factor: count, holders: list({ name: words, percent: count }) },
    },
    ages: list({ days: count, files: count }),
    left_out: {
      type: "object",
      properties: { merges: count, bots: count, bulk: count, excluded: count },
    },
    is_shallow: { type: "boolean" },
    notes: texts,
    next: { type: "object", properties: { offset: count }, required: ["offset"] },
  },
  required: ["summary", "files", "coupling", "ownership", "is_shallow"],
} as const;

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
        import("../churn/read-churn.js"),
        import("../churn/report.js"),
      ]);
      const churn = await churnForPage(analysis, call, { ...wish, path: project_path, period_days }, offset);
      const report = toReport(churn, { project_path, period_days, limit, offset });
      if (format === "json") return report;
      const { writeReport } = await import("../churn/write-report.js");
      return new Content([text(writeReport(report, format))], { ...report });
    },
  });
