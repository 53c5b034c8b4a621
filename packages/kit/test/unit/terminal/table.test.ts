import { describe, expect, test } from "vitest";
import { createPaint, wantsColour } from "../../../src/terminal/screen.js";
import { type Column, drawTable } from "../../../src/terminal/table.js";
import { cut, widthOf } from "../../../src/terminal/text.js";

interface Row {
  readonly file: string;
  readonly lines: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { name: "file", text: ({ file }) => file, gives: "path" },
  { name: "lines", text: ({ lines }) => String(lines), isNumber: true },
];

const plain = (text: string): string => text;

describe("a table", () => {
  test("has its columns under their names, numbers at the right", () => {
    const rows = [
      { file: "src/a.ts", lines: 7 },
      { file: "b.ts", lines: 1234 },
    ];
    expect(drawTable(COLUMNS, rows, { width: Number.POSITIVE_INFINITY, head: plain })).toBe(
      ["file      lines", "src/a.ts      7", "b.ts       1234"].join("\n"),
    );
  });

  test("keeps the end of a path where the screen is narrow", () => {
    const rows = [{ file: "packages/engine/src/server/exchange.ts", lines: 7 }];
    expect(drawTable(COLUMNS, rows, { width: 24, head: plain })).toBe(
      ["file               lines", "…rver/exchange.ts      7"].join("\n"),
    );
  });

  test("does not shrink what could not be read any more", () => {
    const rows = [{ file: "packages/engine/src/server/exchange.ts", lines: 7 }];
    expect(drawTable(COLUMNS, rows, { width: 3, head: plain }).split("\n")[1]).toBe("…exchange.ts      7");
  });

  test("shows the signs of a hostile name, and paints a cell at its full width", () => {
    const [name, lines] = COLUMNS;
    const painted = lines && { ...lines, paint: (text: string) => `<${text}>` };
    const rows = [{ file: "a\u{1b}[2J\nb.ts", lines: 7 }];
    expect(
      drawTable(
        [name, painted].flatMap((one) => one ?? []),
        rows,
        { width: 80, head: plain },
      ),
    ).toBe(["file        lines", "a␛[2J␊b.ts  <    7>"].join("\n"));
  });

  test("counts wide letters twice and marks not at all", () => {
    expect([widthOf("abc"), widthOf("日本"), widthOf("e\u{301}"), widthOf("😀")]).toEqual([3, 4, 1, 2]);
    expect([cut("日本語です", 6, "words"), cut("日本語です", 6, "path"), cut("abc", 3, "words")]).toEqual([
      "日本…",
      "…です",
      "abc",
    ]);
  });
});

test("colours are for terminals that want them", () => {
  expect(createPaint(true).red("x")).toBe("\u{1b}[31mx\u{1b}[39m");
  expect(createPaint(false).red("x")).toBe("x");
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
  expect(wantsColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
  expect(wantsColour({}, {})).toBe(false);
});

test("whoever forces colours gets them everywhere, or nowhere", () => {
  expect(wantsColour({}, { FORCE_COLOR: "1" })).toBe(true);
  expect(wantsColour({}, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(true);
  expect(wantsColour({ isTTY: true }, { FORCE_COLOR: "0" })).toBe(false);
  expect(wantsColour({}, { FORCE_COLOR: "" })).toBe(false);
});
