import { expect, test } from "vitest";
import { scoreOf } from "../../../src/complexity/summary.js";

test("the example of the source document scores 30.92", () => {
  expect(scoreOf(32, 5.8, 30)).toBeCloseTo(30.92, 10);
});

test("each part of a score ends where it counts in full", () => {
  expect(scoreOf(50, 0, 0)).toBe(40);
  expect(scoreOf(5000, 0, 0)).toBe(40);
  expect(scoreOf(0, 100, 0)).toBe(40);
  expect(scoreOf(0, 900, 0)).toBe(40);
  expect(scoreOf(0, 0, 100)).toBe(10);
  expect(scoreOf(0, 0, 400)).toBe(10);
});
