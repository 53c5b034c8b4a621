import { STEPS, type Work } from "./work.js";

/** The same numbers in several places of a row. */
export interface Repeat {
  readonly length: number;
  readonly starts: readonly number[];
}

/** An odd number with many bits: a polynomial of it hashes any stretch of the row. */
const BASE = 0x9e3779b1;

/** How much of a class is looked at: more places that are alike are a table and no code. */
const MOST_PLACES = 2000;

/**
 * Every stretch of at least `least` numbers that is in the row more than once and cannot grow on either side; the places of one do not overlap. Takes about as long as
 * the row is: stretches are told apart by hashes, and only those that have a like are looked at again. Hashes can lie, so callers
 * compare what they take.
 */
export function* findRepeats(row: Uint32Array, least: number, mayStart: (at: number) => boolean): Work<Repeat[]> {
  const hashes = new Hashes(row);
  yield* hashes.fill();
  const repeats: Repeat[] = [];
  for (const places of yield* likes(row.length, least, hashes, mayStart)) {
    yield;
    if (isInside(row, places)) continue;
    const step = Math.ceil(places.length / MOST_PLACES);
    const known = step === 1 ? places : places.filter((_place, index) => index % step === 0);
    known.sort((a, b) => {
      const shared = hashes.shared(a, b);
      return (row[a + shared] ?? -1) - (row[b + shared] ?? -1) || a - b;
    });
    collect(row, known, least, hashes, repeats);
  }
  return repeats;
}

/** Whether all that is alike here is alike one place earlier, so that it is a part of something longer. */
const isInside = (row: Uint32Array, places: readonly number[]): boolean => {
  const before = row[(places[0] ?? 0) - 1];
  return before !== undefined && places.every((place) => row[place - 1] === before);
};

/** The places whose next `least` numbers have the same hash. */
function* likes(length: number, least: number, hashes: Hashes, mayStart: (at: number) => boolean): Work<number[][]> {
  // Two bits a slot say whether a hash was seen once or more often; most places are never put into a list.
  const bits = Math.min(26, Math.max(10, Math.ceil(Math.log2(length + 1)) + 2));
  const seen = new Uint8Array(2 ** bits);
  const slot = (at: number) => hashes.of(at, least) >>> (32 - bits);
  const last = length - least;
  for (let at = 0; at <= last; at++) {
    if (at % STEPS === 0) yield;
    if (mayStart(at)) seen[slot(at)] = Math.min(2, (seen[slot(at)] ?? 0) + 1);
  }
  const places = new Map<number, number[]>();
  for (let at = 0; at <= last; at++) {
    if (at % STEPS === 0) yield;
    if (seen[slot(at)] !== 2 || !mayStart(at)) continue;
    const hash = hashes.of(at, least);
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [at]);
    else known.push(at);
  }
  return [...places.values()].filter((each) => each.length > 1);
}

/** Takes the stretches out of places that are sorted by what follows: neighbours share the most. */
function collect(row: Uint32Array, places: readonly number[], least: number, hashes: Hashes, repeats: Repeat[]): void {
  const open: { length: number; from: number }[] = [];
  for (let index = 1; index <= places.length; index++) {
    const here = places[index];
    const shared = here === undefined ? 0 : hashes.shared(places[index - 1] as number, here);
    let from = index - 1;
    for (let top = open.at(-1); top !== undefined && top.length > shared; top = open.at(-1)) {
      open.pop();
      from = top.from;
      const starts = places.slice(from, index);
      const apart = isInside(row, starts) ? [] : withoutOverlap(top.length, starts);
      // What reaches into itself over and over is a row of likes, which is found by its shorter parts.
      const isRow = apart.length * 2 <= starts.length && top.length >= 2 * least;
      if (apart.length > 1 && !isRow) repeats.push({ length: top.length, starts: apart });
    }
    if (shared >= least && open.at(-1)?.length !== shared) open.push({ length: shared, from });
  }
}

/** Of places that reach into each other the first; in their order. */
export function withoutOverlap(length: number, places: readonly number[]): number[] {
  let end = -1;
  const apart: number[] = [];
  for (const place of Uint32Array.from(places).sort()) {
    if (place < end) continue;
    end = place + length;
    apart.push(place);
  }
  return apart;
}

/** The hashes of all stretches of a row. */
class Hashes {
  readonly #row: Uint32Array;
  readonly #sums: Uint32Array;
  readonly #powers: Uint32Array;

  constructor(row: Uint32Array) {
    this.#row = row;
    this.#sums = new Uint32Array(row.length + 1);
    this.#powers = new Uint32Array(row.length + 1);
    this.#powers[0] = 1;
  }

  /** Must be done before any hash is asked for. */
  *fill(): Work<void> {
    const [row, sums, powers] = [this.#row, this.#sums, this.#powers];
    for (let at = 0; at < row.length; at++) {
      if (at % STEPS === 0) yield;
      powers[at + 1] = Math.imul(powers[at] as number, BASE);
      sums[at + 1] = Math.imul(sums[at] as number, BASE) + mixed(row[at] as number);
    }
  }

  of(at: number, length: number): number {
    const [start, end] = [this.#sums[at] as number, this.#sums[at + length] as number];
    return mixed(end - Math.imul(start, this.#powers[length] as number));
  }

  /** How many numbers are the same from two places on. */
  shared(a: number, b: number): number {
    let [low, high] = [0, this.#row.length - Math.max(a, b)];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.of(a, middle) === this.of(b, middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Spreads what a number says over all its bits. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
