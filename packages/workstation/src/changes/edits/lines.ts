/** A line of a text, and where it is. */
export interface Line {
  /** Without what ends it. */
  readonly text: string;
  /** What ends it; empty at the end of the text. */
  readonly end: string;
  readonly from: number;
}

/** The lines of a text, with their ends apart. */
export function toLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const { 0: whole, 1: words = "", 2: end = "", index } of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g))
    if (whole !== "") lines.push({ text: words, end, from: index });
  return lines;
}

/** The number of the line in which a place is, from 1. */
export function lineAt(text: string, at: number): number {
  return (text.slice(0, at).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
}

/** What most lines of a text end with; undefined where it has one line. */
export function usualEnd(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(/\r\n|\n|\r/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

/** The text with other line ends. */
export const withEnds = (text: string, end: string): string => text.replaceAll(/\r\n|\n|\r/g, end);
