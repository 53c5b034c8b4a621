import { type Block, refuseMany } from "./reading.js";

/** One for all, so that blocks without headings are seen to be in the same place. */
const NONE: readonly string[] = [];

/** The blocks of a text without marks, or of code in a language that is not known: what stands between blank lines. */
export function readParagraphs(text: string, type: Block["type"], from = 0, to = text.length): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = from;
  for (let at = from; at < to; ) {
    const found = text.indexOf("\n", at);
    const lineEnd = found === -1 || found > to ? to : found;
    if (isBlank(text, at, lineEnd)) {
      if (start !== -1) blocks.push({ type, start, end, headings: NONE });
      refuseMany(blocks.length);
      start = -1;
    } else {
      if (start === -1) start = at;
      end = lineEnd;
    }
    at = lineEnd + 1;
  }
  if (start !== -1) blocks.push({ type, start, end, headings: NONE });
  return blocks;
}

/** Whether there is nothing to read in a range. */
export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32 && code !== 0xa0) return false;
  }
  return true;
}
