import type { ReportedFile } from "./report.js";

const COLUMNS = "file_path,commits,additions,deletions,churn_score,unique_authors,last_modified";

/** Writes files as RFC 4180 has it: a header, CRLF after each row, quotes where a cell needs them. */
export const writeCsv = (files: readonly ReportedFile[]): string =>
  [COLUMNS, ...files.map((file) => cellsOf(file).map(toCell).join(","))].map((row) => `${row}\r\n`).join("");

const cellsOf = (file: ReportedFile): readonly string[] => [
  file.path,
  String(file.commits),
  String(file.additions),
  String(file.deletions),
  file.churn_score.toFixed(3),
  String(file.author_count),
  file.last_modified,
];

function toCell(value: string): string {
  // A spreadsheet would run such a cell as a formula, and anybody can name a file; the quote makes it text.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
