import { INVISIBLE } from "@toolwright/kit/text";

/** Formats a number for people: 12,345. */
export const count = (value: number): string => value.toLocaleString("en");

/** Formats a number with its noun: "1 file", "12,345 files". */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/** Escapes characters that could break a line, hide text or reverse it, so that a name from a project stays on one line. */
export const escapeInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);

/** Escapes text for a Markdown paragraph or table cell: it cannot add markup, break the line or end the cell. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(INVISIBLE, "\u{FFFD}").replaceAll(/[\\`*_{}[\]<>|#~&!]/g, "\\$&");

/** Writes rows as CSV (RFC 4180): a header, CRLF after each row, quotes where a cell needs them. */
export const writeCsv = (names: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [names, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");

function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet evaluates a cell that begins like a formula, and file names come from strangers: the quote makes it text.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
