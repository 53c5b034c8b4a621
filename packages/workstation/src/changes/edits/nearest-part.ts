import { toLines } from "./find-loose.js";

/** The part of a text that is most similar to another text. */
export interface NearestPart {
  /** The first line, from 1. */
  readonly line: number;
  readonly text: string;
}

/** More comparisons of lines are not worth a hint. */
const MAX_COMPARISONS = 2_000_000;
const MAX_LINE = 2000;

/** Finds the nearest part by equal lines, or by the words of the longest line. Returns undefined if nothing is similar. */
export function nearestPart(text: string, wanted: string): NearestPart | undefined {
  const lines = toLines(text).map((line) => line.text);
  const sought = toLines(wanted).map((line) => line.text.trim());
  if (lines.length * sought.length > MAX_COMPARISONS) return undefined;
  const trimmed = lines.map((line) => line.trim());
  const at = byEqualLines(trimmed, sought) ?? byWords(trimmed, sought);
  if (at === undefined) return undefined;
  const part = lines.slice(at, at + sought.length).map((line) => line.slice(0, MAX_LINE));
  return { line: at + 1, text: part.join("\n") };
}

function byEqualLines(lines: readonly string[], sought: readonly string[]): number | undefined {
  let best: number | undefined;
  let bestCount = 0;
  for (let at = 1 - sought.length; at < lines.length; at += 1) {
    const same = sought.filter((line, index) => line.length > 1 && line === lines[at + index]).length;
    if (same > bestCount) [best, bestCount] = [Math.max(at, 0), same];
  }
  return best;
}

function byWords(lines: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce((one, other) => (other.length > one.length ? other : one), "");
  const words = wordsOf(longest);
  let best: number | undefined;
  let bestSimilarity = 0.4;
  for (const [at, line] of lines.entries()) {
    const others = wordsOf(line.slice(0, MAX_LINE));
    const shared = [...others].filter((word) => words.has(word)).length;
    const similarity = (2 * shared) / (words.size + others.size);
    if (similarity > bestSimilarity) [best, bestSimilarity] = [Math.max(at - sought.indexOf(longest), 0), similarity];
  }
  return best;
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+|[^\w\s]/g) ?? []);
