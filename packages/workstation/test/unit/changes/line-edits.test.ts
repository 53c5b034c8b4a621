import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits, type TextEdit } from "../../../src/changes/edits/apply-edits.js";

const LINES = "one\ntwo\nthree\nfour\n";
const edit = (text: string, ...edits: readonly TextEdit[]): string => applyEdits("f", text, edits).text;

describe("an edit of lines", () => {
  test.each<[string, TextEdit, string]>([
    ["replaces one line", { start_line: 2, new_string: "2" }, "one\n2\nthree\nfour\n"],
    ["replaces several lines by more", { start_line: 2, end_line: 3, new_string: "a\nb\nc\n" }, "one\na\nb\nc\nfour\n"],
    ["deletes lines", { start_line: 1, end_line: 3, new_string: "" }, "four\n"],
    ["inserts before a line", { start_line: 3, end_line: 2, new_string: "x" }, "one\ntwo\nx\nthree\nfour\n"],
    ["inserts at the start", { start_line: 1, end_line: 0, new_string: "x\n" }, `x\n${LINES}`],
    ["inserts at the end", { start_line: 5, end_line: 4, new_string: "x" }, `${LINES}x\n`],
    ["is one line with end_line alone", { end_line: 4, new_string: "4" }, "one\ntwo\nthree\n4\n"],
  ])("%s", (_what, change, text) => {
    expect(edit(LINES, change)).toBe(text);
  });

  test("keeps the line endings of the file, and a missing last one", () => {
    expect(edit("a\r\nb\r\nc", { start_line: 1, end_line: 2, new_string: "x\ny\n" })).toBe("x\r\ny\r\nc");
    expect(edit("a\nb", { start_line: 2, new_string: "x\n" })).toBe("a\nx");
    expect(edit("a\nb", { start_line: 3, end_line: 2, new_string: "c" })).toBe("a\nb\nc");
    expect(edit("", { start_line: 1, end_line: 0, new_string: "a" })).toBe("a\n");
  });

  test("numbers lines as they were before all edits", () => {
    const edits = [
      { start_line: 1, new_string: "1\n1.5" },
      { start_line: 4, new_string: "4" },
      { start_line: 3, end_line: 2, new_string: "2.5" },
    ];
    expect(edit(LINES, ...edits)).toBe("1\n1.5\ntwo\n2.5\nthree\n4\n");
    expect(edit(LINES, { old_string: "one\ntwo", new_string: "1" }, { start_line: 3, new_string: "3" })).toBe(
      "1\n3\nfour\n",
    );
  });

  test("restricts the search for old_string", () => {
    const text = "x\ny\nx\n";
    expect(edit(text, { start_line: 3, old_string: "x", new_string: "z" })).toBe("x\ny\nz\n");
    expect(() => edit(text, { start_line: 2, old_string: "x", new_string: "z" })).toThrow("was not found");
    expect(edit(text, { old_string: "x", new_string: "z", replace_all: true })).toBe("z\ny\nz\n");
  });

  test.each<[string, readonly TextEdit[], string]>([
    ["lines after the end", [{ start_line: 5, new_string: "" }], "its lines are 5 to 5, but the file has 4 lines."],
    ["an end before the start", [{ start_line: 3, end_line: 1, new_string: "" }], "its lines are 3 to 1"],
    [
      "lines that an earlier edit has replaced",
      [
        { start_line: 2, end_line: 3, new_string: "" },
        { start_line: 3, end_line: 4, new_string: "" },
      ],
      "edit 2 of 2: its lines overlap those of an earlier edit.",
    ],
    ["neither text nor lines", [{ new_string: "" }], "it has neither `old_string` nor `start_line`."],
  ])("refuses %s", (_what, edits, message) => {
    expect(() => edit(LINES, ...edits)).toThrow(message);
  });

  test("gives the same in every order of edits that do not overlap", () => {
    const edits = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }).chain((starts) =>
      fc.tuple(
        fc.constant(starts),
        fc.array(fc.constantFrom("", "a", "a\nb", "a\nb\nc\n"), { minLength: starts.length, maxLength: starts.length }),
        fc.shuffledSubarray(
          starts.map((_start, at) => at),
          { minLength: starts.length },
        ),
      ),
    );
    const text = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join("");
    fc.assert(
      fc.property(edits, ([starts, texts, order]) => {
        const changes = order.map((at) => ({ start_line: starts[at] ?? 1, new_string: texts[at] ?? "" }));
        const expected = text.split(/(?<=\n)/).map((line, at) => {
          const found = starts.indexOf(at + 1);
          if (found < 0) return line;
          const fresh = texts[found] ?? "";
          return fresh === "" || fresh.endsWith("\n") ? fresh : `${fresh}\n`;
        });
        expect(edit(text, ...changes)).toBe(expected.join(""));
      }),
    );
  });
});
