import { endOfString, endOfValue, skipGap } from "./scan.js";

/** No character takes more than this many in a string, written as an escape. */
const LONGEST_ESCAPE = 6;

/**
 * The characters of the number at `path`, member by member, in JSON text that has been parsed before. `JSON.parse` rounds
 * integers beyond 2^53; this reads them from the source. Of doubled keys the last one counts, as in `JSON.parse`.
 */
export function numberSource(text: string, path: readonly string[]): string | undefined {
  let start: number | undefined = skipGap(text, 0);
  for (const key of path) {
    start = startOfMember(text, start, key);
    if (start === undefined) return undefined;
  }
  return text.slice(start, endOfValue(text, start));
}

/** Where the value of a member begins, in the object that begins at `start`. */
function startOfMember(text: string, start: number, key: string): number | undefined {
  if (text[start] !== "{") return undefined;
  let found: number | undefined;
  let at = skipGap(text, start + 1);
  while (at < text.length && text[at] !== "}") {
    const end = endOfString(text, at);
    const value = skipGap(text, skipGap(text, end + 1) + 1);
    if (isKey(text, at, end, key)) found = value;
    at = skipGap(text, endOfValue(text, value));
    if (text[at] === ",") at = skipGap(text, at + 1);
  }
  return found;
}

/** Tells whether the string between two quotes is the key; it is decoded only where it may be the key in escapes. */
function isKey(text: string, open: number, close: number, key: string): boolean {
  const length = close - open - 1;
  if (length === key.length) return text.startsWith(key, open + 1);
  if (length < key.length || length > key.length * LONGEST_ESCAPE) return false;
  const string = text.slice(open, close + 1);
  return string.includes("\\") && JSON.parse(string) === key;
}
