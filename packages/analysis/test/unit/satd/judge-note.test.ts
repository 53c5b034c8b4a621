import { expect, test } from "vitest";
import { judgeNote } from "../../../src/satd/find-notes.js";

test.each([
  ["TODO", "add paging", "requirement", "low"],
  ["TODO", "this is slow", "performance", "low"],
  ["TODO", "write tests", "test", "low"],
  ["TODO", "the sum is wrong", "defect", "low"],
  ["TODO", "sanitize the name", "security", "medium"],
  ["FIXME", "", "defect", "high"],
  ["FIXME", "passwords are logged", "security", "critical"],
  ["BUG", "17", "defect", "high"],
  ["HACK", "around the parser", "design", "medium"],
  ["XXX", "", "design", "medium"],
  ["REFACTOR", "into two", "design", "low"],
  ["FOR NOW", "enough for now", "design", "low"],
  ["TEMPORARY FIX", "a temporary fix", "design", "medium"],
  ["NOT YET IMPLEMENTED", "not yet implemented", "requirement", "low"],
  ["OPTIMIZE", "", "performance", "low"],
  ["UNTESTED", "", "test", "low"],
  ["SECURITY", "not checked", "security", "critical"],
])("%s: %s is %s, %s", (word, text, kind, severity) => {
  expect(judgeNote({ word, text }, "src/list.ts", "own")).toEqual({ kind, severity });
});

test("a note weighs more in code for security and less in a test", () => {
  const note = { word: "HACK", text: "around it" };
  expect(judgeNote(note, "src/auth/login.ts", "own").severity).toBe("high");
  expect(judgeNote(note, "src/oauth-client.ts", "own").severity).toBe("high");
  expect(judgeNote(note, "src/author.ts", "own").severity).toBe("medium");
  expect(judgeNote(note, "tests/list.test.ts", "test").severity).toBe("low");
  expect(judgeNote(note, "tests/auth/login.test.ts", "test").severity).toBe("medium");
});

test("no severity is below the least or above the most", () => {
  expect(judgeNote({ word: "TODO", text: "more" }, "tests/a.test.ts", "test").severity).toBe("low");
  expect(judgeNote({ word: "SECURITY", text: "" }, "src/auth.ts", "own").severity).toBe("critical");
});
