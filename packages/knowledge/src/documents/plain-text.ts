import { type Block, refuseMany } from "./reading.js";

/** A shared constant, so that blocks without headings compare as equal. */
const NONE: readonly string[] = [];

/** Splits a text, or code in an unknown language, at blank lines. */
export function readParagraphs(text: string, type: Block["type"], from = 0, to = text.length): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = from;
  for (let at = from; at < to; ) {
    const found = text.indexOf("\n", at);
    const lineEnd = found === -1 || found > to ? to : found;
    if (isBlank(text, at, lineEnd)) {
      if (start !== -1) blocks.push({ type, start, end, headings: NONE });
      refuseMany(blocks.length);
      start = -1;
    } else {
      if (start === -1) start = at;
      end = lineEnd;
    }
    at = lineEnd + 1;
  }
  if (start !== -1) blocks.push({ type, start, end, headings: NONE });
  return blocks;
}

/** Whether a range has only whitespace. */
export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32 && code !== 0xa0) return false;
  }
  return true;
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
const QUOTE = 34;
const LF = 10;
/** An unclosed quote must not swallow the rest of the table. */
const MAX_ROW_LENGTH = 65_536;

/** The delimiter of a table: the most frequent candidate in the first row outside of quotes. */
function delimiterOf(text: string): string {
  const row = text.slice(0, rowEnd(text, 0, text.length)).replaceAll(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => row.split(delimiter).length);
  const highest = Math.max(...counts);
  return highest === 1 ? "," : (DELIMITERS[counts.indexOf(highest)] ?? ",");
}

/** The end of the row at an offset: a line end that is not quoted. */
export function rowEnd(text: string, start: number, end: number): number {
  let isQuoted = false;
  let first = -1;
  const last = Math.min(end, start + MAX_ROW_LENGTH);
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (code === LF) {
      if (!isQuoted) return at;
      if (first === -1) first = at;
    }
  }
  if (last === end && !isQuoted) return end;
  const next = first === -1 ? text.indexOf("\n", last) : first;
  return next === -1 || next > end ? end : next;
}

/** Reads a table as one block, with the names of its columns. */
export function readTable(text: string): {
  readonly blocks: readonly Block[];
  readonly metadata: Record<string, string>;
} {
  let start = 0;
  while (start < text.length && text.charCodeAt(start) <= 32) start += 1;
  if (isBlank(text, start, text.length)) return { blocks: [], metadata: {} };
  const delimiter = delimiterOf(text.slice(start, start + MAX_ROW_LENGTH));
  const head = text.slice(start, rowEnd(text, start, text.length));
  const columns = head
    .slice(0, 2000)
    .split(delimiter)
    .map((cell) => cell.trim().replaceAll(/^"|"$/g, ""));
  return {
    blocks: [{ type: "table", start, end: text.trimEnd().length, headings: [] }],
    metadata: { delimiter: delimiter === "\t" ? "tab" : delimiter, columns: columns.join(", ") },
  };
}
