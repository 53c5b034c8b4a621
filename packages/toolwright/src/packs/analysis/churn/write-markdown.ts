import type { ChurnReport, ReportedFile } from "./report.js";

const MOST_ROWS = 10;

/** Writes a report as a page with a table of the files that change most. */
export function writeMarkdown({ project_path, period_days, since, summary, notes, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  return [
    `# Churn of ${toCell(project_path)}`,
    "",
    `The last ${period_days} days (since ${since}): ${total_commits} commits, ${total_files_changed} files changed, ${deleted_files} more are gone by now.`,
    ...notes.map((note) => `\n> ${note}`),
    "",
    "| File | Commits | Added | Deleted | Score | Authors | Last change |",
    "|---|---:|---:|---:|---:|---:|---|",
    ...report.files.slice(0, MOST_ROWS).map(toRow),
    ...section(
      "Change together",
      report.coupling
        .slice(0, MOST_ROWS)
        .map(({ files, together, degree }) => `- ${files.map(toCell).join(" and ")}: ${together} commits, ${degree} %`),
    ),
    ...section("Ownership", [
      `Bus factor ${report.ownership.bus_factor}: ${report.ownership.holders.map(({ name, percent }) => `${toCell(name)} ${percent} %`).join(", ") || "no lines changed"}.`,
    ]),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

const toRow = (file: ReportedFile): string =>
  `| ${[
    toCell(file.path),
    file.commits,
    file.additions,
    file.deletions,
    file.churn_score.toFixed(3),
    file.author_count,
    file.last_modified,
  ].join(" | ")} |`;

/** Names are text here: nothing in them marks anything up, or ends a cell. */
const toCell = (value: string): string =>
  value.replaceAll(/\p{Cc}/gu, "\u{FFFD}").replaceAll(/[\\`*_{}[\]<>|#~&!]/g, "\\$&");
