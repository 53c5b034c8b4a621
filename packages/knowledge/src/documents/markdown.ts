import { Headings, plainHeading } from "./headings.js";
import {
  type Fence,
  hashLevel,
  hasPipe,
  isClosingFence,
  isTableRule,
  itemIndent,
  type Line,
  lineAt,
  openingFence,
  underlineLevel,
} from "./markdown-line.js";
import { type Block, refuseMany } from "./reading.js";

/** The blocks of a Markdown text and the first heading in it. */
export interface MarkdownBlocks {
  readonly blocks: readonly Block[];
  readonly firstHeading: string | undefined;
}

/** Finds the blocks of a Markdown text from an offset on. */
export function readMarkdown(text: string, from: number): MarkdownBlocks {
  const scan = new MarkdownScan(text);
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at);
    scan.take(line);
    at = line.end + 1;
  }
  return scan.finish();
}

/** What goes on until a line with this text in it. */
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
  /** How far the text of the list's item is indented; -1 outside of lists. */
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

  /** Takes a line that starts something by how it starts; false = it does not. */
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
    // An underlined heading is the paragraph above the line.
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
    // A number within a paragraph is hardly ever the start of a list, but for the first one.
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

  /** The line below a table's head makes a table of the last line of a paragraph. */
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

/** Whether a comment or an element starts at an offset: `<pre` is also how `<preview>` starts. */
function startsElement(text: string, at: number, opening: string): boolean {
  return text.startsWith(opening, at) && (opening === "<!--" || !/[\w-]/.test(text.charAt(at + opening.length)));
}

/** Whether some words are on a line: the search goes no further than it. */
function hasWithin(text: string, words: string, { first, end }: Line): boolean {
  return text.slice(first, end).includes(words);
}
