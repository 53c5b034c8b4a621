import { bufferSize } from "../large-buffer.js";

/** The room that a term has at first. */
const INITIAL_ROOM = 8;

/**
 * Postings as they are stored: for each row that has a term, in order, the distance from the row before (from -1 at the start), times
 * two, plus one where the term is there more than once; then how often it is. Numbers have seven bits a byte, the lowest first.
 */
export class PostingsWriter {
  /** Of each term: where its bytes lie in the arena, how many there may be, how many there are, and its last row. */
  #starts = new Uint32Array(1024);
  #rooms = new Uint32Array(1024);
  #sizes = new Uint32Array(1024);
  #lastRows = new Int32Array(1024).fill(-1);
  #arena = new Uint8Array(65_536);
  #arenaSize = 0;
  /** Places that terms have moved from, by the power of two that they have room for. */
  readonly #left: number[][] = [];

  /** Notes that a row has a term, both by their numbers. Rows come in order. */
  add(term: number, row: number, frequency: number): void {
    if (term >= this.#starts.length) this.#growTerms(term);
    this.#write(term, (row - (this.#lastRows[term] as number)) * 2 + (frequency > 1 ? 1 : 0));
    if (frequency > 1) this.#write(term, frequency);
    this.#lastRows[term] = row;
  }

  /** The bytes of a term's postings; a copy. */
  take(term: number): Uint8Array {
    const start = this.#starts[term] as number;
    return this.#arena.slice(start, start + (this.#sizes[term] as number));
  }

  #write(term: number, value: number): void {
    let [rest, size] = [value, this.#sizes[term] as number];
    if (size + 5 > (this.#rooms[term] as number)) this.#makeRoom(term, size);
    const start = this.#starts[term] as number;
    for (; rest > 0x7f; rest >>>= 7) this.#arena[start + size++] = (rest & 0x7f) | 0x80;
    this.#arena[start + size++] = rest;
    this.#sizes[term] = size;
  }

  /** Moves a term to a place with twice the room. */
  #makeRoom(term: number, size: number): void {
    const [before, start] = [this.#rooms[term] as number, this.#starts[term] as number];
    const room = Math.max(INITIAL_ROOM, before * 2);
    const position = this.#left[Math.log2(room)]?.pop() ?? this.#extend(room);
    this.#arena.copyWithin(position, start, start + size);
    if (before > 0) (this.#left[Math.log2(before)] ??= []).push(start);
    this.#starts[term] = position;
    this.#rooms[term] = room;
  }

  /** A new place at the end of the arena. */
  #extend(room: number): number {
    const start = this.#arenaSize;
    this.#arenaSize += room;
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
    [this.#starts, this.#rooms, this.#sizes] = [grow(this.#starts), grow(this.#rooms), grow(this.#sizes)];
    const rows = new Int32Array(length).fill(-1);
    rows.set(this.#lastRows);
    this.#lastRows = rows;
  }
}

/** Rows that have a term, and how often. */
export interface Postings {
  readonly rows: Uint32Array;
  /** A word that is there more often than that is no word. */
  readonly frequencies: Uint16Array;
}

/** Reads what `PostingsWriter` has written. */
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
