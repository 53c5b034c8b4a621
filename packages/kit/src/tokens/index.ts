import { readFileSync } from "node:fs";
import { builtFile } from "../files/built-file.js";

/** How cl100k_base cuts a text into pieces before it looks for tokens in each. */
const PIECES =
  /'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/** A character of a string has at most three bytes; two of a pair have four. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();
let scratch = new Uint8Array(4096);

/** Counts the tokens of a text exactly as cl100k_base has them; marks such as `<|endoftext|>` are plain text to it. */
export function countTokens(text: string): number {
  const table = loadRanks();
  let count = 0;
  PIECES.lastIndex = 0;
  for (let start = 0; PIECES.test(text); start = PIECES.lastIndex) {
    const piece = text.slice(start, PIECES.lastIndex);
    if (piece.length * MOST_BYTES > scratch.length) scratch = new Uint8Array(piece.length * MOST_BYTES);
    const { written } = encoder.encodeInto(piece, scratch);
    if (written === 1 || table.rankOf(scratch, 0, written) !== NO_RANK) count++;
    else count += countMerged(table, scratch.subarray(0, written));
  }
  return count;
}

const FILE = builtFile("tokens/cl100k_base.bin");

/** No token has these bytes. It is above every rank, so that it is never the lowest. */
const NO_RANK = 0xffff_ffff;

const NUMBER_BITS = 17;
const NUMBER_MASK = 2 ** NUMBER_BITS - 1;

/** The tokens of cl100k_base, as `scripts/tokens.mjs` has packed them: which bytes are one, and of which rank. */
class Ranks {
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
const loadRanks = (): Ranks => (read ??= new Ranks(readFileSync(FILE)));

/** Rank and position are one number, so that the lowest rank comes first, and of equal ones the leftmost. */
const PLACES = 2 ** 32;

/**
 * Counts the tokens that a piece of text falls into: of all neighbours that make a token together, those of the lowest rank become
 * one, until none are left. A heap finds them, because a piece can be as long as the text.
 */
function countMerged(ranks: Ranks, piece: Uint8Array): number {
  const size = piece.length;
  // A part begins at its place and ends where the next one begins.
  const next = new Uint32Array(size + 1);
  const previous = new Int32Array(size + 1);
  const ranked = new Uint32Array(size + 1).fill(NO_RANK);
  const heap: number[] = [];
  const rate = (part: number): void => {
    const neighbour = next[part] as number;
    const rank = neighbour < size ? ranks.rankOf(piece, part, next[neighbour] as number) : NO_RANK;
    ranked[part] = rank;
    if (rank !== NO_RANK) push(heap, rank * PLACES + part);
  };
  for (let place = 0; place <= size; place++) {
    next[place] = place + 1;
    previous[place] = place - 1;
  }
  for (let place = 0; place < size - 1; place++) rate(place);
  let parts = size;
  while (heap.length > 0) {
    const first = pop(heap);
    const part = first % PLACES;
    // Ranks from before a neighbour changed are outdated.
    if (ranked[part] !== Math.floor(first / PLACES)) continue;
    const gone = next[part] as number;
    const after = next[gone] as number;
    ranked[gone] = NO_RANK;
    next[part] = after;
    previous[after] = part;
    parts--;
    rate(part);
    if (part > 0) rate(previous[part] as number);
  }
  return parts;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const held = heap[above] as number;
    if (held <= value) break;
    heap[at] = held;
    at = above;
  }
  heap[at] = value;
}

function pop(heap: number[]): number {
  const first = heap[0] as number;
  const last = heap.pop() as number;
  const size = heap.length;
  if (size === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && (heap[below + 1] as number) < (heap[below] as number)) below++;
    if ((heap[below] as number) >= last) break;
    heap[at] = heap[below] as number;
    at = below;
  }
  heap[at] = last;
  return first;
}
