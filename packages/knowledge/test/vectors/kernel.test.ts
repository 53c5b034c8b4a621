import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createKernel, padded, reserve } from "../../src/vectors/kernel.js";

/** Where things lie in the memory of these tests; far enough apart for all of them. */
const ROWS = 65_536;
const SCALES = 32_768;
const QUERY = 1024;
const MASK = 40_000;
const OUT = 49_152;

const byte = fc.integer({ min: -127, max: 127 });
/** Rows and a question of one width, the widest values among them. */
const cases = fc
  .record({ parts: fc.integer({ min: 1, max: 12 }), count: fc.integer({ min: 1, max: 20 }) })
  .chain(({ parts, count }) =>
    fc.record({
      stride: fc.constant(parts * 32),
      rows: fc.array(
        fc.array(fc.oneof(byte, fc.constantFrom(-127, 127)), { minLength: parts * 32, maxLength: parts * 32 }),
        {
          minLength: count,
          maxLength: count,
        },
      ),
      query: fc.array(fc.integer({ min: -2047, max: 2047 }), { minLength: parts * 32, maxLength: parts * 32 }),
      mask: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    }),
  );

function kernelWith(rows: readonly (readonly number[])[]) {
  const kernel = createKernel(ROWS + rows.flat().length + 64);
  new Int8Array(kernel.memory.buffer).set(rows.flat(), ROWS);
  return { kernel, buffer: kernel.memory.buffer };
}

describe("the kernel", () => {
  test("multiplies rows with a question exactly as plain arithmetic does, and passes over what is masked", () => {
    fc.assert(
      fc.property(cases, ({ stride, rows, query, mask }) => {
        const { kernel, buffer } = kernelWith(rows);
        new Int16Array(buffer, QUERY, stride).set(query);
        const scales = new Float32Array(buffer, SCALES, rows.length).map((_, row) => (row + 1) / 7);
        new Float32Array(buffer, SCALES, rows.length).set(scales);
        new Uint8Array(buffer, MASK, rows.length).set(mask.map(Number));
        const wanted = rows.map((row, index) => {
          const sum = row.reduce((total, value, at) => total + value * (query[at] ?? 0), 0);
          return Math.fround(Math.fround(sum) * (scales[index] ?? 0));
        });
        kernel.dots(ROWS, SCALES, 0, rows.length, stride, QUERY, OUT);
        expect([...new Float32Array(buffer, OUT, rows.length)]).toEqual(wanted.map((value) => value + 0));
        kernel.dots(ROWS, SCALES, MASK, rows.length, stride, QUERY, OUT);
        expect([...new Float32Array(buffer, OUT, rows.length)]).toEqual(
          wanted.map((value, row) => (mask[row] ? value + 0 : Number.NEGATIVE_INFINITY)),
        );
      }),
    );
  });

  test("returns the signs of rows, and the number of differences of two", () => {
    fc.assert(
      fc.property(cases, ({ stride, rows, mask }) => {
        const { kernel, buffer } = kernelWith(rows);
        const width = Math.ceil(stride / 128) * 16;
        kernel.signs(ROWS, rows.length, stride, SCALES, width);
        const bits = new Uint8Array(buffer, SCALES, rows.length * width);
        const isNegative = (row: number, at: number): boolean =>
          (((bits[row * width + (at >> 3)] ?? 0) >> (at & 7)) & 1) === 1;
        for (const [row, values] of rows.entries())
          expect(values.map((_, at) => isNegative(row, at))).toEqual(values.map((value) => value < 0));
        new Uint8Array(buffer, MASK, rows.length).set(mask.map(Number));
        kernel.distances(SCALES, MASK, rows.length, width, SCALES, OUT);
        expect([...new Uint16Array(buffer, OUT, rows.length)]).toEqual(
          rows.map((row, index) =>
            mask[index] ? row.filter((value, at) => value < 0 !== (rows[0]?.[at] ?? 0) < 0).length : 65_535,
          ),
        );
      }),
    );
  });

  test("adds up rows by their numbers, each with its scale", () => {
    fc.assert(
      fc.property(cases, fc.array(fc.nat({ max: 19 }), { maxLength: 40 }), ({ stride, rows }, choices) => {
        const numbers = choices.map((choice) => choice % rows.length);
        const { kernel, buffer } = kernelWith(rows);
        // Halves and quarters, so that no sum is rounded.
        new Float32Array(buffer, SCALES, rows.length).set(rows.map((_, row) => 2 ** -(row % 3)));
        new Int32Array(buffer, QUERY, numbers.length).set(numbers);
        kernel.sum(QUERY, numbers.length, ROWS, SCALES, stride, OUT);
        const wanted = Array.from({ length: stride }, (_, at) =>
          numbers.reduce((total, number) => total + (rows[number]?.[at] ?? 0) * 2 ** -(number % 3), 0),
        );
        expect([...new Float32Array(buffer, OUT, stride)].map((value) => value + 0)).toEqual(wanted);
      }),
    );
  });

  test("keeps what its memory holds when it grows", () => {
    const kernel = createKernel(100);
    new Uint8Array(kernel.memory.buffer)[99] = 7;
    reserve(kernel, 50_000_000);
    expect(kernel.memory.buffer.byteLength).toBeGreaterThanOrEqual(50_000_000);
    expect(new Uint8Array(kernel.memory.buffer)[99]).toBe(7);
    expect(() => reserve(kernel, 2 ** 33)).toThrow(
      "Cannot keep 8589934592 bytes of vectors in memory: the maximum is 4294967296",
    );
  });

  test("takes rows in widths of 32", () => {
    expect([1, 32, 33, 384].map(padded)).toEqual([32, 32, 64, 384]);
  });
});
