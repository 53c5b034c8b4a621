import { createPaint } from "@toolwright/kit/terminal";
import { expect, test } from "vitest";
import { argumentLines } from "../../../../src/cli/use/tool-help.js";

const paint = createPaint(false);
const ROWS = [
  { name: "text*", kind: "string", about: "What is to be given back, however long it may be" },
  { name: "mode", kind: "one|two|three|four|five|six|seven", about: "How" },
  { name: "n", kind: "integer", about: "" },
];

test("what an argument is for is wrapped beside it, and below a kind that is too wide", () => {
  expect(argumentLines(ROWS, 70, paint)).toEqual([
    "  text*  string                    What is to be given back, however",
    "                                   long it may be",
    "  mode   one|two|three|four|five|six|seven",
    "                                   How",
    "  n      integer",
  ]);
});

test("on a narrow screen it goes below", () => {
  expect(argumentLines(ROWS.slice(0, 1), 30, paint)).toEqual([
    "  text*  string",
    "      What is to be given",
    "      back, however long it",
    "      may be",
  ]);
});

test("a hostile name cannot break the line", () => {
  expect(argumentLines([{ name: "a\u{1b}[2J\nb", kind: "x", about: "" }], 80, paint)).toEqual(["  a␛[2J b  x"]);
});
