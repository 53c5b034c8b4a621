import { parseError, type RpcError } from "../jsonrpc/errors.js";
import { EDGE, tooLong } from "./long-line.js";
import { decode } from "./utf8.js";

const NEWLINE = 10;
const NO_BYTES = Buffer.alloc(0);
/** The room for a line that comes in parts: how much there is at first, and how much is kept for the next such line. */
const ROOM = { first: 16 * 1024, kept: 1024 * 1024 };

/** What a reader makes of its bytes. */
export interface LineSink {
  /** No more lines now; whoever owns the reader calls `resume` when there is room. */
  readonly isFull: boolean;
  line(text: string): void;
  /** A line that cannot be a message: too long, or not UTF-8. */
  fault(error: RpcError): void;
}

/** Bytes → lines. Chunks may end anywhere; beside the room for one line, only what the sink had no room for is held. */
export class LineReader {
  readonly #most: number;
  readonly #sink: LineSink;
  /** Chunks that wait for room in the sink. */
  readonly #unread: Buffer[] = [];
  #isEnded = false;
  /** The line whose newline has not come yet, in a room that serves one line after the other. */
  #room: Buffer = NO_BYTES;
  #size = 0;
  #head: Buffer | undefined;
  #tail: Buffer = NO_BYTES;
  #isFirst = true;

  constructor(mostBytes: number, sink: LineSink) {
    this.#most = mostBytes;
    this.#sink = sink;
  }

  /** The sink was full: there are lines that only `resume` brings. */
  get isWaiting(): boolean {
    return this.#unread.length > 0 || (this.#isEnded && this.#size > 0);
  }

  push(chunk: Buffer): void {
    if (this.#unread.length > 0) this.#unread.push(chunk);
    else this.#read(chunk);
  }

  /** Goes on where the sink was full. */
  resume(): void {
    while (this.#unread.length > 0 && !this.#sink.isFull) this.#read(this.#unread.shift() as Buffer);
    if (this.#isEnded && this.isWaiting && !this.#sink.isFull) this.#endLine();
  }

  /** The input has ended; what stands after the last newline is a line too. */
  end(): void {
    this.#isEnded = true;
    this.resume();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    if (this.#size > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#keep(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= start) start += this.#readBlock(chunk.subarray(start, last));
    if (start <= last) this.#unread.unshift(chunk.subarray(start));
    else if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    const before = this.#size;
    this.#size += part.length;
    if (this.#size <= this.#most) {
      if (this.#size > this.#room.length) this.#widen(before);
      part.copy(this.#room, before);
      return;
    }
    if (this.#head === undefined) {
      const held = this.#room.subarray(0, before);
      this.#head = Buffer.from(held.subarray(0, EDGE));
      this.#tail = held.subarray(-EDGE);
      this.#room = NO_BYTES;
    }
    if (this.#head.length < EDGE) this.#head = Buffer.concat([this.#head, part.subarray(0, EDGE - this.#head.length)]);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-EDGE)]).subarray(-EDGE));
  }

  /** Makes room for the line, twice over, so that a line in many parts is not copied as many times. */
  #widen(filled: number): void {
    const size = this.#size;
    const wanted = size > ROOM.kept ? 2 * size : Math.max(ROOM.first, Math.min(2 * size, ROOM.kept));
    const room = Buffer.allocUnsafeSlow(Math.min(wanted, this.#most));
    this.#room.copy(room, 0, 0, filled);
    this.#room = room;
  }

  #endLine(): void {
    const line = this.#room.subarray(0, this.#size);
    const size = this.#size;
    const head = this.#head;
    this.#size = 0;
    this.#head = undefined;
    if (this.#room.length > ROOM.kept) this.#room = NO_BYTES;
    if (head !== undefined) this.#sink.fault(tooLong(size, this.#most, head, this.#tail));
    else this.#readLine(line);
  }

  /**
   * Whole lines, decoded together: one call into the decoder serves a chunk full of small messages. Gives how many bytes
   * were read before the sink was full, with their newlines; the one after the block counts too.
   */
  #readBlock(block: Buffer): number {
    const text = block.length <= this.#most ? decode(block) : undefined;
    if (text === undefined) return this.#readEach(block);
    const read = this.#split(text);
    if (read > text.length) return block.length + 1;
    return block.length === text.length ? read : Buffer.byteLength(text.slice(0, read));
  }

  #split(text: string): number {
    const sink = this.#sink;
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      if (sink.isFull) return start;
      this.#line(start === end ? "" : text.slice(start, end));
      start = end + 1;
    }
    if (sink.isFull) return start;
    this.#line(start === 0 ? text : text.slice(start));
    return text.length + 1;
  }

  /** One by one, where a line of the block is at fault. */
  #readEach(block: Buffer): number {
    let start = 0;
    while (start <= block.length && !this.#sink.isFull) {
      const found = block.indexOf(NEWLINE, start);
      const end = found === -1 ? block.length : found;
      this.#readLine(block.subarray(start, end));
      start = end + 1;
    }
    return start;
  }

  #readLine(line: Buffer): void {
    if (line.length > this.#most) {
      this.#sink.fault(tooLong(line.length, this.#most, line.subarray(0, EDGE), line.subarray(-EDGE)));
      return;
    }
    const text = decode(line);
    if (text === undefined) this.#sink.fault(parseError("the line is not valid UTF-8"));
    else this.#line(text);
  }

  #line(text: string): void {
    const isMarked = this.#isFirst && text.charCodeAt(0) === 0xfeff;
    this.#isFirst = false;
    const line = isMarked ? text.slice(1) : text;
    // JSON passes over a carriage return by itself, so only empty lines need a look.
    if (line.charCodeAt(0) > 32 || line.trim() !== "") this.#sink.line(line);
  }
}
