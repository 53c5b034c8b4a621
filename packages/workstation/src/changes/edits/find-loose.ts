import { type Line, toLines, withEnds } from "./lines.js";

/** In what a part of a text may differ from what was looked for. */
export type Difference = "line endings" | "trailing whitespace" | "indentation";

/** A part of a text that is nearly what was looked for. */
export interface LoosePart {
  readonly from: number;
  readonly to: number;
  /** The lines of the text, where whole lines were compared. */
  readonly lines: readonly Line[];
}

/** The parts that differ in the least that any of them does. */
export interface Loose {
  readonly differed: Difference;
  readonly parts: readonly LoosePart[];
}

/** Looks for a text where white space may differ: first in line ends only, then behind lines, then in front of them. */
export function findLoose(text: string, wanted: string): Loose | undefined {
  if (wanted.trim() === "") return undefined;
  const byEnds = findByEnds(text, wanted);
  if (byEnds.length > 0) return { differed: "line endings", parts: byEnds };
  const lines = toLines(text);
  for (const [differed, normal] of NORMAL_FORMS) {
    const parts = findByLines(lines, wanted, normal);
    if (parts.length > 0) return { differed, parts };
  }
  return undefined;
}

const NORMAL_FORMS: readonly (readonly [Difference, (line: string) => string])[] = [
  ["trailing whitespace", (line) => line.trimEnd()],
  ["indentation", (line) => line.trim()],
];

function findByEnds(text: string, wanted: string): LoosePart[] {
  if (!/[\r\n]/.test(wanted)) return [];
  const [plain, sought] = [withEnds(text, "\n"), withEnds(wanted, "\n")];
  const pairs = [...text.matchAll(/\r\n/g)].map(({ index }, count) => index - count);
  // Each pair of characters that became one before a place has moved it by one.
  const back = (at: number): number => {
    const after = pairs.findIndex((pair) => pair >= at);
    return at + (after === -1 ? pairs.length : after);
  };
  const parts: LoosePart[] = [];
  for (let at = plain.indexOf(sought); at !== -1; at = plain.indexOf(sought, at + sought.length))
    parts.push({ from: back(at), to: back(at + sought.length), lines: [] });
  return parts;
}

function findByLines(lines: readonly Line[], wanted: string, normal: (line: string) => string): LoosePart[] {
  const sought = toLines(wanted).map((line) => normal(line.text));
  const isWhole = /[\r\n]$/.test(wanted);
  const present = lines.map((line) => normal(line.text));
  const parts: LoosePart[] = [];
  for (let at = 0; at + sought.length <= present.length; at += 1) {
    if (!sought.every((line, index) => line === present[at + index])) continue;
    const matched = lines.slice(at, at + sought.length);
    const [first, last] = [matched[0], matched.at(-1)];
    if (first === undefined || last === undefined) continue;
    const end = last.from + last.text.length + (isWhole ? last.end.length : 0);
    parts.push({ from: first.from, to: end, lines: matched });
    at += sought.length - 1;
  }
  return parts;
}
