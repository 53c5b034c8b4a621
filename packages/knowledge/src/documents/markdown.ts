import { Headings, plainHeading } from "./block-builder.js";
import { type Block, refuseMany } from "./reading.js";

/** The blocks of a Markdown text, and its first heading. */
export interface MarkdownBlocks {
  readonly blocks: readonly Block[];
  readonly firstHeading: string | undefined;
}

/** Splits a Markdown text into blocks, starting at `from`. */
export function readMarkdown(text: string, from: number): MarkdownBlocks {
  const scan = new MarkdownScan(text);
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at);
    scan.take(line);
    at = line.end + 1;
  }
  return scan.finish();
}

/** A verbatim block that ends at a line that contains this text. */
interface Verbatim {
  readonly until: string;
}

interface Open {
  type: Block["type"];
  start: number;
  end: number;
}

const RAW = [
  ["<!--", "-->", "text"],
  ["<pre", "</pre>", "code"],
  ["<script", "</script>", "code"],
  ["<style", "</style>", "code"],
] as const;
const HASH = 35;
const LESS = 60;
const QUOTE = 62;

class MarkdownScan {
  readonly #text: string;
  readonly #blocks: Block[] = [];
  readonly #headings = new Headings();
  #open: Open | undefined;
  #lastLine = 0;
  #isAfterBlank = true;
  #inside: Fence | Verbatim | undefined;
  /** The indentation of the current list item's text; -1 outside of lists. */
  #listIndent = -1;

  constructor(text: string) {
    this.#text = text;
  }

  finish(): MarkdownBlocks {
    this.#close();
    return { blocks: this.#blocks, firstHeading: this.#headings.first };
  }

  take(line: Line): void {
    refuseMany(this.#blocks.length);
    if (line.first === line.end) return this.#takeBlank();
    if (this.#inside !== undefined) this.#takeInside(line, this.#inside);
    else if (!this.#takeMarked(line)) this.#takeProse(line);
    this.#isAfterBlank = false;
    this.#lastLine = line.start;
  }

  #takeBlank(): void {
    this.#isAfterBlank = true;
    const type = this.#open?.type;
    if (this.#inside === undefined && (type === "text" || type === "table")) this.#close();
  }

  #takeInside(line: Line, inside: Fence | Verbatim): void {
    this.#extend("code", line);
    const isEnd =
      "until" in inside ? hasWithin(this.#text, inside.until, line) : isClosingFence(this.#text, line, inside);
    if (!isEnd) return;
    this.#inside = undefined;
    this.#close();
  }

  /** Handles a line that starts a block. Returns false if it does not. */
  #takeMarked(line: Line): boolean {
    const { first, indent } = line;
    const isInItem = this.#listIndent >= 0 && indent >= this.#listIndent;
    const isCode = indent >= 4 && this.#listIndent < 0;
    if (isCode) return false;
    const fence = openingFence(this.#text, line);
    if (fence !== undefined) {
      this.#start("code", line);
      this.#inside = fence;
      return true;
    }
    if (isInItem) return false;
    const code = this.#text.charCodeAt(first);
    if (code === HASH) return this.#takeHeading(line, hashLevel(this.#text, line), line.start);
    if (code === LESS) return this.#takeRaw(line);
    const isParagraph = this.#open?.type === "text" && this.#text.charCodeAt(this.#open.start) !== QUOTE;
    return isParagraph && this.#takeHeading(line, underlineLevel(this.#text, line), this.#open?.start ?? line.start);
  }

  #takeHeading(line: Line, level: number, start: number): boolean {
    if (level === 0) return false;
    const end = start < line.start ? this.#lastEnd(line) : line.end;
    // The paragraph above the underline becomes a heading.
    if (start < line.start) this.#open = undefined;
    this.#close();
    this.#listIndent = -1;
    const title = plainHeading(this.#text.slice(start, Math.min(end, start + 500)));
    this.#blocks.push(this.#headings.enter(level, title, start, line.end));
    return true;
  }

  #lastEnd(line: Line): number {
    return this.#open?.end ?? line.end;
  }

  #takeRaw(line: Line): boolean {
    const raw = RAW.find(([opening]) => startsElement(this.#text, line.first, opening));
    if (raw === undefined) return false;
    const [, until, type] = raw;
    this.#start(type, line);
    this.#listIndent = -1;
    if (hasWithin(this.#text, until, line)) this.#close();
    else this.#inside = { until };
    return true;
  }

  #takeProse(line: Line): void {
    const text = this.#text;
    const item = line.indent >= 4 && this.#listIndent < 0 ? -1 : itemIndent(text, line);
    // A number within a paragraph rarely starts a list unless it is 1.
    const mayStart = this.#isAfterBlank || this.#open?.type !== "text" || !(text.charCodeAt(line.first) > 49);
    if (item >= 0 && (this.#listIndent >= 0 || mayStart)) {
      this.#listIndent = item;
      return this.#extend("list", line);
    }
    if (this.#listIndent >= 0) {
      if (line.indent >= Math.min(this.#listIndent, 2) || !this.#isAfterBlank) return this.#extend("list", line);
      this.#listIndent = -1;
    }
    if (line.indent >= 4 && (this.#isAfterBlank || this.#open?.type === "code")) return this.#extend("code", line);
    if (this.#open?.type === "table" && hasPipe(text, line.first, line.end)) return this.#extend("table", line);
    if (this.#startTable(line)) return;
    this.#extend("text", line);
  }

  /** Turns the last line of a paragraph into a table head if a delimiter row follows. */
  #startTable(line: Line): boolean {
    const open = this.#open;
    if (open?.type !== "text" || !isTableRule(this.#text, line)) return false;
    if (!hasPipe(this.#text, this.#lastLine, open.end)) return false;
    const { end } = open;
    if (open.start < this.#lastLine) open.end = this.#lastLine - 1;
    else this.#open = undefined;
    this.#close();
    this.#open = { type: "table", start: this.#lastLine, end };
    this.#extend("table", line);
    return true;
  }

  #start(type: Block["type"], line: Line): void {
    this.#close();
    this.#open = { type, start: line.start, end: line.end };
  }

  #extend(type: Block["type"], line: Line): void {
    if (this.#inside === undefined && this.#open?.type !== type) return this.#start(type, line);
    if (this.#open === undefined) return this.#start(type, line);
    this.#open.end = line.end;
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    this.#blocks.push({ type: open.type, start: open.start, end: open.end, headings: this.#headings.above });
  }
}

/** Whether a comment or element starts here; `<pre` is also a prefix of `<preview>`. */
function startsElement(text: string, at: number, opening: string): boolean {
  return text.startsWith(opening, at) && (opening === "<!--" || !/[\w-]/.test(text.charAt(at + opening.length)));
}

/** Whether a line contains `words`. */
function hasWithin(text: string, words: string, { first, end }: Line): boolean {
  return text.slice(first, end).includes(words);
}

const TAB = 9;
const SPACE = 32;
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

/** A line: its start, its first non-blank character, and its indentation. */
interface Line {
  readonly start: number;
  /** Equals `end` on a blank line. */
  readonly first: number;
  readonly end: number;
  readonly indent: number;
}

function lineAt(text: string, start: number): Line {
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

/** The level of an ATX heading; 0 if it is not a heading. */
function hashLevel(text: string, { first, end }: Line): number {
  let at = first;
  while (at < end && text.charCodeAt(at) === HASH) at += 1;
  const level = at - first;
  return level <= 6 && (at === end || isBlank(text.charCodeAt(at))) ? level : 0;
}

/** The level of a setext heading underline; 0 if it is not one. */
function underlineLevel(text: string, { first, end, indent }: Line): number {
  const mark = text.charCodeAt(first);
  if (indent > 3 || (mark !== EQUALS && mark !== DASH)) return 0;
  return skip(text, skip(text, first, end, mark), end, SPACE) === end ? (mark === EQUALS ? 1 : 2) : 0;
}

function skip(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at;
}

/** The opening of a fenced code block. */
interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** Parses an opening fence. */
function openingFence(text: string, { first, end }: Line): Fence | undefined {
  const mark = text.charCodeAt(first);
  if (mark !== BACKQUOTE && mark !== TILDE) return undefined;
  const length = skip(text, first, end, mark) - first;
  if (length < 3) return undefined;
  // A line with a later backquote is inline code.
  if (mark === BACKQUOTE)
    for (let at = first + length; at < end; at += 1) if (text.charCodeAt(at) === mark) return undefined;
  return { mark, length };
}

/** Whether a line closes a fence: the same character, at least as often, and nothing else. */
function isClosingFence(text: string, { first, end }: Line, fence: Fence): boolean {
  const after = skip(text, first, end, fence.mark);
  if (after - first < fence.length) return false;
  for (let at = after; at < end; at += 1) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/** The indentation of a list item's text; -1 if the line does not start an item. */
function itemIndent(text: string, { first, end, indent }: Line): number {
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

/** Whether a line is a thematic break such as `* * *`. */
function isRule(text: string, first: number, end: number, mark: number): boolean {
  let marks = 0;
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === mark) marks += 1;
    else if (!isBlank(code)) return false;
  }
  return marks >= 3 && !isDigit(mark);
}

/** Whether a line is a table's delimiter row: `|---|:-:|`. */
function isTableRule(text: string, { first, end }: Line): boolean {
  let [dashes, pipes] = [0, 0];
  for (let at = first; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DASH) dashes += 1;
    else if (code === PIPE) pipes += 1;
    else if (code !== COLON && !isBlank(code)) return false;
  }
  return dashes > 0 && pipes > 0;
}

/** Whether a line contains a cell separator. */
function hasPipe(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === PIPE) return true;
  return false;
}
