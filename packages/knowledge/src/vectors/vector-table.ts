import { createKernel, type Kernel, padded, reserve } from "./kernel.js";
import { quantiseInto } from "./quantise.js";
import { type FoundRow, TopRows } from "./top-rows.js";

/** Up to so many rows every one is scored; it takes a few milliseconds. */
export const EXACT_ROWS = 100_000;

/** Rows lie together in blocks, each with its scales and signs, so that memory grows without being moved. */
const BLOCK_ROWS = 1024;

/** What a component of the question may be at most: finer than a row's, and no sum overflows. */
const MAX_QUERY_COMPONENT = 2047;

/** How many rows are scored exactly where signs choose: so that 99 of 100 of the best are among them, on 118,000 real texts. */
const ROWS_PER_CANDIDATE = 100;
const CANDIDATES_PER_RESULT = 40;
const MIN_CANDIDATES = 2000;

/** Vectors in memory, a byte a component, that are searched by their angle with another one. */
export class VectorTable {
  readonly dimension: number;
  readonly #exactRows: number;
  readonly #kernel: Kernel;
  /** Bytes of a row, and of its signs. */
  readonly #stride: number;
  readonly #width: number;
  /** Where in a block the scales and the signs begin, and its size. */
  readonly #scales: number;
  readonly #signs: number;
  readonly #blockBytes: number;
  /** Where the question, its signs, the mask and the results lie, and where the blocks begin. */
  readonly #query: number;
  readonly #querySigns: number;
  readonly #mask: number;
  readonly #results: number;
  readonly #blocks: number;
  #size = 0;

  constructor(dimension: number, exactRows: number = EXACT_ROWS) {
    this.dimension = dimension;
    this.#exactRows = exactRows;
    this.#stride = padded(dimension);
    this.#width = Math.ceil(this.#stride / 128) * 16;
    this.#scales = BLOCK_ROWS * this.#stride;
    this.#signs = this.#scales + BLOCK_ROWS * 4;
    this.#blockBytes = this.#signs + BLOCK_ROWS * this.#width;
    // An address of 0 means that there is no mask, so that nothing lies there.
    this.#query = 32;
    this.#querySigns = this.#query + this.#stride * 2;
    this.#mask = this.#querySigns + this.#width;
    this.#results = this.#mask + BLOCK_ROWS;
    this.#blocks = this.#results + BLOCK_ROWS * 4;
    this.#kernel = createKernel(this.#blocks);
  }

  /** How many rows there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds rows at the end: `dimension` bytes each, and a scale each. */
  add(rows: Int8Array, scales: Float32Array): void {
    const count = scales.length;
    if (rows.length !== count * this.dimension)
      throw new RangeError(`Cannot add ${count} vectors of ${this.dimension} components: ${rows.length} bytes given`);
    if (!scales.every((scale) => Number.isFinite(scale)))
      throw new RangeError("Cannot add vectors: a scale is not a finite number");
    reserve(this.#kernel, this.#blocks + Math.ceil((this.#size + count) / BLOCK_ROWS) * this.#blockBytes);
    const bytes = new Int8Array(this.#kernel.memory.buffer);
    const floats = new Float32Array(this.#kernel.memory.buffer);
    for (let done = 0; done < count; ) {
      const position = this.#size % BLOCK_ROWS;
      const block = this.#blockOf(this.#size);
      const fit = Math.min(BLOCK_ROWS - position, count - done);
      const start = block + position * this.#stride;
      for (let index = 0; index < fit; index++) {
        const from = (done + index) * this.dimension;
        bytes.set(rows.subarray(from, from + this.dimension), start + index * this.#stride);
      }
      floats.set(scales.subarray(done, done + fit), (block + this.#scales) / 4 + position);
      this.#kernel.signs(start, fit, this.#stride, block + this.#signs + position * this.#width, this.#width);
      this.#size += fit;
      done += fit;
    }
  }

  /**
   * The rows with the highest cosine, best first, and of equal ones the first; `mask` has a byte a row, 0 = left out. Every row is
   * scored up to the number that the table was made for; above, those whose signs are most alike are.
   */
  search(query: Float32Array, limit: number, mask?: Uint8Array): FoundRow[] {
    if (query.length !== this.dimension)
      throw new RangeError(`Cannot search vectors of ${this.dimension} components with one of ${query.length}`);
    if (mask !== undefined && mask.length < this.#size)
      throw new RangeError(`Cannot search ${this.#size} vectors with a mask of ${mask.length}`);
    const scale = this.#ask(query);
    const top = new TopRows(Math.min(limit, this.#size));
    const isExact = this.#size <= this.#exactRows || (mask !== undefined && countOf(mask) <= this.#exactRows);
    if (isExact) this.#scoreAll(top, mask);
    else this.#scoreLikely(top, limit, mask);
    return top.sorted().map(({ row, score }) => ({ row, score: score * scale }));
  }

  /** Puts the question where the kernel finds it; gives what makes cosines of its scores. */
  #ask(query: Float32Array): number {
    const { memory } = this.#kernel;
    const numbers = new Int16Array(memory.buffer, this.#query, this.dimension);
    quantiseInto(query, MAX_QUERY_COMPONENT, numbers);
    let squares = 0;
    const signs = new Uint8Array(memory.buffer, this.#querySigns, this.#width).fill(0);
    for (let index = 0; index < this.dimension; index++) {
      const number = numbers[index] as number;
      squares += number * number;
      if (number < 0) signs[index >> 3] = (signs[index >> 3] as number) | (1 << (index & 7));
    }
    return squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }

  #scoreAll(top: TopRows, mask: Uint8Array | undefined): void {
    const scores = new Float32Array(this.#kernel.memory.buffer, this.#results, BLOCK_ROWS);
    for (let first = 0; first < this.#size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.#size - first);
      const block = this.#blockOf(first);
      const masked = this.#putMask(mask, first, count);
      this.#kernel.dots(block, block + this.#scales, masked, count, this.#stride, this.#query, this.#results);
      let { floor } = top;
      for (let index = 0; index < count; index++) {
        const score = scores[index] as number;
        if (!(score > floor)) continue;
        top.offer(first + index, score);
        ({ floor } = top);
      }
    }
  }

  #scoreLikely(top: TopRows, limit: number, mask: Uint8Array | undefined): void {
    const wanted = Math.max(limit * CANDIDATES_PER_RESULT, MIN_CANDIDATES, Math.ceil(this.#size / ROWS_PER_CANDIDATE));
    const score = new Float32Array(this.#kernel.memory.buffer, this.#results, 1);
    for (const row of nearestBits(this.#distances(mask), this.#stride, wanted)) {
      const block = this.#blockOf(row);
      const position = row % BLOCK_ROWS;
      const scale = block + this.#scales + position * 4;
      this.#kernel.dots(block + position * this.#stride, scale, 0, 1, this.#stride, this.#query, this.#results);
      const reached = score[0] as number;
      if (reached > top.floor) top.offer(row, reached);
    }
  }

  /** In how many signs each row differs from the question. */
  #distances(mask: Uint8Array | undefined): Uint16Array {
    const all = new Uint16Array(this.#size);
    const some = new Uint16Array(this.#kernel.memory.buffer, this.#results, BLOCK_ROWS);
    for (let first = 0; first < this.#size; first += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, this.#size - first);
      const bits = this.#blockOf(first) + this.#signs;
      const masked = this.#putMask(mask, first, count);
      this.#kernel.distances(bits, masked, count, this.#width, this.#querySigns, this.#results);
      all.set(count === BLOCK_ROWS ? some : some.subarray(0, count), first);
    }
    return all;
  }

  #putMask(mask: Uint8Array | undefined, first: number, count: number): number {
    if (mask === undefined) return 0;
    new Uint8Array(this.#kernel.memory.buffer, this.#mask, count).set(mask.subarray(first, first + count));
    return this.#mask;
  }

  #blockOf(row: number): number {
    return this.#blocks + Math.floor(row / BLOCK_ROWS) * this.#blockBytes;
  }
}

function countOf(mask: Uint8Array): number {
  let count = 0;
  for (const byte of mask) if (byte !== 0) count++;
  return count;
}

/**
 * The rows with the fewest differing bits, in order of their numbers; `limit` at most, fewer only where there are not as many.
 * Distances are whole numbers of `bits` at most, so that counting them is cheaper than sorting.
 */
export function nearestBits(distances: Uint16Array, bits: number, limit: number): Uint32Array {
  // Those that are left out are counted beyond the end, which is nowhere.
  const counts = new Uint32Array(bits + 1);
  for (let row = 0; row < distances.length; row++) counts[distances[row] as number]!++;
  let nearer = 0;
  let edge = 0;
  while (edge <= bits && nearer + (counts[edge] as number) <= limit) nearer += counts[edge++] as number;
  let atEdge = edge > bits ? 0 : limit - nearer;
  const rows = new Uint32Array(nearer + atEdge);
  const last = Math.min(edge, bits);
  let found = 0;
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] as number;
    if (distance > last || (distance === edge && atEdge-- <= 0)) continue;
    rows[found++] = row;
  }
  return rows;
}
