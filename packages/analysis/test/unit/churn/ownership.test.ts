import { expect, test } from "vitest";
import { busFactor } from "../../../src/churn/to-churn.js";

const lines = (...counts: readonly number[]) => counts.map((count) => ({ commits: 1, lines: count }));

test.each([
  ["nobody", [], 0],
  ["one", lines(5), 1],
  ["two with half each", lines(5, 5), 2],
  ["one with more than half", lines(1, 6, 4), 1],
  ["three of five", lines(1, 1, 1, 1, 1), 3],
  ["authors of binary files, by commits", [{ commits: 3, lines: 0 }, ...lines(0, 0)], 1],
])("the bus factor of %s", (_who, authors, factor) => {
  expect(busFactor(authors)).toBe(factor);
});
