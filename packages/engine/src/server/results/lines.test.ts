import { expect, test } from "vitest";
import { memoryBody, readText } from "./body.js";
import { countLines, lineAt, startOfLine } from "./lines.js";

const SLICE = 1024 * 1024;

test.each([
  ["", 0, 0],
  ["\n", 1, 0],
  ["a", 1, 1],
  ["a\n", 1, 1],
  ["a\n\nbcd", 3, 3],
  ["é\r\n", 1, 3],
])("%j has %i lines, the longest of %i bytes", async (text, count, longest) => {
  expect(await countLines(memoryBody(Buffer.from(text)))).toMatchObject({ count, longest });
});

test.each([
  ["before", SLICE - 2],
  ["at the end of", SLICE - 1],
  ["at the beginning of", SLICE],
  ["after the beginning of", SLICE + 1],
])("lines are found where one ends %s a slice", async (_, end) => {
  const text = `${"x".repeat(end)}\nsecond\n${"y".repeat(SLICE)}\nfourth\n`;
  const body = memoryBody(Buffer.from(text));
  const lines = await countLines(body);
  const starts = [0, end + 1, end + 8, end + 9 + SLICE];
  expect(lines.count).toBe(4);
  for (const [at, start] of starts.entries()) {
    expect(await startOfLine(body, lines, at + 1)).toBe(start);
    expect(await lineAt(body, lines, start)).toBe(at + 1);
    if (at > 0) expect(await lineAt(body, lines, start - 1)).toBe(at);
  }
});

test("a line longer than several slices is one line", async () => {
  const body = memoryBody(Buffer.from(`a\n${"x".repeat(3 * SLICE)}\nb`));
  const lines = await countLines(body);
  expect(lines).toMatchObject({ count: 3, longest: 3 * SLICE });
  expect(await startOfLine(body, lines, 3)).toBe(3 * SLICE + 3);
});

test("text is read from whole characters only, whatever the bytes are", async () => {
  const body = memoryBody(Buffer.from("a€😀é"));
  const passages = await Promise.all([0, 1, 2, 3, 4, 5, 7, 8, 9].map((from) => readText(body, from, 4)));
  expect(passages.map(({ text, from, to }) => [text, from, to])).toEqual([
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
