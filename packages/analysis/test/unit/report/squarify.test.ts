import { describe, expect, test } from "vitest";
import { type Box, squarify } from "../../../src/report/draw-treemap.js";

const box: Box = { x: 10, y: 20, width: 600, height: 400 };

const areaOf = ({ width, height }: Box): number => width * height;

/** How much two boxes have in common. */
function common(left: Box, right: Box): number {
  const width = Math.min(left.x + left.width, right.x + right.width) - Math.max(left.x, right.x);
  const height = Math.min(left.y + left.height, right.y + right.height) - Math.max(left.y, right.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** Numbers that look random and are the same each time. */
function sizes(count: number, seed: number): number[] {
  let state = seed;
  const next = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => 1 + Math.floor(next() ** 3 * 1000)).sort((left, right) => right - left);
}

describe("squarify", () => {
  test("divides a box as the paper that described it does", () => {
    const parts = squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
    const rounded = parts.map(({ x, y, width, height }) => [x, y, width, height].map((one) => Number(one.toFixed(2))));
    expect(rounded).toEqual([
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
      [3, 2.33, 1.2, 1.67],
      [4.2, 2.33, 1.2, 1.67],
      [5.4, 2.33, 0.6, 1.67],
    ]);
  });

  test.each([1, 2, 3, 10, 100, 300])("%i parts have areas as their sizes, do not overlap and stay inside", (count) => {
    const given = sizes(count, count * 7);
    const total = given.reduce((sum, size) => sum + size, 0);
    const parts = squarify(given, box);
    expect(parts).toHaveLength(count);
    for (const [index, part] of parts.entries()) {
      expect(areaOf(part)).toBeCloseTo(((given[index] ?? 0) / total) * areaOf(box), 3);
      expect(part.x).toBeGreaterThanOrEqual(box.x - 1e-6);
      expect(part.y).toBeGreaterThanOrEqual(box.y - 1e-6);
      expect(part.x + part.width).toBeLessThanOrEqual(box.x + box.width + 1e-6);
      expect(part.y + part.height).toBeLessThanOrEqual(box.y + box.height + 1e-6);
    }
    const overlaps = parts.flatMap((part, index) => parts.slice(index + 1).map((other) => common(part, other)));
    expect(overlaps.filter((area) => area > 1e-3)).toEqual([]);
  });

  test("keeps like sizes nearly square", () => {
    const parts = squarify(
      Array.from({ length: 24 }, () => 1),
      box,
    );
    for (const { width, height } of parts) expect(Math.max(width / height, height / width)).toBeLessThan(1.6);
  });

  test("gives nothing for nothing, and empty boxes for sizes of zero", () => {
    expect(squarify([], box)).toEqual([]);
    expect(squarify([0, 0], box).map(areaOf)).toEqual([0, 0]);
    expect(squarify([1], { x: 0, y: 0, width: 0, height: 5 }).map(areaOf)).toEqual([0]);
  });
});
