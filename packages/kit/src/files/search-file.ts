import { breaksIn, type Reading, readAt } from "./file-scan.js";
import type { Guard } from "./search-pattern.js";
import { decodeText, type TextForm, wholeBytes } from "./text.js";

/** A line that fits. */
export interface LineMatch {
  readonly line: number;
  /** The first character that fits, counted from 1. */
  readonly column: number;
  readonly text: string;
  before?: string[];
  after?: string[];
}

/** How a file is searched. */
export interface LineSearch {
  readonly form: TextForm;
  /** What was read of it to tell its form. */
  readonly head: Buffer;
  readonly pattern: RegExp;
  readonly guard: Guard;
  /** How many lines around each match are given. */
  readonly context: number;
  /** Only lines behind this one count. */
  readonly after: number;
}

/** What stands for the rest of a line that goes on: no pattern asks for it, and no line ends with it. */
const GOES_ON = "\0";

const MOST_SHOWN = 400;
const SHOWN_BEFORE = 100;

/** The lines of a file that fit, in their order. Lines around them are given once, with the nearest match. */
export async function* searchFile(
  file: Reading,
  { form, head, pattern, guard, context, after }: LineSearch,
): AsyncGenerator<LineMatch, void> {
  let recent: string[] = [];
  let waiting: LineMatch | undefined;
  let reported = after;
  for await (const block of readBlocks(file, form, head)) {
    const columns = guard(() => columnsIn(block, pattern));
    // Without context only the lines that fit are of interest, and most blocks have none.
    if (columns.size === 0 && context === 0) continue;
    for (const [at, line] of block.lines.entries()) {
      const number = block.first + at;
      const column = columns.get(at);
      if (column !== undefined && number > reported) {
        if (waiting !== undefined) yield waiting;
        waiting = { line: number, column: column + (at === 0 ? block.before : 0) + 1, text: excerpt(line, column) };
        if (recent.length > 0) waiting.before = recent;
        recent = [];
        reported = number;
      } else if (context > 0 && number > reported) {
        // Of a line in pieces the first one stands for all.
        if (at === 0 && block.before > 0) continue;
        if (waiting !== undefined && number - waiting.line <= context) (waiting.after ??= []).push(excerpt(line, 0));
        else recent = [...recent, excerpt(line, 0)].slice(-context);
      }
    }
  }
  if (waiting !== undefined) yield waiting;
}

/** The lines of a block that fit, each with the place where. */
function columnsIn({ lines, before, isOpen }: LineBlock, pattern: RegExp): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const goesOn = isOpen && at === lines.length - 1;
    // What does not begin a line must not look as if it did.
    pattern.lastIndex = at === 0 && before > 0 ? 1 : 0;
    const match = pattern.exec(goesOn ? line + GOES_ON : line);
    if (match !== null && match.index + match[0].length <= line.length) found.set(at, match.index);
  }
  return found;
}

/** A line as it is shown: of a long one, what is around the match. */
function excerpt(line: string, column: number): string {
  if (line.length <= MOST_SHOWN) return line;
  const start = Math.max(0, Math.min(column - SHOWN_BEFORE, line.length - MOST_SHOWN));
  const shown = line.slice(start, start + MOST_SHOWN).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${start > 0 ? "…" : ""}${shown}${start + MOST_SHOWN < line.length ? "…" : ""}`;
}

/** Lines of a text, one after the other, as they fit into memory. */
interface LineBlock {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly first: number;
  /** How many characters of the first line come before this block: it is too long for one. */
  readonly before: number;
  /** The last line goes on in the next block. */
  readonly isOpen: boolean;
}

const CHUNK = 256 * 1024;

/** How much of a line that is too long for one block is given again in the next one, so that what lies across is found. */
const OVERLAP = 4096;

/**
 * Reads a text file in blocks of lines, without their line breaks. Memory holds one block, however long a line is, and the `head`,
 * which was read before.
 */
async function* readBlocks(file: Reading, form: TextForm, head: Buffer): AsyncGenerator<LineBlock, void> {
  let first = 1;
  let before = 0;
  let overlap = "";
  let carried: Buffer = Buffer.alloc(0);
  for (let at = form.bomBytes; at < file.size; ) {
    const chunk = at < head.length ? head.subarray(at, at + CHUNK) : await readAt(file, at, CHUNK);
    if (chunk.length === 0) return;
    at += chunk.length;
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const isLast = at >= file.size;
    const end = lastBreak(bytes, form);
    const isOpen = !isLast && end === 0;
    const used = isLast ? bytes.length : isOpen ? wholeBytes(bytes, form.encoding) : end;
    const lines = (overlap + decodeText(bytes.subarray(0, used), form.encoding)).split("\n");
    if (!isOpen && lines.at(-1) === "") lines.pop();
    yield { lines: isOpen ? lines : lines.map(withoutReturn), first, before, isOpen };
    carried = bytes.subarray(used);
    first += isOpen ? 0 : lines.length;
    const open = isOpen ? (lines[0] ?? "") : "";
    overlap = fromCharacter(open.slice(-OVERLAP));
    before = isOpen ? before + open.length - overlap.length : 0;
  }
}

function lastBreak(bytes: Buffer, form: TextForm): number {
  if (!form.encoding.startsWith("utf-16")) return bytes.lastIndexOf(0x0a) + 1;
  let last = 0;
  for (const end of breaksIn(bytes, form)) last = end;
  return last;
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const fromCharacter = (text: string): string => (/^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text);
