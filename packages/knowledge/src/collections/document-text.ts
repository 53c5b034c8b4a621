import type { Sql } from "@toolwright/kit/storage";

/** A stretch of a document's text, and where it really starts and ends. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads characters of a revision's text, as far as there are any; offsets are UTF-16 units. No character is cut in two. */
export async function readText(sql: Sql, revision: number, start: number, end: number): Promise<TextRange> {
  const rows = await sql.all(
    `SELECT first, text FROM texts WHERE revision = ? AND first < ?
     AND part >= (SELECT coalesce(max(part), 0) FROM texts WHERE revision = ? AND first <= ?) ORDER BY part`,
    revision,
    Math.max(end, 1),
    revision,
    start,
  );
  const first = Number(rows[0]?.["first"] ?? 0);
  const whole = rows.map((row) => String(row["text"])).join("");
  let [from, to] = [Math.min(start - first, whole.length), Math.min(end - first, whole.length)];
  if (isInside(whole, from)) from -= 1;
  if (to > from && isInside(whole, to)) to -= 1;
  return { start: first + from, end: first + to, text: whole.slice(from, to) };
}

/** Reads lines of a revision's text, from the first through the last one, counted from 1. */
export async function readLines(sql: Sql, revision: number, first: number, last: number): Promise<TextRange> {
  const rows = await sql.all(
    `SELECT line, text FROM texts WHERE revision = ? AND line < ?
     AND part >= (SELECT coalesce(max(part), 0) FROM texts WHERE revision = ? AND line < ?) ORDER BY part`,
    revision,
    Math.max(last, 1),
    revision,
    // A part may start within a line, so that the line before it is looked for.
    first - 1,
  );
  const before = Number(rows[0]?.["line"] ?? 0);
  const lines = rows
    .map((row) => String(row["text"]))
    .join("")
    .split("\n");
  if (lines.at(-1) === "") lines.pop();
  const some = lines.slice(first - 1 - before, last - before);
  return { start: first, end: first + some.length - 1, text: some.join("\n") };
}

/** Whether an offset lies between the halves of a character. */
function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
