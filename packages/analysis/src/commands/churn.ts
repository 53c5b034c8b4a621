import { numberOf, writeJson } from "@toolwright/kit/cli";
import type { Column } from "@toolwright/kit/terminal";
import type { Churn, FileChurn } from "../churn/churn.js";
import { readChurn } from "../churn/read-churn.js";
import { toReport } from "../churn/report.js";
import { writeReport } from "../churn/write-report.js";
import { count, counted } from "../format.js";
import type { Deed, Desk } from "./deed.js";
import { readNow } from "./now.js";
import { MOST_DAYS } from "./options.js";
import { remarks, section, USUAL_ROWS } from "./view.js";

/** `toolwright analyze churn`: which files change often, together, and by whom. */
export const churn: Deed = {
  takes: ["--days", "--top", "--no-renames", "--exclude-author", "--all-commits"],
  formats: ["summary", "json", "markdown", "csv"],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const period_days = numberOf(options, "--days", 1, MOST_DAYS) ?? 30;
    const top = numberOf(options, "--top", 1);
    const found = await readChurn(
      analysis,
      call,
      {
        path,
        period_days,
        follow_renames: options["--no-renames"] === undefined,
        exclude_authors: options["--exclude-author"],
        all_commits: options["--all-commits"] !== undefined,
      },
      readNow(process.env),
    );
    const limit = top ?? (format === "markdown" ? 50 : Number.POSITIVE_INFINITY);
    const wish = { project_path: path, period_days, limit, offset: 0, room: Number.POSITIVE_INFINITY };
    const report = toReport(found, wish);
    if (format === "json") return { text: writeJson(report) };
    if (format === "csv" || format === "markdown") return { text: writeReport(report, format) };
    return { text: show(desk, found, { days: period_days, top: top ?? USUAL_ROWS, notes: report.notes }) };
  },
};

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
  desk: Desk,
  found: Churn,
  { days, top, notes }: { readonly days: number; readonly top: number; readonly notes: readonly string[] },
): string {
  const { paint, project } = desk;
  const { commits, files, authors, coupling } = found;
  const heat = (text: string, { score }: FileChurn): string =>
    score > 0.5 ? paint.red(text) : score > 0.25 ? paint.yellow(text) : text;
  const lines = authors.reduce((sum, author) => sum + author.lines, 0);
  return [
    `${paint.bold(`Churn of ${project}`)}: ${counted(commits, "commit")} by ${counted(authors.length, "author")} in ${counted(days, "day")}, ${counted(files.length, "file")} changed`,
    ...section(
      desk,
      "Files that change the most",
      FILES.map((column) => (column.name === "churn" ? { ...column, paint: heat } : column)),
      { rows: files, most: top },
    ),
    ...section<Churn["coupling"][number]>(
      desk,
      "Files that change together",
      [
        { name: "file", text: ({ files: [first] }) => first, gives: "path" },
        { name: "with", text: ({ files: [, second] }) => second, gives: "path" },
        { name: "together", text: ({ together }) => counted(together, "commit"), isNumber: true },
        { name: "degree", text: ({ degree }) => `${Math.round(degree)} %`, isNumber: true },
      ],
      { rows: coupling.slice(0, 8), most: 8 },
    ),
    ...section<Churn["authors"][number]>(
      desk,
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
      { rows: authors, most: 8 },
    ),
    ...remarks(desk, notes),
  ].join("\n");
}
