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

/** How a part of a text may differ from the text that was looked for. */
export type Difference = "line endings" | "trailing whitespace" | "indentation";

/** A part of a text that matches, exactly or except for white space. */
export interface LoosePart {
  readonly from: number;
  readonly to: number;
  /** The lines of the text, if whole lines were compared. */
  readonly lines: readonly Line[];
}

/** The parts with the smallest difference. */
export interface LooseParts {
  readonly differed: Difference;
  readonly parts: readonly LoosePart[];
}

/** Finds a text with other white space: first other line endings, then other trailing whitespace, then another indentation. */
export function findLoose(text: string, wanted: string): LooseParts | undefined {
  if (wanted.trim() === "") return undefined;
  const byEnds = findByLineEndings(text, wanted);
  if (byEnds.length > 0) return { differed: "line endings", parts: byEnds };
  const lines = toLines(text);
  for (const [differed, normalize] of NORMAL_FORMS) {
    const parts = findByLines(lines, wanted, normalize);
    if (parts.length > 0) return { differed, parts };
  }
  return undefined;
}

const NORMAL_FORMS: readonly (readonly [Difference, (line: string) => string])[] = [
  ["trailing whitespace", (line) => line.trimEnd()],
  ["indentation", (line) => line.trim()],
];

function findByLineEndings(text: string, wanted: string): LoosePart[] {
  if (!/[\r\n]/.test(wanted)) return [];
  const [plain, sought] = [normalizeLineEndings(text), normalizeLineEndings(wanted)];
  const pairs = [...text.matchAll(/\r\n/g)].map(({ index }, count) => index - count);
  // Each earlier CRLF that became one character has moved a position by one.
  const toOriginal = (at: number): number => {
    const after = pairs.findIndex((pair) => pair >= at);
    return at + (after === -1 ? pairs.length : after);
  };
  const parts: LoosePart[] = [];
  for (let at = plain.indexOf(sought); at !== -1; at = plain.indexOf(sought, at + sought.length))
    parts.push({ from: toOriginal(at), to: toOriginal(at + sought.length), lines: [] });
  return parts;
}

const normalizeLineEndings = (text: string): string => text.replaceAll(/\r\n|\n|\r/g, "\n");

function findByLines(lines: readonly Line[], wanted: string, normalize: (line: string) => string): LoosePart[] {
  const sought = toLines(wanted).map((line) => normalize(line.text));
  const endsLine = /[\r\n]$/.test(wanted);
  const present = lines.map((line) => normalize(line.text));
  const parts: LoosePart[] = [];
  for (let at = 0; at + sought.length <= present.length; at += 1) {
    if (!sought.every((line, index) => line === present[at + index])) continue;
    const matched = lines.slice(at, at + sought.length);
    const [first, last] = [matched[0], matched.at(-1)];
    if (first === undefined || last === undefined) continue;
    const end = last.from + last.text.length + (endsLine ? last.end.length : 0);
    parts.push({ from: first.from, to: end, lines: matched });
    at += sought.length - 1;
  }
  return parts;
}
