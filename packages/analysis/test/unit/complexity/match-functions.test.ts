import { expect, test } from "vitest";
import { matchFunctions } from "../../../src/complexity/baseline.js";

const f = (name: string, cyclomatic: number, cognitive = 0, operands = 10 * cyclomatic) => ({
  name,
  cyclomatic,
  cognitive,
  nesting: 1,
  parameters: 2,
  lines: 9,
  code_lines: 7,
  halstead: {
    distinct_operators: 5,
    distinct_operands: 6,
    operators: 20,
    operands,
    volume: 1,
    difficulty: 1,
    effort: 1,
  },
});

test("functions are the same by their names, wherever they have moved", () => {
  const { pairs, added, removed } = matchFunctions([f("a", 1), f("b", 2)], [f("c", 9), f("b", 3), f("a", 1)]);
  expect(pairs.map(([was, is]) => [was.name, was.cyclomatic, is.cyclomatic])).toEqual([
    ["a", 1, 1],
    ["b", 2, 3],
  ]);
  expect(added).toEqual([f("c", 9)]);
  expect(removed).toBe(0);
});

test("one more without a name in front of others makes none of them worse", () => {
  const before = [f("(anonymous)", 2, 1), f("(anonymous)", 7, 9)];
  const { pairs, added } = matchFunctions(before, [f("(anonymous)", 4, 4), ...before]);
  expect(pairs.every(([was, is]) => was.cyclomatic === is.cyclomatic)).toBe(true);
  expect(added).toEqual([f("(anonymous)", 4, 4)]);
});

test("of several with one name those that differ are the same in their order", () => {
  const { pairs, removed } = matchFunctions([f("x", 1), f("x", 5), f("x", 3)], [f("x", 5), f("x", 2)]);
  expect(pairs.map(([was, is]) => [was.cyclomatic, is.cyclomatic])).toEqual([
    [5, 5],
    [1, 2],
  ]);
  expect(removed).toBe(1);
});

test("a function that is the same but for its name was renamed", () => {
  const { pairs, added, removed } = matchFunctions(
    [f("load", 7), f("save", 7, 0, 3), f("gone", 2)],
    [f("read", 7), f("store", 7, 0, 3), f("fresh", 2, 1)],
  );
  expect(pairs.map(([was, is]) => [was.name, is.name])).toEqual([
    ["load", "read"],
    ["save", "store"],
  ]);
  expect([added.map(({ name }) => name), removed]).toEqual([["fresh"], 1]);
});
