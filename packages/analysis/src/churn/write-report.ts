import { counted, escapeInvisible, escapeMarkdown, writeCsv } from "../format.js";
import type { ChurnReport, ReportedFile } from "./report.js";

/** Writes a report for people. */
export function writeReport(report: ChurnReport, format: "summary" | "markdown" | "csv"): string {
  if (format === "csv") return toCsv(report.files);
  return format === "markdown" ? writeMarkdown(report) : writeSummary(report);
}

const [MOST_FILES, MOST_PAIRS] = [10, 5] as const;

/** Writes a report in a few lines, the most telling first. */
export function writeSummary({ project_path, period_days, since, summary, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  const { bus_factor, holders } = report.ownership;
  return [
    `Churn of ${escapeInvisible(project_path)}, ${period(period_days, "the")} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed${deleted_files > 0 ? `, ${goneBy(deleted_files)}` : ""}.`,
    ...report.notes,
    ...section(
      "Most churn (score: 0.6 · commits + 0.4 · lines, each of the most):",
      report.files
        .slice(0, MOST_FILES)
        .map(
          (file) =>
            `${file.churn_score.toFixed(3)}  ${escapeInvisible(file.path)}  ${counted(file.commits, "commit")}, +${file.additions} -${file.deletions}, ${counted(file.author_count, "author")}, last ${file.last_modified}`,
        ),
    ),
    ...section(
      "Change together:",
      report.coupling
        .slice(0, MOST_PAIRS)
        .map(
          ({ files, together, degree }) =>
            `${files.map(escapeInvisible).join(" + ")}  ${counted(together, "commit")}, ${degree} %`,
        ),
    ),
    ...(holders.length > 0
      ? [
          `Bus factor ${bus_factor}: ${holders.map(({ name, percent }) => `${escapeInvisible(name)} ${percent} %`).join(", ")}.`,
        ]
      : []),
    ...(report.ages.length > 0 ? [`Last change: ${report.ages.map(ageWords).join(", ")}.`] : []),
    ...(report.next === undefined ? [] : [`More files: offset ${report.next.offset}, format json or csv.`]),
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const ageWords = ({ days, files }: ChurnReport["ages"][number]): string =>
  days === undefined ? `${counted(files, "file")} not in this period` : `${counted(files, "file")} within ${days} days`;

const MOST_ROWS = 10;

/** Writes a report as a page with a table of the files that change most. */
export function writeMarkdown({ project_path, period_days, since, summary, notes, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  return [
    `# Churn of ${escapeMarkdown(project_path)}`,
    "",
    `${period(period_days, "The")} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed, ${goneBy(deleted_files)}.`,
    ...notes.map((note) => `\n> ${note}`),
    "",
    "| File | Commits | Added | Deleted | Score | Authors | Last change |",
    "|---|---:|---:|---:|---:|---:|---|",
    ...report.files.slice(0, MOST_ROWS).map(toRow),
    ...markdownSection(
      "Change together",
      report.coupling
        .slice(0, MOST_ROWS)
        .map(
          ({ files, together, degree }) =>
            `- ${files.map(escapeMarkdown).join(" and ")}: ${counted(together, "commit")}, ${degree} %`,
        ),
    ),
    ...markdownSection("Ownership", [
      `Bus factor ${report.ownership.bus_factor}: ${report.ownership.holders.map(({ name, percent }) => `${escapeMarkdown(name)} ${percent} %`).join(", ") || "no lines changed"}.`,
    ]),
    "",
  ].join("\n");
}

const markdownSection = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

const toRow = (file: ReportedFile): string =>
  `| ${[
    escapeMarkdown(file.path),
    file.commits,
    file.additions,
    file.deletions,
    file.churn_score.toFixed(3),
    file.author_count,
    file.last_modified,
  ].join(" | ")} |`;

/** Writes files as CSV. */
export const toCsv = (files: readonly ReportedFile[]): string =>
  writeCsv(
    ["file_path", "commits", "additions", "deletions", "churn_score", "unique_authors", "last_modified"],
    files.map((file) => [
      file.path,
      file.commits,
      file.additions,
      file.deletions,
      file.churn_score.toFixed(3),
      file.author_count,
      file.last_modified,
    ]),
  );

/** A period that ends today, in words. */
export const period = (days: number, article: "The" | "the"): string =>
  days === 1 ? `${article} last day` : `${article} last ${days} days`;

/** How many files are there no longer, in words. */
export const goneBy = (files: number): string => `${files} more ${files === 1 ? "is" : "are"} gone by now`;
