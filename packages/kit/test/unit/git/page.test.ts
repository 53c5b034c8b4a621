import { expect, test } from "vitest";
import { Page, PageBudget, shorten } from "../../../src/git/page.js";

test("a page has the entries from its offset on, up to its limit", () => {
  const page = new Page<string>(1, 2);
  expect(["a", "b", "c", "d"].map((entry) => page.add(entry))).toEqual([true, true, true, false]);
  expect([page.entries, page.total, page.next]).toEqual([["b", "c"], 4, 3]);
});

test("the last page has no next", () => {
  const page = new Page<string>(1, 2);
  for (const entry of ["a", "b", "c"]) page.add(entry);
  expect([page.entries, page.next]).toEqual([["b", "c"], undefined]);
});

test("entries stop where the room does", () => {
  const page = new Page<string>(0, 100, new PageBudget(10));
  for (const entry of ["abc", "de", "f"]) page.add(entry);
  expect([page.entries, page.next, page.total]).toEqual([["abc"], 1, 3]);
});

test("skips an entry that fits on no page", () => {
  const page = new Page<string>(3, 100, new PageBudget(10));
  for (const entry of ["a", "b", "c", "d".repeat(50), "e"]) page.add(entry);
  expect([page.entries, page.next]).toEqual([[], 4]);
});

test("shortened text says how much is missing", () => {
  expect([shorten("abc", 3), shorten("abcdef", 3)]).toEqual(["abc", "abc… (3 more characters)"]);
});
