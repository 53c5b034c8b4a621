import { setImmediate as nextTurn } from "node:timers/promises";

/** Long work that can be interrupted wherever it yields. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** How many small steps work takes between two yields. */
export const STEPS = 16_384;

/** How long work runs before other work of the server gets its turn. */
const TURN_MS = 10;

/** Runs work in short turns, so that it does not block the server. Stops on cancellation. */
export async function runInTurns<Result>(work: Work<Result>, signal: AbortSignal): Promise<Result> {
  for (let end = performance.now() + TURN_MS; ; ) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < end) continue;
    await nextTurn();
    signal.throwIfAborted();
    end = performance.now() + TURN_MS;
  }
}

/** A sequence of numbers that occurs several times in a row. */
export interface Repeat {
  readonly length: number;
  readonly starts: readonly number[];
}

/** The base of the polynomial hashes: an odd number with many bits. */
const BASE = 0x9e3779b1;

/** How many positions with equal hashes are compared: a larger number is a table and not code. */
const MAX_POSITIONS = 2000;

/**
 * Finds every sequence of at min `min` numbers that occurs more than once and cannot be extended on either side. The positions of one
 * sequence do not overlap. The time is about linear: sequences are compared by hashes, and only those with a match are looked at again.
 * Different sequences can have the same hash, so callers compare what they use.
 */
export function* findRepeats(row: Uint32Array, min: number, mayStart: (at: number) => boolean): Work<Repeat[]> {
  const hashes = new Hashes(row);
  yield* hashes.fill();
  const repeats: Repeat[] = [];
  for (const positions of yield* groupByHash(row.length, min, hashes, mayStart)) {
    yield;
    if (isInside(row, positions)) continue;
    const step = Math.ceil(positions.length / MAX_POSITIONS);
    const known = step === 1 ? positions : positions.filter((_position, index) => index % step === 0);
    known.sort((a, b) => {
      const shared = hashes.shared(a, b);
      return (row[a + shared] ?? -1) - (row[b + shared] ?? -1) || a - b;
    });
    collect(row, known, min, hashes, repeats);
  }
  return repeats;
}

/** Whether the numbers before all positions are equal, so that the sequence is a part of a longer one. */
const isInside = (row: Uint32Array, positions: readonly number[]): boolean => {
  const before = row[(positions[0] ?? 0) - 1];
  return before !== undefined && positions.every((position) => row[position - 1] === before);
};

/** Groups the positions whose next `min` numbers have the same hash. */
function* groupByHash(
  length: number,
  min: number,
  hashes: Hashes,
  mayStart: (at: number) => boolean,
): Work<number[][]> {
  // Each slot counts up to two, so that most positions are never put into a list.
  const bits = Math.min(26, Math.max(10, Math.ceil(Math.log2(length + 1)) + 2));
  const seen = new Uint8Array(2 ** bits);
  const slot = (at: number) => hashes.of(at, min) >>> (32 - bits);
  const last = length - min;
  for (let at = 0; at <= last; at++) {
    if (at % STEPS === 0) yield;
    if (mayStart(at)) seen[slot(at)] = Math.min(2, (seen[slot(at)] ?? 0) + 1);
  }
  const positions = new Map<number, number[]>();
  for (let at = 0; at <= last; at++) {
    if (at % STEPS === 0) yield;
    if (seen[slot(at)] !== 2 || !mayStart(at)) continue;
    const hash = hashes.of(at, min);
    const known = positions.get(hash);
    if (known === undefined) positions.set(hash, [at]);
    else known.push(at);
  }
  return [...positions.values()].filter((each) => each.length > 1);
}

/** Collects the sequences from positions that are sorted by what follows: neighbours share the most. */
function collect(row: Uint32Array, positions: readonly number[], min: number, hashes: Hashes, repeats: Repeat[]): void {
  const open: { length: number; from: number }[] = [];
  for (let index = 1; index <= positions.length; index++) {
    const here = positions[index];
    const shared = here === undefined ? 0 : hashes.shared(positions[index - 1] as number, here);
    let from = index - 1;
    for (let top = open.at(-1); top !== undefined && top.length > shared; top = open.at(-1)) {
      open.pop();
      from = top.from;
      const starts = positions.slice(from, index);
      const apart = isInside(row, starts) ? [] : withoutOverlap(top.length, starts);
      // A sequence that overlaps itself is a repetition, and is found by its shorter parts.
      const isRow = apart.length * 2 <= starts.length && top.length >= 2 * min;
      if (apart.length > 1 && !isRow) repeats.push({ length: top.length, starts: apart });
    }
    if (shared >= min && open.at(-1)?.length !== shared) open.push({ length: shared, from });
  }
}

/** The positions that do not overlap an earlier one, sorted. */
export function withoutOverlap(length: number, positions: readonly number[]): number[] {
  let end = -1;
  const apart: number[] = [];
  for (const position of Uint32Array.from(positions).sort()) {
    if (position < end) continue;
    end = position + length;
    apart.push(position);
  }
  return apart;
}

/** The hashes of all sequences of a row. */
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

  /** Must run before the first hash is read. */
  *fill(): Work<void> {
    const [row, sums, powers] = [this.#row, this.#sums, this.#powers];
    for (let at = 0; at < row.length; at++) {
      if (at % STEPS === 0) yield;
      powers[at + 1] = Math.imul(powers[at] as number, BASE);
      sums[at + 1] = Math.imul(sums[at] as number, BASE) + mix(row[at] as number);
    }
  }

  of(at: number, length: number): number {
    const [start, end] = [this.#sums[at] as number, this.#sums[at + length] as number];
    return mix(end - Math.imul(start, this.#powers[length] as number));
  }

  /** How many numbers are equal from two positions on. */
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

/** Spreads the information of a number over all its bits. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
