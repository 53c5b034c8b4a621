import { bufferSize } from "../large-buffer.js";
import type { SomeText } from "./reading.js";

/**
 * A large text in a transferable form: its buffer is moved between threads, while a string would be copied. Each part covers the
 * same number of UTF-16 units (the last one the rest), in one byte per unit if possible, else two.
 */
export interface PackedParts {
  readonly length: number;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

const PART = 65_536;

/** Packs a text, reusing `spare` if it is large enough. */
export function packText(text: string, spare: ArrayBuffer): PackedParts {
  const pieces = Array.from({ length: Math.ceil(text.length / PART) }, (_, index) => {
    const [start, end] = [index * PART, Math.min(text.length, (index + 1) * PART)];
    const encoding = isNarrow(text, start, end) ? ("latin1" as const) : ("utf16le" as const);
    return { start, end, encoding, size: (end - start) * (encoding === "latin1" ? 1 : 2) };
  });
  const size = pieces.reduce((sum, piece) => sum + piece.size, 0);
  const all = size <= spare.byteLength ? Buffer.from(spare) : Buffer.allocUnsafeSlow(bufferSize(size));
  let at = 0;
  const parts = pieces.map(({ start, end, encoding, size: own }) => {
    const part = all.subarray(at, at + own);
    part.write(text.slice(start, end), encoding);
    at += own;
    return part;
  });
  return { length: text.length, parts };
}

function isNarrow(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** A packed text that is decoded on demand. */
export class PackedText implements SomeText {
  readonly length: number;
  readonly #parts: readonly Buffer[];

  constructor({ length, parts }: PackedParts) {
    this.length = length;
    this.#parts = parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  }

  slice(start: number, end: number): string {
    let text = "";
    for (let at = start; at < Math.min(end, this.length); ) {
      const index = Math.floor(at / PART);
      const first = index * PART;
      const last = Math.min(this.length, first + PART);
      const until = Math.min(end, last);
      const part = this.#parts[index] as Buffer;
      text +=
        part.length === last - first
          ? part.toString("latin1", at - first, until - first)
          : part.toString("utf16le", (at - first) * 2, (until - first) * 2);
      at = until;
    }
    return text;
  }
}
