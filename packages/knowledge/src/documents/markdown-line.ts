const TAB = 9;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const STAR = 42;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const PARENTHESIS = 41;
const BACKQUOTE = 96;
const PIPE = 124;
const TILDE = 126;

const isBlank = (code: number): boolean => code === SPACE || code === TAB;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** A line of Markdown: where it starts, where its first character is, and how far that is indented. */
export interface Line {
  readonly start: number;
  /** The same as `end` where there is nothing on the line. */
  readonly first: number;
  readonly end: number;
  readonly indent: number;
}

/** The line at an offset. */
export function lineAt(text: string, start: number): Line {
  const found = text.indexOf("\n", start);
  const end = found === -1 ? text.length : found;
  let [first, indent] = [start, 0];
  for (; first < end; first += 1) {
    const code = text.charCodeAt(first);
    if (code === SPACE) indent += 1;
    else if (code === TAB) indent += 4 - (indent % 4);
    else if (code > SPACE && code !== 0xa0) break;
  }
  return { start, first, end, indent };
}

/** The level of a heading that starts with "#"; 0 = it is none. */
export function hashLevel(text: string, { first, end }: Line): number {
  let at = first;
  while (at < end && text.charCodeAt(at) === HASH) at += 1;
  const level = at - first;
  return level <= 6 && (at === end || isBlank(text.charCodeAt(at))) ? level : 0;
}

/** The level of the heading that a line of "=" or "-" makes of the lines above it; 0 = it makes none. */
export function underlineLevel(text: string, { first, end, indent }: Line): number {
  const mark = text.charCodeAt(first);
  if (indent > 3 || (mark !== EQUALS && mark !== DASH)) return 0;
  return skip(text, skip(text, first, end, mark), end, SPACE) === end ? (mark === EQUALS ? 1 : 2) : 0;
}

function skip(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at;
}

/** What opens a fenced block of code. */
export interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** The fence that a line opens. */
export function openingFence(text: string, { first, end }: Line): Fence | undefined {
  const mark = text.charCodeAt(first);
  if (mark !== BACKQUOTE && mark !== TILDE) return undefined;
  const length = skip(text, first, end, mark) - first;
  if (length < 3) return undefined;
  // With one after it, it is code in a line of prose.
  if (mark === BACKQUOTE)
    for (let at = first + length; at < end; at += 1) if (text.charCodeAt(at) === mark) return undefined;
  return { mark, length };
}

/** Whether a line closes a fence: the same mark, as often or more, and nothing else. */
export function isClosingFence(text: string, { first, end }: Line, fence: Fence): boolean {
  const after = skip(text, first, end, fence.mark);
  if (after - first < fence.length) return false;
  for (let at = after; at < end; at += 1) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/** How far the text of a list's item is indented; -1 = the line starts no item. */
export function itemIndent(text: string, { first, end, indent }: Line): number {
  const code = text.charCodeAt(first);
  let at = first + 1;
  if (isDigit(code)) {
    while (at < end && at - first < 9 && isDigit(text.charCodeAt(at))) at += 1;
    const mark = text.charCodeAt(at);
    if (at >= end || (mark !== DOT && mark !== PARENTHESIS)) return -1;
    at += 1;
  } else if (code !== DASH && code !== PLUS && code !== STAR) return -1;
  if (at < end && !isBlank(text.charCodeAt(at))) return -1;
  if (code !== PLUS && isRule(text, first, end, code)) return -1;
  return indent + (at - first) + 1;
}

/** A line such as `* * *` divides a text. */
function isRule(text: string, first: number, end: number, mark: number): boolean {
  let marks = 0;
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === mark) marks += 1;
    else if (!isBlank(code)) return false;
  }
  return marks >= 3 && !isDigit(mark);
}

/** Whether a line is the one below the head of a table: `|---|:-:|`. */
export function isTableRule(text: string, { first, end }: Line): boolean {
  let [dashes, pipes] = [0, 0];
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DASH) dashes += 1;
    else if (code === PIPE) pipes += 1;
    else if (code !== COLON && !isBlank(code)) return false;
  }
  return dashes > 0 && pipes > 0;
}

/** Whether a line has a cell's border. */
export function hasPipe(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === PIPE) return true;
  return false;
}
