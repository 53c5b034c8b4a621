/** A line of a text, and where it is. */
export interface Line {
  /** Without its line ending. */
  readonly text: string;
  /** The line ending; empty at the end of the text. */
  readonly end: string;
  readonly from: number;
}

/** Splits a text into lines. */
export function toLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const { 0: whole, 1: content = "", 2: end = "", index } of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g))
    if (whole !== "") lines.push({ text: content, end, from: index });
  return lines;
}
