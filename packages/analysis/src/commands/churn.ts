import { defineCommand, writeJson } from "@toolwright/kit/cli";
import type { Column } from "@toolwright/kit/terminal";
import type { Churn, FileChurn } from "../churn/churn.js";
import { count, counted } from "../format.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  DEFAULT_ROWS,
  daysOption,
  endOfPeriod,
  formatOption,
  PATH_ARGUMENT,
  ROW_OPTIONS,
  remarks,
  runAnalysis,
  section,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown", "csv"] as const;

/** `toolwright analyze churn` */
export const churn = defineCommand({
  name: "churn",
  summary: "Show which files change often, together, and by whom",
  tool: "analyze_code_churn",
  args: PATH_ARGUMENT,
  options: {
    days: daysOption(30),
    ...ROW_OPTIONS,
    excludeAuthor: {
      type: "string",
      multiple: true,
      placeholder: "NAME",
      description: "Ignore the commits of a name or address.",
    },
    allCommits: { type: "boolean", description: "Count merges, bots and commits that only format, too." },
    noRenames: { type: "boolean", description: "Do not follow renames." },
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  examples: ["toolwright analyze churn --days 90 --format csv > churn.csv"],
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const [{ readChurn }, { toReport }, { writeReport }] = await Promise.all([
        import("../churn/read-churn.js"),
        import("../churn/report.js"),
        import("../churn/write-report.js"),
      ]);
      const { analysis, call, path, project, format } = screen;
      const { days: period_days, limit: rows = input.top, excludeAuthor, allCommits, noRenames } = input;
      const found = await readChurn(
        analysis,
        call,
        {
          path,
          period_days,
          follow_renames: !noRenames,
          exclude_authors: excludeAuthor,
          all_commits: allCommits,
        },
        endOfPeriod(ctx),
      );
      const limit = rows ?? (format === "markdown" ? 50 : Number.POSITIVE_INFINITY);
      const options = { project_path: project, period_days, limit, offset: 0, budget: Number.POSITIVE_INFINITY };
      const report = toReport(found, options);
      if (format === "json") return { text: writeJson(report) };
      if (format === "csv" || format === "markdown") return { text: writeReport(report, format) };
      return { text: show(screen, found, { days: period_days, rows: rows ?? DEFAULT_ROWS, notes: report.notes }) };
    }),
});

const FILES: readonly Column<FileChurn>[] = [
  { name: "file", text: ({ path }) => path, gives: "path" },
  { name: "churn", text: ({ score }) => score.toFixed(2), isNumber: true },
  { name: "commits", text: ({ commits }) => count(commits), isNumber: true },
  { name: "added", text: ({ additions }) => `+${count(additions)}`, isNumber: true },
  { name: "removed", text: ({ deletions }) => `−${count(deletions)}`, isNumber: true },
  { name: "authors", text: ({ authors }) => count(authors.length), isNumber: true },
  { name: "last", text: ({ last_modified }) => last_modified },
];

function show(
  screen: AnalysisScreen,
  found: Churn,
  { days, rows, notes }: { readonly days: number; readonly rows: number; readonly notes: readonly string[] },
): string {
  const { paint, project } = screen;
  const { commits, files, authors, coupling } = found;
  const heat = (text: string, { score }: FileChurn): string =>
    score > 0.5 ? paint.red(text) : score > 0.25 ? paint.yellow(text) : text;
  const lines = authors.reduce((sum, author) => sum + author.lines, 0);
  return [
    `${paint.bold(`Churn of ${project}`)}: ${counted(commits, "commit")} by ${counted(authors.length, "author")} in ${counted(days, "day")}, ${counted(files.length, "file")} changed`,
    ...section(
      screen,
      "Files that change the most",
      FILES.map((column) => (column.name === "churn" ? { ...column, paint: heat } : column)),
      { rows: files, limit: rows },
    ),
    ...section<Churn["coupling"][number]>(
      screen,
      "Files that change together",
      [
        { name: "file", text: ({ files: [first] }) => first, gives: "path" },
        { name: "with", text: ({ files: [, second] }) => second, gives: "path" },
        { name: "together", text: ({ together }) => counted(together, "commit"), isNumber: true },
        { name: "degree", text: ({ degree }) => `${Math.round(degree)} %`, isNumber: true },
      ],
      { rows: coupling.slice(0, 8), limit: 8 },
    ),
    ...section<Churn["authors"][number]>(
      screen,
      `Authors (bus factor ${found.bus_factor})`,
      [
        { name: "name", text: ({ name }) => name, gives: "words" },
        { name: "commits", text: (author) => count(author.commits), isNumber: true },
        { name: "files", text: (author) => count(author.files), isNumber: true },
        {
          name: "lines",
          text: (author) => `${lines === 0 ? 0 : Math.round((100 * author.lines) / lines)} %`,
          isNumber: true,
        },
      ],
      { rows: authors, limit: 8 },
    ),
    ...remarks(screen, notes),
  ].join("\n");
}
