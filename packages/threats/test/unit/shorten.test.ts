import { expect, test } from "vitest";
import { shorten } from "../../src/query/token-budget.js";

test.each([
  ["Read the bytes. Compare them. Answer.", 37, "Read the bytes. Compare them. Answer."],
  ["Read the bytes. Compare them. Answer.", 36, "Read the bytes. Compare them."],
  ["Read the bytes. Compare them. Answer.", 20, "Read the bytes."],
  ["Read the raw bytes, then compare", 20, "Read the raw bytes…"],
  ["Read the raw bytes, then compare", 19, "Read the raw bytes…"],
  ["Read the raw bytes, then compare", 18, "Read the raw…"],
  ["Unbreakable", 6, "…"],
  ["Unbreakable", 0, "…"],
  ["", 0, ""],
])("%j in %i characters is %j", (text, most, cut) => {
  expect(shorten(text, most)).toBe(cut);
});
