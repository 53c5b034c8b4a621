import type { ChurnReport } from "./report.js";

const [MOST_FILES, MOST_PAIRS] = [10, 5] as const;

/** Writes a report in a few lines, the most telling first. */
export function writeSummary({ project_path, period_days, since, summary, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  const { bus_factor, holders } = report.ownership;
  return [
    `Churn of ${plain(project_path)}, the last ${period_days} days (since ${since}): ${total_commits} commits, ${total_files_changed} files changed${deleted_files > 0 ? `, ${deleted_files} more are gone by now` : ""}.`,
    ...report.notes,
    ...section(
      "Most churn (score: 0.6 · commits + 0.4 · lines, each of the most):",
      report.files
        .slice(0, MOST_FILES)
        .map(
          (file) =>
            `${file.churn_score.toFixed(3)}  ${plain(file.path)}  ${file.commits} commits, +${file.additions} -${file.deletions}, ${file.author_count} authors, last ${file.last_modified}`,
        ),
    ),
    ...section(
      "Change together:",
      report.coupling
        .slice(0, MOST_PAIRS)
        .map(({ files, together, degree }) => `${files.map(plain).join(" + ")}  ${together} commits, ${degree} %`),
    ),
    ...(holders.length > 0
      ? [`Bus factor ${bus_factor}: ${holders.map(({ name, percent }) => `${plain(name)} ${percent} %`).join(", ")}.`]
      : []),
    ...(report.ages.length > 0 ? [`Last change: ${report.ages.map(ageWords).join(", ")}.`] : []),
    ...(report.next === undefined ? [] : [`More files: offset ${report.next.offset}, format json or csv.`]),
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];

const ageWords = ({ days, files }: ChurnReport["ages"][number]): string =>
  days === undefined ? `${files} files not in this period` : `${files} files within ${days} days`;

/** A name cannot break the lines in which it stands. */
const plain = (value: string): string => value.replaceAll(/\p{Cc}/gu, "\u{FFFD}");
