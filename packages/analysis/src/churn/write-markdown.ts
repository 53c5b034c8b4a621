import { counted } from "../complexity/words.js";
import { markdownCell } from "../markdown-cell.js";
import type { ChurnReport, ReportedFile } from "./report.js";
import { goneBy, period } from "./words.js";

const MOST_ROWS = 10;

/** Writes a report as a page with a table of the files that change most. */
export function writeMarkdown({ project_path, period_days, since, summary, notes, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  return [
    `# Churn of ${markdownCell(project_path)}`,
    "",
    `${period(period_days, "The")} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed, ${goneBy(deleted_files)}.`,
    ...notes.map((note) => `\n> ${note}`),
    "",
    "| File | Commits | Added | Deleted | Score | Authors | Last change |",
    "|---|---:|---:|---:|---:|---:|---|",
    ...report.files.slice(0, MOST_ROWS).map(toRow),
    ...section(
      "Change together",
      report.coupling
        .slice(0, MOST_ROWS)
        .map(
          ({ files, together, degree }) =>
            `- ${files.map(markdownCell).join(" and ")}: ${counted(together, "commit")}, ${degree} %`,
        ),
    ),
    ...section("Ownership", [
      `Bus factor ${report.ownership.bus_factor}: ${report.ownership.holders.map(({ name, percent }) => `${markdownCell(name)} ${percent} %`).join(", ") || "no lines changed"}.`,
    ]),
    "",
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines];

const toRow = (file: ReportedFile): string =>
  `| ${[
    markdownCell(file.path),
    file.commits,
    file.additions,
    file.deletions,
    file.churn_score.toFixed(3),
    file.author_count,
    file.last_modified,
  ].join(" | ")} |`;
