import { expect, test } from "vitest";
import { hasCode, hintsIn } from "../../src/ranking/code-hints.js";

test.each([
  [`db.query("DELETE FROM logs WHERE id = " + id)`, "sql query. raw sql query"],
  ["requests.get(url, verify=False)", "fetch url the user gave. disable ssl verification"],
  ["GET /boards/12/cards/77", "nested route"],
  ["support staff can log in as a customer", "impersonate"],
  ["every Sunday a script runs", "scheduled task"],
  ["remember the answer for five minutes", "cache"],
  ["the provider sends the same event twice", "delivered twice"],
  ["fetch the mail from the office", ""],
  ["select a color from the palette", ""],
  ["", ""],
])("the hints in %j are %j", (text, terms) => {
  expect(hintsIn(text)).toBe(terms);
});

test.each(["await load(id)", "a == b", "x => y", "total = 3", "`${name}`"])("%s is code", (text) => {
  expect(hasCode(text)).toBe(true);
});

test.each(["a file(s) picker, with tabs", "build a page; keep it small", "what is e.g. a monad?"])(
  "%s is not code",
  (text) => {
    expect(hasCode(text)).toBe(false);
  },
);

test("only the start of a long text is searched for hints", () => {
  expect(hintsIn(`${"word ".repeat(2000)} DELETE FROM users`)).toBe("");
});
