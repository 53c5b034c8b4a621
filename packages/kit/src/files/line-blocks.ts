import { breaksIn, type Reading, readAt } from "./file-scan.js";
import { decodeText, type TextForm, wholeBytes } from "./text.js";

/** Lines of a text, one after the other, as they fit into memory. */
export interface LineBlock {
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
export async function* readBlocks(file: Reading, form: TextForm, head: Buffer): AsyncGenerator<LineBlock, void> {
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
