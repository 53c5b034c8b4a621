/** Makes untrusted text safe for a terminal: control characters are shown as symbols. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROL, (sign) => PICTURES[sign] ?? "\u{fffd}");
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text.trim().replaceAll(/\s*\n\s*/g, " "));
}

/** A name in one line: line breaks and tabs are shown as symbols, too. */
export function visibleName(name: string): string {
  return visible(name.replaceAll(/[\n\t\r]/g, (sign) => PICTURES[sign] ?? sign));
}

const CONTROL = /(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;
const PICTURES: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 32 }, (_, code) => [String.fromCodePoint(code), String.fromCodePoint(0x24_00 + code)]),
);

/** Longer lines are hard to read, even on wide screens. */
export const WIDEST = 100;

/** Wraps a text between words; `measure` returns the width of a part of it. */
export function wrap(text: string, width: number, measure: (part: string) => number = widthOf): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && measure(line) + 1 + measure(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Cuts a text to a width: of a path the end is kept, of words the beginning. */
export function cut(text: string, width: number, keeps: "path" | "words"): string {
  if (widthOf(text) <= width) return text;
  const signs = Array.from(text);
  while (signs.length > 0 && widthOf(signs.join("")) > width - 1) {
    if (keeps === "path") signs.shift();
    else signs.pop();
  }
  return keeps === "path" ? `…${signs.join("")}` : `${signs.join("")}…`;
}

/** The number of terminal columns of a text. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) if (!NO_WIDTH.test(sign)) width += WIDE.test(sign) ? 2 : 1;
  return width;
}

const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
