import { expect, test } from "vitest";
import { endOfString, endOfValue, skipWhitespace } from "../../src/jsonrpc/messages.js";

test("a string ends at the first unescaped quote", () => {
  expect(endOfString('"ab",', 0)).toBe(3);
  expect(endOfString('"a\\"b"', 0)).toBe(5);
  expect(endOfString('"a\\\\"b"', 0)).toBe(4);
  expect(endOfString('"open', 0)).toBe(5);
});

test.each([
  ["7", "7"],
  ["-1.5e3,1", "-1.5e3"],
  ["true}", "true"],
  ["null]", "null"],
  ["0 ]", "0"],
  ['"a,]}",1', '"a,]}"'],
  ["[],[]", "[]"],
  ['{"a":[{"}":"]\\""}]},1', '{"a":[{"}":"]\\""}]}'],
  ["[[1,2],\n[3] ] ,4", "[[1,2],\n[3] ]"],
])("of %s the first value is %s", (text, value) => {
  expect(text.slice(0, endOfValue(text, 0))).toBe(value);
  expect(`x${text}`.slice(1, endOfValue(`x${text}`, 1))).toBe(value);
});

test("skipWhitespace stops at the next character or the end of the text", () => {
  expect(skipWhitespace(" \t\r\n7", 0)).toBe(4);
  expect(skipWhitespace("7 ", 0)).toBe(0);
  expect(skipWhitespace("7 ", 1)).toBe(2);
});
