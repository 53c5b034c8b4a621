import { NumberReader, NumberWriter, Uint32List } from "./numbers.js";
import type { SourceSpan } from "./reading.js";

/** Locates a text range in the source. */
export type Locate = (start: number, end: number) => SourceSpan;

/** A map from a text to its source bytes. Each piece is a text range with its range of bytes. */
export class ByteMap {
  readonly #texts = new Uint32List();
  readonly #starts = new Uint32List();
  readonly #ends = new Uint32List();
  #textEnd = 0;
  #lastWidth = Number.NaN;

  /** The length of the mapped text. */
  get textEnd(): number {
    return this.#textEnd;
  }

  /** Maps text of a length to a byte range. All its units have the same width, or it is a single character. */
  add(length: number, start: number, end: number): void {
    if (length <= 0) return;
    const width = (end - start) / length;
    const last = this.#ends.length - 1;
    // Adjacent text of the same width extends the last piece.
    if (width === this.#lastWidth && this.#ends.at(last) === start) this.#ends.set(last, end);
    else {
      this.#texts.push(this.#textEnd);
      this.#starts.push(start);
      this.#ends.push(end);
    }
    this.#lastWidth = Number.isInteger(width) ? width : Number.NaN;
    this.#textEnd += length;
  }

  /** The first byte of the character at an offset; at the end of the text, the end of its bytes. */
  startOf(offset: number): number {
    if (offset >= this.#textEnd) return this.#ends.at(this.#ends.length - 1);
    const piece = this.#texts.countUpTo(offset) - 1;
    return this.#starts.at(piece) + this.#inside(piece, offset, 0);
  }

  /** The end of the bytes of the character before an offset. */
  endOf(offset: number): number {
    if (offset <= 0) return this.startOf(0);
    const piece = this.#texts.countUpTo(Math.min(offset, this.#textEnd) - 1) - 1;
    return this.#starts.at(piece) + this.#inside(piece, Math.min(offset, this.#textEnd), 1);
  }

  /** Bytes from the start of a piece to an offset in it; an indivisible piece counts whole or not at all. */
  #inside(piece: number, offset: number, all: 0 | 1): number {
    const bytes = this.#ends.at(piece) - this.#starts.at(piece);
    const from = this.#texts.at(piece);
    const next = piece + 1 < this.#texts.length ? this.#texts.at(piece + 1) : this.#textEnd;
    const width = bytes / (next - from);
    return Number.isInteger(width) ? (offset - from) * width : all * bytes;
  }

  write(to: NumberWriter): void {
    to.write(this.#textEnd);
    to.writeAscending(this.#texts);
    let last = 0;
    for (let index = 0; index < this.#texts.length; index += 1) {
      to.write(this.#starts.at(index) - last);
      to.write(this.#ends.at(index) - this.#starts.at(index));
      last = this.#ends.at(index);
    }
  }

  static read(from: NumberReader): ByteMap {
    const map = new ByteMap();
    const textEnd = from.read();
    const texts = from.readAscending();
    let last = 0;
    for (let index = 0; index < texts.length; index += 1) {
      const start = last + from.read();
      last = start + from.read();
      map.add((index + 1 < texts.length ? texts.at(index + 1) : textEnd) - texts.at(index), start, last);
    }
    return map;
  }
}

const BYTES = 1;
const PAGES = 2;

/** Serialises a byte map with the line starts of the file. */
export function writeByteMap(bytes: ByteMap, lineStarts: Uint32List): Uint8Array {
  const writer = new NumberWriter();
  writer.write(BYTES);
  bytes.write(writer);
  writer.writeAscending(lineStarts);
  return writer.toBytes();
}

/** Serialises the offsets of lines and pages. Without pages, lines are numbered through the document. */
export function writePageMap(lineStarts: Uint32List, pageStarts: Uint32List): Uint8Array {
  const writer = new NumberWriter();
  writer.write(PAGES);
  writer.writeAscending(lineStarts);
  writer.writeAscending(pageStarts);
  return writer.toBytes();
}

/** Restores `Reading.locate` from a serialised map. */
export function locateIn(map: Uint8Array): Locate {
  const reader = new NumberReader(map);
  if (reader.read() === BYTES) return locateBytes(ByteMap.read(reader), reader.readAscending());
  const lines = reader.readAscending();
  return locatePages(lines, reader.readAscending());
}

/** Like `locateIn`, without serialisation. */
export function locateBytes(bytes: ByteMap, lineStarts: Uint32List): Locate {
  return (start, end) => {
    const byteStart = bytes.startOf(start);
    const byteEnd = end > start ? bytes.endOf(end) : byteStart;
    return {
      byte_start: byteStart,
      byte_end: byteEnd,
      line_start: Math.max(1, lineStarts.countUpTo(byteStart)),
      line_end: Math.max(1, lineStarts.countUpTo(Math.max(byteStart, byteEnd - 1))),
    };
  };
}

function locatePages(lineStarts: Uint32List, pageStarts: Uint32List): Locate {
  return (start, end) => {
    const last = Math.max(start, end - 1);
    const [line, lineEnd] = [lineStarts.countUpTo(start), lineStarts.countUpTo(last)];
    if (pageStarts.length === 0) return { line_start: Math.max(1, line), line_end: Math.max(1, lineEnd) };
    const page = Math.max(1, pageStarts.countUpTo(start));
    const pageEnd = Math.max(1, pageStarts.countUpTo(last));
    const above = (of: number): number => lineStarts.countUpTo(pageStarts.at(of - 1)) - 1;
    return {
      line_start: line - above(page),
      line_end: lineEnd - above(pageEnd),
      page,
      ...(pageEnd !== page && { page_end: pageEnd }),
    };
  };
}
