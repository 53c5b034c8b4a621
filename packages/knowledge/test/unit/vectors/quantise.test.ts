import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantise, restore } from "../../../src/vectors/quantise.js";

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);

describe("quantise", () => {
  test("spreads a vector over the bytes from -127 to 127", () => {
    const { bytes, scale } = quantise(Float32Array.of(0.5, -1, 0, 0.25));
    expect([...bytes]).toEqual([64, -127, 0, 32]);
    expect(scale).toBeCloseTo(1 / 127, 4);
  });

  test("keeps a vector of zeros, and gives no NaN for it", () => {
    const packed = quantise(new Float32Array(5));
    expect(packed).toEqual({ bytes: new Int8Array(5), scale: 0 });
    expect([...restore(packed)]).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
  ])("refuses %d", (wrong, name) => {
    expect(() => quantise(Float32Array.of(0, wrong))).toThrow(`Cannot quantise a vector: component 1 is ${name}`);
  });

  test("gives back what was packed, of the same length, within half a step a component", () => {
    const component = fc.float({ noNaN: true, min: -1, max: 1 });
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 400 }), (components) => {
        const vector = Float32Array.from(components);
        const back = restore(quantise(vector));
        const step = Math.max(...vector.map(Math.abs)) / 127;
        expect(lengthOf(back)).toBeCloseTo(lengthOf(vector), 5);
        for (const [index, value] of vector.entries())
          expect(Math.abs(value - (back[index] ?? 0))).toBeLessThanOrEqual(step * 1.5 + 1e-6);
      }),
    );
  });
});
