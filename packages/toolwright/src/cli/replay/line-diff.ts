/** One line of a text that has changed. */
export interface DiffLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** How much is shown around a change, and of it. */
const CONTEXT = 2;
const MOST_LINES = 20;
const LONGEST = 300;

/** What has changed from one text to the other: the lines from the first difference to the last, and a few around them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  const near = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text: shorten(text) }));
  return [
    ...near(old.slice(Math.max(0, head - CONTEXT), head)),
    ...changed("-", old.slice(head, old.length - tail), young[head]),
    ...changed("+", young.slice(head, young.length - tail), old[head]),
    ...near(old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
}

function changed(sign: "-" | "+", lines: readonly string[], other: string | undefined): DiffLine[] {
  const shown = lines
    .slice(0, MOST_LINES)
    .map((text, at): DiffLine => ({ sign, text: shorten(text, at === 0 ? other : undefined) }));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, { sign, text: `… and ${more} more lines` }] : shown;
}

/** Of a long line the part is shown in which it differs from the other one. */
function shorten(line: string, other?: string): string {
  if (line.length <= LONGEST) return line;
  const same = commonHead(line, other ?? "");
  const from = Math.max(0, Math.min(same - 40, line.length - LONGEST));
  const part = line.slice(from, from + LONGEST);
  return `${from > 0 ? "…" : ""}${part}${from + LONGEST < line.length ? "…" : ""}`;
}

function commonHead(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
