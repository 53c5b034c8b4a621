import { expect, test } from "vitest";
import { nestsDeeperThan } from "./depth.js";

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

test("arrays and objects count alike, the limit itself is allowed", () => {
  expect(nestsDeeperThan(nested("[", "]", 4), 4)).toBe(false);
  expect(nestsDeeperThan(nested("[", "]", 5), 4)).toBe(true);
  expect(nestsDeeperThan(nested('{"a":', "}", 4), 4)).toBe(false);
  expect(nestsDeeperThan(nested('{"a":', "}", 5), 4)).toBe(true);
  expect(nestsDeeperThan(nested('[{"a":', "}]", 2), 4)).toBe(false);
  expect(nestsDeeperThan(nested('[{"a":', "}]", 3), 4)).toBe(true);
});

test("brackets side by side do not add up", () => {
  expect(nestsDeeperThan(`[${"[],".repeat(100)}[]]`, 2)).toBe(false);
});

test("brackets in strings do not count, behind escaped quotes neither", () => {
  expect(nestsDeeperThan(`["${"[".repeat(100)}"]`, 4)).toBe(false);
  expect(nestsDeeperThan(`["\\"${"{".repeat(100)}\\\\"]`, 4)).toBe(false);
  expect(nestsDeeperThan(`["\\\\",[[[[["deep"]]]]]]`, 4)).toBe(true);
});

test("a text that breaks off is measured as far as it goes", () => {
  expect(nestsDeeperThan("[".repeat(600), 256)).toBe(true);
  expect(nestsDeeperThan(`["${"[".repeat(600)}`, 256)).toBe(false);
});
