import { csvCell } from "../csv-cell.js";
import type { ReportedFile } from "./report.js";

const COLUMNS = "file_path,commits,additions,deletions,churn_score,unique_authors,last_modified";

/** Writes files as RFC 4180 has it: a header, CRLF after each row, quotes where a cell needs them. */
export const writeCsv = (files: readonly ReportedFile[]): string =>
  [COLUMNS, ...files.map((file) => cellsOf(file).map(csvCell).join(","))].map((row) => `${row}\r\n`).join("");

const cellsOf = (file: ReportedFile): readonly (string | number)[] => [
  file.path,
  file.commits,
  file.additions,
  file.deletions,
  file.churn_score.toFixed(3),
  file.author_count,
  file.last_modified,
];
