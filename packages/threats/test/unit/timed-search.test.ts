import { expect, test } from "vitest";
import { searchWithTimeout } from "../../src/review/timed-search.js";

const inAMinute = (): number => performance.now() + 60_000;

test("a search returns the matches of each expression", () => {
  expect(searchWithTimeout(["b+", "^a", "z"], "abb\nab", inAMinute())).toEqual([
    [
      { start: 1, end: 3 },
      { start: 5, end: 6 },
    ],
    [
      { start: 0, end: 1 },
      { start: 4, end: 5 },
    ],
    [],
  ]);
});

test("an expression that takes too long is slow, and the others have results", () => {
  // A lookahead prevents V8's linear engine, which other tests can enable, from running the expression.
  const found = searchWithTimeout(["a$", "((?=a)a|a)*b", "^a", "((?=a)a|a)*c"], "a".repeat(60), inAMinute());
  expect(found).toEqual([[{ start: 59, end: 60 }], "slow", [{ start: 0, end: 1 }], "slow"]);
});

test("expressions after the deadline are late", () => {
  expect(searchWithTimeout(["a", "b"], "ab", performance.now())).toEqual(["late", "late"]);
});
