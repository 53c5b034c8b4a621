import { toLines } from "./lines.js";

/** The part of a text that is most like what was looked for. */
export interface NearestPart {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** How many comparisons of lines are worth a hint. */
const MOST_WORK = 2_000_000;
const LONGEST_LINE = 2000;

/** Finds it by the lines that are the same, else by the words of the longest line; undefined where nothing is alike. */
export function nearestPart(text: string, wanted: string): NearestPart | undefined {
  const lines = toLines(text).map((line) => line.text);
  const sought = toLines(wanted).map((line) => line.text.trim());
  if (lines.length * sought.length > MOST_WORK) return undefined;
  const trimmed = lines.map((line) => line.trim());
  const at = bySameLines(trimmed, sought) ?? byWords(trimmed, sought);
  if (at === undefined) return undefined;
  const part = lines.slice(at, at + sought.length).map((line) => line.slice(0, LONGEST_LINE));
  return { line: at + 1, text: part.join("\n") };
}

function bySameLines(lines: readonly string[], sought: readonly string[]): number | undefined {
  let best: number | undefined;
  let most = 0;
  for (let at = 1 - sought.length; at < lines.length; at += 1) {
    const same = sought.filter((line, index) => line.length > 1 && line === lines[at + index]).length;
    if (same > most) [best, most] = [Math.max(at, 0), same];
  }
  return best;
}

function byWords(lines: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce((one, other) => (other.length > one.length ? other : one), "");
  const words = wordsOf(longest);
  let best: number | undefined;
  let most = 0.4;
  for (const [at, line] of lines.entries()) {
    const others = wordsOf(line.slice(0, LONGEST_LINE));
    const shared = [...others].filter((word) => words.has(word)).length;
    const likeness = (2 * shared) / (words.size + others.size);
    if (likeness > most) [best, most] = [Math.max(at - sought.indexOf(longest), 0), likeness];
  }
  return best;
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+|[^\w\s]/g) ?? []);
