import { expect, test } from "vitest";
import { TimedScript } from "../../../src/time/index.js";

const fits = new TimedScript("new RegExp(pattern).test(value)");

test("a timed script gives what it comes to with the values that it is given", () => {
  expect(fits.run({ pattern: "^a+$", value: "aaa" }, 10_000)).toBe(true);
  expect(fits.run({ pattern: "^a+$", value: "aab" }, 10_000)).toBe(false);
});

test("a timed script that takes too long is ended, and can be run again", () => {
  expect(fits.run({ pattern: "^((?=a)a|a)*b$", value: "a".repeat(60) }, 20)).toBeUndefined();
  expect(fits.run({ pattern: "b", value: "b" }, 10_000)).toBe(true);
});

test("what a timed script throws is thrown", () => {
  expect(() => fits.run({ pattern: "(", value: "" }, 10_000)).toThrow("Invalid regular expression");
});

test("a timed script reaches nothing of the process", () => {
  expect(new TimedScript("typeof process + typeof require").run({}, 10_000)).toBe("undefinedundefined");
});
