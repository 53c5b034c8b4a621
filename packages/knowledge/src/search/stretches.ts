import type { Stretch } from "./answer.js";

/** A stretch has so many characters at least: two or three sentences. */
const LEAST = 200;
/** Where a sentence, a paragraph, an item of a list or a row of a table ends. */
const END = /(?<=[.!?:])\s+|(?<=[。！？])|\n\s*\n|\n(?=[-|*#])/gu;

/** Cuts a passage into stretches, each of which says something on its own. */
export function stretchesOf(content: string): readonly Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (const end of content.matchAll(END)) {
    if (end.index - start < LEAST) continue;
    found.push({ start, end: end.index });
    start = end.index + end[0].length;
  }
  if (start < content.length) found.push({ start, end: content.length });
  return found;
}
