import { expect, test } from "vitest";
import { relative } from "../../../src/cli/result-text.js";

const now = new Date("2031-05-06T07:08:09.000Z");

test.each([
  ["2031-05-06T07:08:09.000Z", "just now"],
  ["2031-05-06T07:07:09.000Z", "1m ago"],
  ["2031-05-06T06:08:10.000Z", "59m ago"],
  ["2031-05-05T07:08:10.000Z", "23h ago"],
  ["2031-04-07T07:08:09.000Z", "29d ago"],
  ["2031-04-06T07:08:09.000Z", "2031-04-06"],
  ["2031-05-06T07:08:19.000Z", "in a moment"],
  ["2031-05-06T07:23:09.000Z", "in 15m"],
  ["2041-05-06T07:23:09.000Z", "2041-05-06"],
  ["never", "never"],
])("%s is %j", (at, said) => {
  expect(relative(at, now)).toBe(said);
});
