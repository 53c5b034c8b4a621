/** A value in a row of CSV, as RFC 4180 has it: in quotes where it needs them. */
export function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet would run such a cell as a formula, and anybody can name a file; the quote makes it text.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
