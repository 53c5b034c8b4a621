import type { Socket } from "node:net";
import { decodeUtf8 } from "../../server/runtime.js";

const NO_BYTES = Buffer.alloc(0);
/** The first byte of a text message in a single frame. */
const FINAL_TEXT_FRAME = 0x81;
/** The highest bit of each of four bytes, which ASCII does not use. */
const NON_ASCII_BITS = 0x80_80_80_80;

/** Receives what a `FrameReader` has read. */
export interface FrameSink {
  /** A message; undefined if it is not valid UTF-8. */
  onMessage(text: string | undefined): void;
  /** Bytes of all other frames, for `ws`. */
  onOtherBytes(bytes: Buffer): void;
}

/**
 * Reads the frames that nearly all are: a complete message of up to 64 KiB within one chunk. All others go to `ws`, which handles
 * every kind of frame and every violation, but allocates several buffers for each.
 */
export class FrameReader {
  readonly #maxFrameBytes: number;
  /** The longest message that is read here and not by `ws`. */
  readonly #maxMessageBytes: number;
  readonly #sink: FrameSink;
  /** The start of a frame whose header is incomplete. */
  #remainder: Buffer = NO_BYTES;
  /** Remaining bytes of a frame that `ws` gets. */
  #bytesToForward = 0;
  /** Whether a fragmented message has begun. */
  #isFragmented = false;

  constructor(maxBytes: number, sink: FrameSink) {
    this.#maxFrameBytes = maxBytes;
    this.#maxMessageBytes = Math.min(maxBytes, 65_535);
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const bytes = this.#remainder.length === 0 ? chunk : Buffer.concat([this.#remainder, chunk]);
    this.#remainder = NO_BYTES;
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#bytesToForward === 0) {
        offset = this.#readMessages(bytes, offset);
        if (offset === bytes.length || !this.#parseHeader(bytes, offset)) break;
      } else {
        const end = Math.min(bytes.length, offset + this.#bytesToForward);
        this.#bytesToForward -= end - offset;
        this.#sink.onOtherBytes(bytes.subarray(offset, end));
        offset = end;
      }
    }
    if (offset < bytes.length) this.#remainder = Buffer.from(bytes.subarray(offset));
  }

  /** Reads consecutive complete messages and decodes them together. Returns the offset of the first other frame. */
  #readMessages(bytes: Buffer, from: number): number {
    if (this.#isFragmented) return from;
    const words = new Uint32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
    /** The start and end of each message, alternating. */
    const offsets: number[] = [];
    let bits = 0;
    let offset = from;
    while (bytes[offset] === FINAL_TEXT_FRAME) {
      const shortLength = (bytes[offset + 1] as number) ^ 0x80;
      const start = offset + (shortLength < 126 ? 6 : 8);
      // A length of eight bytes, or no mask: see `#parseHeader`.
      if (shortLength > 126 || start > bytes.length) break;
      const end = start + (shortLength < 126 ? shortLength : bytes.readUInt16BE(offset + 2));
      if (end - start > this.#maxMessageBytes || end > bytes.length) break;
      bits |= unmask(bytes, words, start, end);
      offsets.push(start, end);
      offset = end;
    }
    if (offsets.length > 0)
      this.#emitMessages(bytes.subarray(from, offset), from, offsets, (bits & NON_ASCII_BITS) === 0);
    return offset;
  }

  #emitMessages(block: Buffer, from: number, offsets: readonly number[], isAscii: boolean): void {
    const text = isAscii ? block.toString("latin1") : "";
    for (let index = 0; index < offsets.length; index += 2) {
      const start = (offsets[index] as number) - from;
      const end = (offsets[index + 1] as number) - from;
      this.#sink.onMessage(isAscii ? text.slice(start, end) : decodeUtf8(block.subarray(start, end)));
    }
  }

  /** Parses the header of a frame for `ws` to learn its length. Returns whether the header is complete. */
  #parseHeader(bytes: Buffer, offset: number): boolean {
    const first = bytes[offset] as number;
    const second = bytes[offset + 1];
    if (second === undefined) return false;
    // Clients must mask their frames; what follows a violation cannot be parsed.
    if ((second & 0x80) === 0) {
      this.#bytesToForward = Number.POSITIVE_INFINITY;
      return true;
    }
    const shortLength = second & 0x7f;
    const start = offset + (shortLength < 126 ? 6 : shortLength === 126 ? 8 : 14);
    if (start > bytes.length) return false;
    const length =
      shortLength < 126
        ? shortLength
        : shortLength === 126
          ? bytes.readUInt16BE(offset + 2)
          : Number(bytes.readBigUInt64BE(offset + 2));
    if (this.#isInvalidHeader(first, length)) this.#bytesToForward = Number.POSITIVE_INFINITY;
    else {
      const isControl = (first & 0x08) !== 0;
      if (!isControl) this.#isFragmented = (first & 0x80) === 0;
      this.#bytesToForward = start + length - offset;
    }
    return true;
  }

  /** Whether `ws` will reject a frame because of its header, so that what follows cannot be parsed. */
  #isInvalidHeader(first: number, length: number): boolean {
    const opcode = first & 0x0f;
    if ((first & 0x70) !== 0 || length > this.#maxFrameBytes) return true;
    if (opcode >= 8) return opcode > 10 || first < 0x80 || length > 125;
    return opcode > 2 || (opcode === 0) !== this.#isFragmented;
  }
}

/** A mask as four bytes, and as a word in the byte order of this machine. */
const mask = new Uint8Array(4);
const maskWord = new Uint32Array(mask.buffer);

/** Applies the mask, which precedes the payload, four bytes at a time where they are aligned. Returns the bitwise or of all bytes. */
function unmask(bytes: Buffer, words: Uint32Array, start: number, end: number): number {
  let bits = 0;
  let offset = start;
  const key = start - 4;
  for (; offset < end && ((bytes.byteOffset + offset) & 3) !== 0; offset += 1)
    bits |= bytes[offset] = (bytes[offset] as number) ^ (bytes[key + ((offset - start) & 3)] as number);
  for (let index = 0; index < 4; index += 1) mask[index] = bytes[key + ((offset - start + index) & 3)] as number;
  const word = maskWord[0] as number;
  for (let index = (bytes.byteOffset + offset) >>> 2; offset + 3 < end; index += 1, offset += 4)
    bits |= words[index] = (words[index] as number) ^ word;
  for (; offset < end; offset += 1)
    bits |= bytes[offset] = (bytes[offset] as number) ^ (bytes[key + ((offset - start) & 3)] as number);
  return bits;
}

/** Messages up to this many characters are joined. Writing larger ones separately is cheaper. */
const MAX_JOINED_MESSAGE_CHARS = 16 * 1024;
/** With more bytes than this, joined messages are written before the turn is over, so that the socket counts them. */
const FLUSH_BYTES = 64 * 1024;
/** With more bytes than this buffered for the client, no more messages are read. */
const HIGH_WATER_MARK = 1024 * 1024;

/**
 * Writes messages as frames. Those of one turn of the event loop are written together as one string; `ws` would write two chunks
 * for each.
 */
export class FrameWriter {
  readonly #socket: Socket;
  /** Buffered frames as latin1 strings. Joining them at the end is cheaper than one by one. */
  #parts: string[] = [];
  #bufferedBytes = 0;
  #isFlushScheduled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether the client reads slowly, so that no more messages should be read until `drain`. */
  get isBackpressured(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > HIGH_WATER_MARK;
  }

  /** Whether nothing was written in this turn of the event loop yet. */
  get isFirstWriteOfTurn(): boolean {
    return !this.#isFlushScheduled;
  }

  write(message: string): void {
    const bytes = Buffer.byteLength(message);
    this.#parts.push(frameHeader(bytes));
    if (message.length > MAX_JOINED_MESSAGE_CHARS) {
      this.#socket.cork();
      this.flush();
      // The socket counts the characters of a buffered string, not its bytes.
      this.#socket.write(bytes === message.length ? message : Buffer.from(message));
      this.#socket.uncork();
    } else {
      this.#parts.push(bytes === message.length ? message : Buffer.from(message).toString("latin1"));
      this.#bufferedBytes += bytes;
      if (this.#bufferedBytes > FLUSH_BYTES) this.flush();
    }
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.flush();
    });
  }

  /** Writes the buffered frames. */
  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#bufferedBytes = 0;
    if (this.#socket.writable) this.#socket.write(parts.join(""), "latin1");
  }
}

/** The header of a text frame with this many bytes, as a latin1 string. */
function frameHeader(bytes: number): string {
  if (bytes < 126) return String.fromCharCode(FINAL_TEXT_FRAME, bytes);
  if (bytes < 65_536) return String.fromCharCode(FINAL_TEXT_FRAME, 126, bytes >>> 8, bytes & 255);
  const high = Math.floor(bytes / 2 ** 32);
  const lengthBytes = [high, bytes].flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255));
  return String.fromCharCode(FINAL_TEXT_FRAME, 127, ...lengthBytes);
}
