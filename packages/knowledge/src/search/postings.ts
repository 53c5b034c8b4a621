import { bufferSize } from "../large-buffer.js";

/** The initial capacity of a term in bytes. */
const INITIAL_CAPACITY = 8;

/**
 * Writes postings in their storage format. For each row that contains a term, in order: the distance from the previous row (from -1 at
 * the start) times two, plus one if the frequency is above one; then that frequency. Numbers are variable-length, low seven bits first.
 */
export class PostingsWriter {
  /** For each term: the start of its bytes in the arena, their capacity, their size, and the last row. */
  #starts = new Uint32Array(1024);
  #capacities = new Uint32Array(1024);
  #sizes = new Uint32Array(1024);
  #lastRows = new Int32Array(1024).fill(-1);
  #arena = new Uint8Array(65_536);
  #arenaSize = 0;
  /** Free blocks of the arena, by the binary logarithm of their capacity. */
  readonly #free: number[][] = [];

  /** Adds a row to the postings of a term. Rows must be added in order. */
  add(term: number, row: number, frequency: number): void {
    if (term >= this.#starts.length) this.#growTerms(term);
    this.#write(term, (row - (this.#lastRows[term] as number)) * 2 + (frequency > 1 ? 1 : 0));
    if (frequency > 1) this.#write(term, frequency);
    this.#lastRows[term] = row;
  }

  /** Returns a copy of the postings of a term. */
  take(term: number): Uint8Array {
    const start = this.#starts[term] as number;
    return this.#arena.slice(start, start + (this.#sizes[term] as number));
  }

  #write(term: number, value: number): void {
    let [rest, size] = [value, this.#sizes[term] as number];
    if (size + 5 > (this.#capacities[term] as number)) this.#reallocate(term, size);
    const start = this.#starts[term] as number;
    for (; rest > 0x7f; rest >>>= 7) this.#arena[start + size++] = (rest & 0x7f) | 0x80;
    this.#arena[start + size++] = rest;
    this.#sizes[term] = size;
  }

  /** Moves the postings of a term to a block of twice the capacity. */
  #reallocate(term: number, size: number): void {
    const [before, start] = [this.#capacities[term] as number, this.#starts[term] as number];
    const capacity = Math.max(INITIAL_CAPACITY, before * 2);
    const position = this.#free[Math.log2(capacity)]?.pop() ?? this.#allocate(capacity);
    this.#arena.copyWithin(position, start, start + size);
    if (before > 0) (this.#free[Math.log2(before)] ??= []).push(start);
    this.#starts[term] = position;
    this.#capacities[term] = capacity;
  }

  /** Allocates a block at the end of the arena. */
  #allocate(capacity: number): number {
    const start = this.#arenaSize;
    this.#arenaSize += capacity;
    if (this.#arenaSize > this.#arena.length) {
      const larger = new Uint8Array(bufferSize(2 * this.#arenaSize));
      larger.set(this.#arena);
      this.#arena = larger;
    }
    return start;
  }

  #growTerms(term: number): void {
    const length = Math.max(this.#starts.length * 2, term + 1);
    const grow = (from: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(length);
      larger.set(from);
      return larger;
    };
    [this.#starts, this.#capacities, this.#sizes] = [grow(this.#starts), grow(this.#capacities), grow(this.#sizes)];
    const rows = new Int32Array(length).fill(-1);
    rows.set(this.#lastRows);
    this.#lastRows = rows;
  }
}

/** The rows that contain a term, with its frequencies. */
export interface Postings {
  readonly rows: Uint32Array;
  /** Limited to 65535. */
  readonly frequencies: Uint16Array;
}

/** Decodes the output of `PostingsWriter`. */
export function readPostings(bytes: Uint8Array): Postings {
  const rows = new Uint32Array(bytes.length);
  const frequencies = new Uint16Array(bytes.length);
  let [at, row, count] = [0, -1, 0];
  while (at < bytes.length) {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    row += value >>> 1;
    rows[count] = row;
    let frequency = 1;
    if ((value & 1) === 1) {
      byte = bytes[at++] as number;
      frequency = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        frequency |= (byte & 0x7f) << shift;
      }
    }
    frequencies[count++] = Math.min(frequency, 0xffff);
  }
  return { rows: rows.subarray(0, count), frequencies: frequencies.subarray(0, count) };
}
