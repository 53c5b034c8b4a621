import { endOfString } from "./scan.js";

const QUOTE = 34;

/**
 * Tells whether JSON text nests deeper than `limit`, before it is parsed. Deep nesting costs V8 seconds and later overflows
 * the stack of every recursive reader, so it is refused on the text.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  // Each level takes an opening and a closing character, so short texts need no look at all.
  if (text.length < 2 * limit) return false;
  return hasMoreThan(text, limit) && measure(text, limit) > limit;
}

/** Counts brackets with the native search, which passes over long strings at memory speed. */
function hasMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > limit) return true;
    }
  }
  return false;
}

function measure(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 93 || code === 125) {
      depth -= 1;
    }
  }
  return deepest;
}
