import { expect, test } from "vitest";
import { exceedsDepth } from "../../src/jsonrpc/messages.js";

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

test("arrays and objects count the same, and the limit itself is allowed", () => {
  expect(exceedsDepth(nested("[", "]", 4), 4)).toBe(false);
  expect(exceedsDepth(nested("[", "]", 5), 4)).toBe(true);
  expect(exceedsDepth(nested('{"a":', "}", 4), 4)).toBe(false);
  expect(exceedsDepth(nested('{"a":', "}", 5), 4)).toBe(true);
  expect(exceedsDepth(nested('[{"a":', "}]", 2), 4)).toBe(false);
  expect(exceedsDepth(nested('[{"a":', "}]", 3), 4)).toBe(true);
});

test("sibling brackets do not add up", () => {
  expect(exceedsDepth(`[${"[],".repeat(100)}[]]`, 2)).toBe(false);
});

test("brackets in strings do not count, even after escaped quotes", () => {
  expect(exceedsDepth(`["${"[".repeat(100)}"]`, 4)).toBe(false);
  expect(exceedsDepth(`["\\"${"{".repeat(100)}\\\\"]`, 4)).toBe(false);
  expect(exceedsDepth(`["\\\\",[[[[["deep"]]]]]]`, 4)).toBe(true);
});

test("incomplete text is measured to its end", () => {
  expect(exceedsDepth("[".repeat(600), 256)).toBe(true);
  expect(exceedsDepth(`["${"[".repeat(600)}`, 256)).toBe(false);
});
