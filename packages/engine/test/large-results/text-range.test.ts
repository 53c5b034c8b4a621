import { expect, test } from "vitest";
import {
  countLines,
  countNewlines,
  findLineStart,
  readText,
} from "../../src/server/features/large-results/text-range.js";

test.each([
  ["", 0],
  ["\n", 1],
  ["a", 1],
  ["a\n", 1],
  ["a\n\nbcd", 3],
  ["é\r\n", 1],
])("%j has %i lines", (text, count) => {
  expect(countLines(Buffer.from(text))).toBe(count);
});

test("lines are found by their number", () => {
  const bytes = Buffer.from("first\nsecond\n\nfourth\n");
  for (const [index, start] of [0, 6, 13, 14, 21, 21].entries()) expect(findLineStart(bytes, index + 1)).toBe(start);
  expect([0, 5, 6, 13, 20, 21].map((end) => countNewlines(bytes, 0, end))).toEqual([0, 0, 1, 2, 3, 4]);
});

test("text is read from whole characters only, whatever the offset is", () => {
  const bytes = Buffer.from("a€😀é");
  const ranges = [0, 1, 2, 3, 4, 5, 7, 8, 9].map((offset) => readText(bytes, offset, 4));
  expect(ranges.map(({ text, start, end }) => [text, start, end])).toEqual([
    ["a€", 0, 4],
    ["€", 1, 4],
    ["€", 1, 4],
    ["€", 1, 4],
    ["😀", 4, 8],
    ["😀", 4, 8],
    ["😀", 4, 8],
    ["é", 8, 10],
    ["é", 8, 10],
  ]);
});
