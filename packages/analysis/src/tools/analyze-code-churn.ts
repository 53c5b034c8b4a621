import { type InferInput, tool } from "@toolwright/engine";
import { offsetOf, READ } from "@toolwright/kit/pack";
import type { Analysis } from "../analysis.js";
import {
  acceptOffset,
  BOOLEAN,
  COUNT,
  listOf,
  PATH,
  page,
  period,
  roundUp,
  STRING,
  STRINGS,
  toAnalysisCall,
  toContent,
  withDotPaths,
} from "../schema.js";

const OUTPUT = {
  type: "object",
  properties: {
    project_path: STRING,
    period_days: COUNT,
    since: STRING,
    summary: {
      type: "object",
      properties: {
        total_commits: COUNT,
        total_files_changed: COUNT,
        deleted_files: { ...COUNT, description: "Changed in the period and deleted since" },
        hotspot_files: STRINGS,
        stable_files: STRINGS,
        author_contributions: listOf({ name: STRING, commits: COUNT, files: COUNT, lines: COUNT }, [
          "name",
          "commits",
          "files",
          "lines",
        ]),
      },
      required: [
        "total_commits",
        "total_files_changed",
        "deleted_files",
        "hotspot_files",
        "stable_files",
        "author_contributions",
      ],
    },
    files: listOf(
      {
        path: STRING,
        commits: COUNT,
        unique_authors: { ...STRINGS, description: "The ten most active" },
        author_count: COUNT,
        additions: COUNT,
        deletions: COUNT,
        first_seen: STRING,
        last_modified: STRING,
        churn_score: { type: "number", minimum: 0, maximum: 1 },
        age_days: COUNT,
        bus_factor: {
          ...COUNT,
          description: "The smallest number of authors with more than half of the changed lines",
        },
        earlier: { ...STRINGS, description: "Earlier names" },
      },
      [
        "path",
        "commits",
        "unique_authors",
        "author_count",
        "additions",
        "deletions",
        "first_seen",
        "last_modified",
        "churn_score",
        "age_days",
        "bus_factor",
      ],
    ),
    coupling: listOf(
      {
        files: STRINGS,
        together: COUNT,
        degree: { ...COUNT, description: "Percentage of the commits of the file with fewer commits" },
      },
      ["files", "together", "degree"],
    ),
    ownership: {
      type: "object",
      properties: { bus_factor: COUNT, holders: listOf({ name: STRING, percent: COUNT }, ["name", "percent"]) },
      required: ["bus_factor", "holders"],
    },
    ages: listOf({ days: COUNT, files: COUNT }, ["files"]),
    left_out: {
      type: "object",
      properties: { merges: COUNT, bots: COUNT, bulk: COUNT, excluded: COUNT },
      required: ["merges", "bots", "bulk", "excluded"],
    },
    is_shallow: BOOLEAN,
    notes: STRINGS,
    next_cursor: STRING,
  },
  required: [
    "project_path",
    "period_days",
    "since",
    "summary",
    "files",
    "coupling",
    "ownership",
    "ages",
    "left_out",
    "is_shallow",
    "notes",
  ],
} as const;

/** A page of files with their churn, and a summary of the history. */
export type ChurnReport = InferInput<typeof OUTPUT>;

/** The tool that reports which files change often, together, and by whom. */
export const analyzeCodeChurn = (analysis: Analysis) =>
  tool({
    name: "analyze_code_churn",
    title: "Analyze code churn",
    description:
      "Summarizes the git history of a folder: files by churn score, authors, files that change together, bus factor, age. For commits one by one use git_log.",
    toolset: "analysis",
    aliases: ["analyze_churn"],
    input: {
      type: "object",
      properties: {
        project_path: PATH,
        period_days: period(30),
        format: {
          enum: ["summary", "json", "markdown", "csv"],
          default: "summary",
          description: "Format of the text; the structured result is the same",
        },
        follow_renames: { ...BOOLEAN, default: true, description: "Count the history under earlier names" },
        exclude_authors: { ...STRINGS, description: "Names or addresses whose commits are ignored" },
        all_commits: { ...BOOLEAN, default: false, description: "Count merges, bots and bulk formatting, too" },
        ...page(50, 500, "files"),
      },
    },
    output: OUTPUT,
    annotations: READ,
    timeoutMs: 130_000,
    normalizeInput: (input) => roundUp(acceptOffset(input), "period_days"),
    async run({ project_path, period_days, format, limit, cursor, ...query }, call) {
      const offset = offsetOf(cursor);
      const [{ readChurnPage }, { toReport }, { writeReport }] = await Promise.all([
        import("../churn/read-churn.js"),
        import("../churn/report.js"),
        import("../churn/write-report.js"),
      ]);
      const churn = await readChurnPage(
        analysis,
        toAnalysisCall(call),
        { ...query, path: project_path, period_days },
        offset,
      );
      const plain = toReport(churn, { project_path, period_days, limit, offset });
      const report = analysis.settings.dotPaths ? withDotPaths(plain, "path") : plain;
      return format === "json" ? report : toContent(writeReport(report, format), report);
    },
  });
