import { expect, test } from "vitest";
import { diffLines } from "../../../../src/cli/replay/show-replay.js";

const shown = (before: string, after: string) => diffLines(before, after).map(({ sign, text }) => `${sign}${text}`);

test("a changed line is shown with two lines on either side", () => {
  expect(shown("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nX\ne\nf\ng")).toEqual([" b", " c", "-d", "+X", " e", " f"]);
});

test("lines that come or go are shown alone", () => {
  expect(shown("a\nb", "a\nb\nc")).toEqual([" a", " b", "+c"]);
  expect(shown("a\nb\nc", "a\nc")).toEqual([" a", "-b", " c"]);
});

test("one line becomes another", () => {
  expect(shown("1", "2")).toEqual(["-1", "+2"]);
});

test("of a long line the part is shown that differs", () => {
  const [before = "", after = ""] = shown(
    `${"x".repeat(1000)}A${"y".repeat(1000)}`,
    `${"x".repeat(1000)}B${"y".repeat(1000)}`,
  );
  expect(before).toMatch(/^-…x{40}Ay{259}…$/);
  expect(after).toMatch(/^\+…x{40}By{259}…$/);
});

test("of many lines the first twenty are shown, and how many more there are", () => {
  const lines = shown("", Array.from({ length: 50 }, (_, at) => `line ${at}`).join("\n"));
  expect(lines).toHaveLength(22);
  expect(lines.slice(-2)).toEqual(["+line 19", "+… and 30 more lines"]);
});
