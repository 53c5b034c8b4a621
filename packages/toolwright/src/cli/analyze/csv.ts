/** Writes rows as RFC 4180 has it: a header, CRLF after each row, quotes where a cell needs them. */
export const writeCsv = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [names, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet would run such a cell as a formula, and anybody can name a file; the quote makes it text.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
