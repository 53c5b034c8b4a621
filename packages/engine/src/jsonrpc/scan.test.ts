import { expect, test } from "vitest";
import { endOfString, endOfValue, skipGap } from "./scan.js";

test("the end of a string is its first quote that is not escaped", () => {
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

test("a gap ends at the next character, or with the text", () => {
  expect(skipGap(" \t\r\n7", 0)).toBe(4);
  expect(skipGap("7 ", 0)).toBe(0);
  expect(skipGap("7 ", 1)).toBe(2);
});
