import { counted } from "../complexity/words.js";
import type { ChurnReport } from "./report.js";
import { goneBy, period } from "./words.js";

const [MOST_FILES, MOST_PAIRS] = [10, 5] as const;

/** Writes a report in a few lines, the most telling first. */
export function writeSummary({ project_path, period_days, since, summary, ...report }: ChurnReport): string {
  const { total_commits, total_files_changed, deleted_files } = summary;
  const { bus_factor, holders } = report.ownership;
  return [
    `Churn of ${plain(project_path)}, ${period(period_days, "the")} (since ${since}): ${counted(total_commits, "commit")}, ${counted(total_files_changed, "file")} changed${deleted_files > 0 ? `, ${goneBy(deleted_files)}` : ""}.`,
    ...report.notes,
    ...section(
      "Most churn (score: 0.6 · commits + 0.4 · lines, each of the most):",
      report.files
        .slice(0, MOST_FILES)
        .map(
          (file) =>
            `${file.churn_score.toFixed(3)}  ${plain(file.path)}  ${counted(file.commits, "commit")}, +${file.additions} -${file.deletions}, ${counted(file.author_count, "author")}, last ${file.last_modified}`,
        ),
    ),
    ...section(
      "Change together:",
      report.coupling
        .slice(0, MOST_PAIRS)
        .map(
          ({ files, together, degree }) =>
            `${files.map(plain).join(" + ")}  ${counted(together, "commit")}, ${degree} %`,
        ),
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
  days === undefined ? `${counted(files, "file")} not in this period` : `${counted(files, "file")} within ${days} days`;

/** A name cannot break the lines in which it stands. */
const plain = (value: string): string => value.replaceAll(/\p{Cc}/gu, "\u{FFFD}");
