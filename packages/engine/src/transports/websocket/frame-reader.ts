import { decode } from "../utf8.js";

const NO_BYTES = Buffer.alloc(0);
/** The first byte of a whole message of text. */
const TEXT = 0x81;
/** The highest bit of each of four bytes. */
const NOT_ASCII = 0x80_80_80_80;

/** What a reader makes of its bytes. */
export interface FrameSink {
  /** A message; undefined = it is not UTF-8. */
  message(text: string | undefined): void;
  /** Bytes of frames that are anything else than a whole message. */
  other(bytes: Buffer): void;
}

/**
 * Bytes → messages, for the frames that nearly all are: a short message, whole, and not cut by the end of a chunk. All others
 * are for `ws`, which knows every kind of frame and fault, but makes several buffers for each.
 */
export class FrameReader {
  readonly #mostFrame: number;
  /** The longest message that is read here. */
  readonly #most: number;
  readonly #sink: FrameSink;
  /** The beginning of a frame that does not say yet how long it is. */
  #rest: Buffer = NO_BYTES;
  /** Bytes of another frame that are still to come. */
  #owed = 0;
  /** A message has begun that other frames go on with. */
  #isInParts = false;

  constructor(mostBytes: number, sink: FrameSink) {
    this.#mostFrame = mostBytes;
    this.#most = Math.min(mostBytes, 65_535);
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NO_BYTES;
    let at = 0;
    while (at < bytes.length) {
      if (this.#owed === 0) {
        at = this.#readMessages(bytes, at);
        if (at === bytes.length || !this.#lookAt(bytes, at)) break;
      } else {
        const end = Math.min(bytes.length, at + this.#owed);
        this.#owed -= end - at;
        this.#sink.other(bytes.subarray(at, end));
        at = end;
      }
    }
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** Reads whole messages one behind the other, which are decoded together. Gives where something else begins. */
  #readMessages(bytes: Buffer, from: number): number {
    if (this.#isInParts) return from;
    const words = new Uint32Array(bytes.buffer, 0, bytes.buffer.byteLength >>> 2);
    /** Where messages begin and end, by turns. */
    const places: number[] = [];
    let seen = 0;
    let at = from;
    while (bytes[at] === TEXT) {
      const short = (bytes[at + 1] as number) ^ 0x80;
      const start = at + (short < 126 ? 6 : 8);
      // A length of eight bytes, or no mask: see `#lookAt`.
      if (short > 126 || start > bytes.length) break;
      const end = start + (short < 126 ? short : bytes.readUInt16BE(at + 2));
      if (end - start > this.#most || end > bytes.length) break;
      seen |= unmask(bytes, words, start, end);
      places.push(start, end);
      at = end;
    }
    if (places.length > 0) this.#tell(bytes.subarray(from, at), from, places, (seen & NOT_ASCII) === 0);
    return at;
  }

  #tell(run: Buffer, from: number, places: readonly number[], isAscii: boolean): void {
    const text = isAscii ? run.toString("latin1") : "";
    for (let index = 0; index < places.length; index += 2) {
      const start = (places[index] as number) - from;
      const end = (places[index + 1] as number) - from;
      this.#sink.message(isAscii ? text.slice(start, end) : decode(run.subarray(start, end)));
    }
  }

  /** Finds out how much of the frame that begins there is for the other; false = more of it has to come first. */
  #lookAt(bytes: Buffer, at: number): boolean {
    const first = bytes[at] as number;
    const second = bytes[at + 1];
    if (second === undefined) return false;
    const short = second & 0x7f;
    const start = at + (short < 126 ? 6 : short === 126 ? 8 : 14);
    const isMasked = (second & 0x80) !== 0;
    // Without a mask it is no frame of a client, and nothing after it can be believed.
    if (!isMasked) this.#owed = Number.POSITIVE_INFINITY;
    else if (start > bytes.length) return false;
    else {
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      if (this.#isRefused(first, length)) this.#owed = Number.POSITIVE_INFINITY;
      else {
        const isControl = (first & 0x08) !== 0;
        if (!isControl) this.#isInParts = (first & 0x80) === 0;
        this.#owed = start + length - at;
      }
    }
    return true;
  }

  /** Whether `ws` will find fault with a frame by its head, a moment later: nothing after it can be believed. */
  #isRefused(first: number, length: number): boolean {
    const opcode = first & 0x0f;
    if ((first & 0x70) !== 0 || length > this.#mostFrame) return true;
    if (opcode >= 8) return opcode > 10 || first < 0x80 || length > 125;
    return opcode > 2 || (opcode === 0) !== this.#isInParts;
  }
}

/** The mask of a frame as four bytes, and the same as they lie in memory. */
const mask = new Uint8Array(4);
const maskWord = new Uint32Array(mask.buffer);

/** Takes the mask off, which stands before, four bytes at once where `words` has them so. Gives the bits of all bytes together. */
function unmask(bytes: Buffer, words: Uint32Array, start: number, end: number): number {
  let seen = 0;
  let at = start;
  const key = start - 4;
  for (; at < end && ((bytes.byteOffset + at) & 3) !== 0; at += 1)
    seen |= bytes[at] = (bytes[at] as number) ^ (bytes[key + ((at - start) & 3)] as number);
  for (let index = 0; index < 4; index += 1) mask[index] = bytes[key + ((at - start + index) & 3)] as number;
  const word = maskWord[0] as number;
  for (let index = (bytes.byteOffset + at) >>> 2; at + 3 < end; index += 1, at += 4)
    seen |= words[index] = (words[index] as number) ^ word;
  for (; at < end; at += 1) seen |= bytes[at] = (bytes[at] as number) ^ (bytes[key + ((at - start) & 3)] as number);
  return seen;
}
