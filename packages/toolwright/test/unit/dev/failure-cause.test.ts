import { expect, test } from "vitest";
import { ErrorLineReorderer, findCause } from "../../../src/dev/failure-cause.js";

test("a syntax error has its position, relative to the folder", () => {
  const words = ["file:///work/app/src/a.mjs:2", "const a = ;", "          ^", "", "SyntaxError: Unexpected token ';'"];
  words.push("    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)", "", "Node.js v20.20.2");
  expect(findCause(words, "/work/app")).toBe("src/a.mjs:2: SyntaxError: Unexpected token ';'");
});

test("an exception has the first position in the author's code", () => {
  const words = [
    "/work/app/node_modules/x/index.js:9",
    "TypeError: no",
    "    at x (/work/app/node_modules/x/index.js:9:1)",
  ];
  words.push("    at file:///work/app/src/b.ts:6:7", "    at file:///work/app/src/c.ts:1:1");
  expect(findCause(words, "/work/app")).toBe("src/b.ts:6:7: TypeError: no");
});

test("a file of elsewhere keeps its whole path", () => {
  expect(findCause(["Error: no", "    at f (/other/a.js:1:2)"], "/work/app")).toBe("/other/a.js:1:2: Error: no");
});

test("a thrown value that is no Error is shown", () => {
  const words = ["", "node:internal/modules/run_main:123", "    triggerUncaughtException(", "    ^", "no good"];
  expect(findCause([...words, "(Use `node --trace-uncaught ...` to show where)", "", "Node.js v20.20.2"], "/")).toBe(
    "no good",
  );
});

test.each([
  [
    ["a", "file:///a.mjs:2", "const a = ;", "    ^", "", "SyntaxError: no", "    at b"],
    ["a", "SyntaxError: no", "file:///a.mjs:2", "const a = ;", "    ^", "    at b"],
  ],
  [
    ["/a/b.js:1", "x", "y"],
    ["/a/b.js:1", "x", "y"],
  ],
  [
    ["/a/b.js:1", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    ["/a/b.js:1", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
  ],
  [
    ["", "node:a:1", "    ^", "no good"],
    ["no good", "node:a:1", "    ^"],
  ],
  [
    ["", "a", "", "", "b", ""],
    ["", "a", "", "", "b", ""],
  ],
  [
    ["", "node:a:1", "    ^", "/a/b.ts:3", "", "SyntaxError: no"],
    ["SyntaxError: no", "node:a:1", "    ^", "/a/b.ts:3"],
  ],
])("the line that names an error comes before the excerpt of the source: %j", (said, heard) => {
  const lines: string[] = [];
  const words = new ErrorLineReorderer((line) => lines.push(line));
  for (const line of said) words.receive(line);
  words.over();
  expect(lines).toEqual(heard);
});

test("an error logged by the engine is shown without what follows it", () => {
  const words = [
    "[CRITICAL] Error: the port is in use",
    "        at file:///work/a.mjs:7:17",
    "    Caused by: Error: listen",
  ];
  expect(findCause(words, "/work")).toBe("a.mjs:7:17: Error: the port is in use");
});

test("a program without an error is described by its last line, and one without output by nothing", () => {
  expect(findCause(["starting", "the port is taken", ""], "/work/app")).toBe("the port is taken");
  expect(findCause([], "/work/app")).toBeUndefined();
});
