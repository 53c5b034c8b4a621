import { readFileSync } from "node:fs";
import { builtFile } from "../files/built-file.js";

const FILE = builtFile("tokens/cl100k_base.bin");

/** No token has these bytes. It is above every rank, so that it is never the lowest. */
export const NO_RANK = 0xffff_ffff;

const NUMBER_BITS = 17;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** The tokens of cl100k_base, as `scripts/tokens.mjs` has packed them: which bytes are one, and of which rank. */
export class Ranks {
  readonly #starts: Uint32Array;
  readonly #table: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #mask: number;

  constructor(file: Uint8Array) {
    // Numbers of four bytes can only be read in place where they begin at a multiple of four.
    const { buffer, byteOffset, byteLength } = file.byteOffset % 4 === 0 ? file : file.slice();
    const [count = 0, slots = 0] = new Uint32Array(buffer, byteOffset, 2);
    const table = 8 + (count + 1) * 4;
    const bytes = table + slots * 4;
    this.#starts = new Uint32Array(buffer, byteOffset + 8, count + 1);
    this.#table = new Uint32Array(buffer, byteOffset + table, slots);
    this.#bytes = new Uint8Array(buffer, byteOffset + bytes, byteLength - bytes);
    this.#mask = slots - 1;
  }

  /** The rank of the token that these bytes are, or `NO_RANK`. */
  rankOf(text: Uint8Array, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const mark = hash >>> NUMBER_BITS;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const held = this.#table[slot] as number;
      if (held === 0) return NO_RANK;
      if (held >>> NUMBER_BITS !== mark) continue;
      const rank = (held & NUMBER_MASK) - 1;
      if (this.#isAt(rank, text, start, end)) return rank;
    }
  }

  #isAt(rank: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[rank] as number;
    if ((this.#starts[rank + 1] as number) - from !== end - start) return false;
    for (let index = start; index < end; index++) {
      if (text[index] !== this.#bytes[from + index - start]) return false;
    }
    return true;
  }
}

/** The same as in scripts/tokens.mjs. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

let read: Ranks | undefined;

/** The table, read when it is first needed. */
export const ranks = (): Ranks => (read ??= new Ranks(readFileSync(FILE)));
