import { expect, test } from "vitest";
import { openBench } from "../kit.js";

const edits = [{ oldText: "a", newText: "b" }];

test.each([
  ["edit_file", { path: "a", edits, dryRun: true }, "dryRun is dry_run, oldText is old, newText is new"],
  ["move_file", { source: "a", destination: "b" }, "source is from, destination is to"],
  [
    "search_files",
    { path: ".", pattern: "*", excludePatterns: ["x"] },
    "pattern is glob, excludePatterns is not there (what git ignores is left out)",
  ],
  ["read_text_file", { path: "a", head: 1 }, "head is limit"],
  ["read_text_file", { path: "a", tail: 2 }, "tail is a negative offset"],
])("%s with the arguments of another server is told what they are called here", async (tool, args, words) => {
  const { fail } = await openBench({ files: { a: "a" } });
  const refused = await fail(tool, args);
  expect([refused.code, refused.text]).toEqual(["INVALID_ARGUMENTS", expect.stringContaining(`: here ${words}.`)]);
});

test("other faults are told as ever", async () => {
  const { fail } = await openBench({ files: { a: "a" } });
  expect((await fail("edit_file", { path: "a", edits: [{ old: "a" }], more: 1 })).text).toContain("unknown argument");
  expect((await fail("move_file", { from: "a" })).text).toContain("to: ");
  expect((await fail("edit_file", { path: "a", edits: "oldText" })).text).not.toContain("here ");
});
