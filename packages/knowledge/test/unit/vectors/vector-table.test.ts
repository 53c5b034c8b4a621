import { describe, expect, test } from "vitest";
import { quantise } from "../../../src/vectors/quantise.js";
import { VectorTable } from "../../../src/vectors/vector-table.js";

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 31 - 1;
  }
}

function vectors(count: number, dimension: number, seed: number): Float32Array[] {
  const source = numbers(seed);
  return Array.from({ length: count }, () => Float32Array.from({ length: dimension }, () => source.next().value));
}

function addAll(table: VectorTable, all: readonly Float32Array[]): void {
  const packed = all.map(quantise);
  const rows = new Int8Array(all.length * table.dimension);
  for (const [index, { bytes }] of packed.entries()) rows.set(bytes, index * table.dimension);
  table.add(
    rows,
    Float32Array.from(packed, ({ scale }) => scale),
  );
}

function tableOf(all: readonly Float32Array[], dimension: number, exactRows?: number): VectorTable {
  const table = new VectorTable(dimension, exactRows);
  addAll(table, all);
  return table;
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** Cosines by plain arithmetic, of the rows as they are packed and the question as it is. */
function judged(all: readonly Float32Array[], query: Float32Array, limit: number, mask?: Uint8Array) {
  return all
    .map((vector, row) => {
      const packed = Float32Array.from(quantise(vector).bytes);
      const scale = quantise(vector).scale;
      const length = Math.sqrt(dot(query, query));
      return { row, score: length === 0 ? 0 : (dot(packed, query) * scale) / length };
    })
    .filter(({ row }) => mask === undefined || mask[row] !== 0)
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit);
}

describe("VectorTable", () => {
  test.each([1, 7, 31, 32, 33, 100, 256, 384, 1000])(
    "finds what plain arithmetic finds in %i dimensions",
    (dimension) => {
      const all = vectors(300, dimension, dimension);
      const table = tableOf(all, dimension);
      for (const query of vectors(5, dimension, 77)) {
        const found = table.search(query, 10);
        const wanted = judged(all, query, 10);
        expect(found.length).toBe(10);
        for (const [index, { score }] of found.entries()) expect(score).toBeCloseTo(wanted[index]?.score ?? 9, 2);
        if (dimension >= 31) expect(found[0]?.row).toBe(wanted[0]?.row);
      }
    },
  );

  test("scores a row by its angle, and by the length that it has", () => {
    const table = tableOf([Float32Array.of(0, 3), Float32Array.of(-2, 0), Float32Array.of(0.5, 0)], 2);
    expect(table.search(Float32Array.of(10, 0), 3)).toEqual([
      { row: 2, score: 0.5 },
      { row: 0, score: 0 },
      { row: 1, score: -2 },
    ]);
  });

  test("keeps rows over many blocks, added in pieces of any size", () => {
    const all = vectors(5000, 40, 3);
    const table = new VectorTable(40);
    for (let start = 0, size = 1; start < all.length; start += size, size = (size * 3) % 1999)
      addAll(table, all.slice(start, start + size));
    expect(table.size).toBe(5000);
    const whole = tableOf(all, 40);
    for (const query of vectors(5, 40, 4)) expect(table.search(query, 50)).toEqual(whole.search(query, 50));
    for (const row of [0, 1023, 1024, 2047, 4999])
      expect(table.search(all[row] ?? new Float32Array(40), 1)[0]?.row).toBe(row);
  });

  test("lets the first of equal rows come first", () => {
    const same = Float32Array.of(1, 2, 3, 4);
    const table = tableOf([...vectors(3, 4, 5), ...Array.from({ length: 3000 }, () => same)], 4);
    expect(table.search(same, 5).map(({ row }) => row)).toEqual([3, 4, 5, 6, 7]);
  });

  test("leaves out what the mask has a zero for, even where fewer than wanted are left", () => {
    const all = vectors(2500, 64, 6);
    const table = tableOf(all, 64);
    const mask = Uint8Array.from(all, (_, row) => (row % 1000 === 7 ? 1 : 0));
    const [query = new Float32Array(64)] = vectors(1, 64, 8);
    const found = table.search(query, 10, mask);
    expect(found.map(({ row }) => row)).toEqual(judged(all, query, 10, mask).map(({ row }) => row));
    expect(found.map(({ row }) => row).sort((a, b) => a - b)).toEqual([7, 1007, 2007]);
    expect(table.search(query, 10, new Uint8Array(2500))).toEqual([]);
  });

  test("has an answer without NaN for zeros, and none where nothing is asked for or there", () => {
    const table = tableOf([new Float32Array(3), Float32Array.of(1, 0, 0)], 3);
    expect(table.search(new Float32Array(3), 5)).toEqual([
      { row: 0, score: 0 },
      { row: 1, score: 0 },
    ]);
    expect(table.search(Float32Array.of(1, 0, 0), 1)).toEqual([{ row: 1, score: 1 }]);
    expect(table.search(Float32Array.of(1, 0, 0), 0)).toEqual([]);
    expect(new VectorTable(3).search(Float32Array.of(1, 0, 0), 5)).toEqual([]);
  });

  test("says what does not fit", () => {
    const table = tableOf(vectors(2, 4, 1), 4);
    expect(() => table.add(new Int8Array(7), new Float32Array(2))).toThrow(
      "Cannot add 2 vectors of 4 components: got 7 bytes",
    );
    expect(() => table.add(new Int8Array(4), Float32Array.of(Number.NaN))).toThrow("a scale is not a finite number");
    expect(() => table.search(new Float32Array(3), 1)).toThrow(
      "Cannot search vectors of 4 components with a query of 3",
    );
    expect(() => table.search(Float32Array.of(0, 0, Number.NaN, 0), 1)).toThrow("component 2 is NaN");
    expect(() => table.search(new Float32Array(4), 1, new Uint8Array(1))).toThrow("with a mask of 1");
    expect(table.size).toBe(2);
  });
});

describe("VectorTable above the number of rows that are all scored", () => {
  const all = vectors(20_000, 128, 11);
  // Rows of one kind lie close together, as texts on one subject do.
  for (let row = 500; row < 20_000; row++) {
    const [near, own] = [all[row % 500], all[row]];
    if (near && own)
      for (let index = 0; index < 128; index++) own[index] = (near[index] ?? 0) + 0.7 * (own[index] ?? 0);
  }
  const exact = tableOf(all, 128, 100_000);
  const indexed = tableOf(all, 128, 1000);

  test("finds nearly all that scoring every row finds, with the same scores", () => {
    const found = vectors(40, 128, 12).map((noise, index) => {
      const query = noise.map((value, at) => 0.5 * value + (all[index]?.[at] ?? 0));
      const wanted = new Map(exact.search(query, 10).map(({ row, score }) => [row, score]));
      const hits = indexed.search(query, 10).filter(({ row }) => wanted.has(row));
      for (const { row, score } of hits) expect(score).toBe(wanted.get(row));
      return hits.length;
    });
    expect(found.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(396);
  });

  test("keeps to the mask, and scores all of the rest where few are left", () => {
    const [query = new Float32Array(128)] = vectors(1, 128, 13);
    const most = Uint8Array.from(all, (_, row) => row % 2);
    expect(indexed.search(query, 100, most).every(({ row }) => row % 2 === 1)).toBe(true);
    const few = Uint8Array.from(all, (_, row) => (row % 50 === 0 ? 1 : 0));
    expect(indexed.search(query, 100, few)).toEqual(exact.search(query, 100, few));
  });
});
