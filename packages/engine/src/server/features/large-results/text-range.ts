const NEWLINE = 10;

/** A part of a text and its bytes. */
interface TextRange {
  readonly text: string;
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
}

/**
 * Reads at most this many bytes of UTF-8 text, from the start of the character at the offset, without splitting a character.
 * Reads at least one character.
 */
export function readText(bytes: Buffer, offset: number, maxBytes: number): TextRange {
  const start = characterStart(bytes, offset);
  let end = characterStart(bytes, Math.min(start + maxBytes, bytes.length));
  if (end === start) end += 1;
  while (isContinuationByte(bytes[end])) end += 1;
  return { text: bytes.toString("utf8", start, end), start, end };
}

/** Shortens a text to its last complete line, unless that removes more than half of it. */
export function trimToLineEnd(text: string): string {
  const length = text.lastIndexOf("\n") + 1;
  return length > text.length / 2 ? text.slice(0, length) : text;
}

const isContinuationByte = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of the character at an offset. */
function characterStart(bytes: Buffer, offset: number): number {
  let start = offset;
  while (isContinuationByte(bytes[start])) start -= 1;
  return start;
}

/** Counts the lines of a text. A last line without a newline counts. */
export function countLines(bytes: Buffer): number {
  const isLastOpen = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  return countNewlines(bytes, 0, bytes.length) + (isLastOpen ? 1 : 0);
}

/** Counts the newlines between two offsets. */
export function countNewlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let offset = start; offset < end; offset += 1) if (bytes[offset] === NEWLINE) count += 1;
  return count;
}

/** The offset at which a line starts, or the end of the text if it has fewer lines; the first line is 1. */
export function findLineStart(bytes: Buffer, line: number): number {
  let offset = 0;
  for (let newlines = 1; newlines < line && offset < bytes.length; offset += 1)
    if (bytes[offset] === NEWLINE) newlines += 1;
  return offset;
}
