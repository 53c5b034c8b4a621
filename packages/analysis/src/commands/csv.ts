import { csvCell } from "../csv-cell.js";

/** Writes rows as RFC 4180 has it: a header, CRLF after each row, quotes where a cell needs them. */
export const writeCsv = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [names, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
