import { widthOf } from "./table.js";

/** Longer lines are hard to read, however wide a screen is. */
export const WIDEST = 100;

/** A text in lines that are no wider than `width`, broken between words; `measure` says how wide a part of it is. */
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
