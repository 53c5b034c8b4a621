import { counted, escapeInvisible, escapeMarkdown, writeCsv } from "../format.js";
import type { ChurnReport } from "../tools/analyze-code-churn.js";

const SUMMARY_FILES = 10;
const SUMMARY_PAIRS = 5;
const MARKDOWN_ROWS = 10;

/** Writes a report as text. */
export function writeReport(report: ChurnReport, format: "summary" | "markdown" | "csv"): string {
  if (format === "csv") return toCsv(report);
  return format === "markdown" ? toMarkdown(report) : toSummary(report);
}

function toSummary({ project_path, period_days, since, summary, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  const { bus_factor, holders } = report.ownership;
  return [
    `Churn of ${escapeInvisible(project_path)} in the last ${days(period_days)} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed${deleted_files > 0 ? `, ${deleted_files} more deleted` : ""}.`,
    ...report.notes,
    ...indented(
      "Most churn (score: 0.6 · commits + 0.4 · lines, each as a share of the maximum):",
      report.files
        .slice(0, SUMMARY_FILES)
        .map(
          (file) =>
            `${file.churn_score.toFixed(3)}  ${escapeInvisible(file.path)}  ${counted(file.commits, "commit")}, +${file.additions} -${file.deletions}, ${counted(file.author_count, "author")}, last ${file.last_modified}`,
        ),
    ),
    ...indented(
      "Change together:",
      report.coupling
        .slice(0, SUMMARY_PAIRS)
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
    ...(report.ages.length > 0 ? [`Last change: ${report.ages.map(describeAge).join(", ")}.`] : []),
    ...(report.next_cursor === undefined ? [] : [`More files: call again with cursor "${report.next_cursor}".`]),
  ].join("\n");
}

const indented = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const days = (count: number): string => (count === 1 ? "day" : `${count} days`);

const describeAge = ({ days: age, files }: ChurnReport["ages"][number]): string =>
  age === undefined ? `${counted(files, "file")} before the period` : `${counted(files, "file")} within ${age} days`;

function toMarkdown({ project_path, period_days, since, summary, notes, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  const { bus_factor, holders } = report.ownership;
  return [
    `# Churn of ${escapeMarkdown(project_path)}`,
    "",
    `The last ${days(period_days)} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed, ${deleted_files} more deleted.`,
    ...notes.map((note) => `\n> ${note}`),
    "",
    "| File | Commits | Added | Deleted | Score | Authors | Last change |",
    "|---|---:|---:|---:|---:|---:|---|",
    ...report.files
      .slice(0, MARKDOWN_ROWS)
      .map(
        (file) =>
          `| ${escapeMarkdown(file.path)} | ${file.commits} | ${file.additions} | ${file.deletions} | ${file.churn_score.toFixed(3)} | ${file.author_count} | ${file.last_modified} |`,
      ),
    ...section(
      "Change together",
      report.coupling
        .slice(0, MARKDOWN_ROWS)
        .map(
          ({ files, together, degree }) =>
            `- ${files.map(escapeMarkdown).join(" and ")}: ${counted(together, "commit")}, ${degree} %`,
        ),
    ),
    ...section("Ownership", [
      `Bus factor ${bus_factor}: ${holders.map(({ name, percent }) => `${escapeMarkdown(name)} ${percent} %`).join(", ") || "no lines changed"}.`,
    ]),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

const toCsv = ({ files }: ChurnReport): string =>
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
