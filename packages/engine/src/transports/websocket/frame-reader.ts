import { decode } from "../utf8.js";

const NO_BYTES = Buffer.alloc(0);
/** The first byte of a whole message of text. */
const TEXT = 0x81;

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
        const next = this.#read(bytes, at);
        if (next === -1) break;
        at = next;
      } else {
        const end = Math.min(bytes.length, at + this.#owed);
        this.#owed -= end - at;
        this.#sink.other(bytes.subarray(at, end));
        at = end;
      }
    }
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }

  /** Reads the frame that begins there, or finds out how much of it is for the other. Gives where to go on, -1 = more has to come. */
  #read(bytes: Buffer, at: number): number {
    const first = bytes[at] as number;
    const second = bytes[at + 1];
    if (second === undefined) return -1;
    const short = second & 0x7f;
    const start = at + (short < 126 ? 6 : short === 126 ? 8 : 14);
    const isMasked = (second & 0x80) !== 0;
    // Without a mask it is no frame of a client, and nothing after it can be believed.
    if (!isMasked) this.#owed = Number.POSITIVE_INFINITY;
    else if (start > bytes.length) return -1;
    else {
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
      const end = start + length;
      if (first === TEXT && !this.#isInParts && length <= this.#most && end <= bytes.length) {
        const isAscii = unmask(bytes, start, end);
        this.#sink.message(isAscii ? bytes.toString("latin1", start, end) : decode(bytes.subarray(start, end)));
        return end;
      }
      if (this.#isRefused(first, length)) this.#owed = Number.POSITIVE_INFINITY;
      else {
        const isControl = (first & 0x08) !== 0;
        if (!isControl) this.#isInParts = (first & 0x80) === 0;
        this.#owed = end - at;
      }
    }
    return at;
  }

  /** Whether `ws` will find fault with a frame by its head, a moment later: nothing after it can be believed. */
  #isRefused(first: number, length: number): boolean {
    const opcode = first & 0x0f;
    if ((first & 0x70) !== 0 || length > this.#mostFrame) return true;
    if (opcode >= 8) return opcode > 10 || first < 0x80 || length > 125;
    return opcode > 2 || (opcode === 0) !== this.#isInParts;
  }
}

/** Takes the mask off, which stands before, and tells whether all is ASCII. */
function unmask(bytes: Buffer, start: number, end: number): boolean {
  const a = bytes[start - 4] as number;
  const b = bytes[start - 3] as number;
  const c = bytes[start - 2] as number;
  const d = bytes[start - 1] as number;
  let seen = 0;
  let at = start;
  for (; at + 3 < end; at += 4) {
    seen |= bytes[at] = (bytes[at] as number) ^ a;
    seen |= bytes[at + 1] = (bytes[at + 1] as number) ^ b;
    seen |= bytes[at + 2] = (bytes[at + 2] as number) ^ c;
    seen |= bytes[at + 3] = (bytes[at + 3] as number) ^ d;
  }
  for (; at < end; at += 1)
    seen |= bytes[at] = (bytes[at] as number) ^ (bytes[start - 4 + ((at - start) & 3)] as number);
  return seen < 0x80;
}
