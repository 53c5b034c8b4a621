import { expect, test } from "vitest";
import { causeOf } from "./cause.js";

test("a syntax error is told with its place, from the folder on", () => {
  const words = ["file:///work/app/src/a.mjs:2", "const a = ;", "          ^", "", "SyntaxError: Unexpected token ';'"];
  words.push("    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)", "", "Node.js v20.20.2");
  expect(causeOf(words, "/work/app")).toBe("src/a.mjs:2: SyntaxError: Unexpected token ';'");
});

test("what was thrown is told with the first line of the author's own", () => {
  const words = [
    "/work/app/node_modules/x/index.js:9",
    "TypeError: no",
    "    at x (/work/app/node_modules/x/index.js:9:1)",
  ];
  words.push("    at file:///work/app/src/b.ts:6:7", "    at file:///work/app/src/c.ts:1:1");
  expect(causeOf(words, "/work/app")).toBe("src/b.ts:6:7: TypeError: no");
});

test("a file of elsewhere keeps its whole path", () => {
  expect(causeOf(["Error: no", "    at f (/other/a.js:1:2)"], "/work/app")).toBe("/other/a.js:1:2: Error: no");
});

test("a program that tells no error is told by its last line, and one that says nothing not at all", () => {
  expect(causeOf(["starting", "the port is taken", ""], "/work/app")).toBe("the port is taken");
  expect(causeOf([], "/work/app")).toBeUndefined();
});
