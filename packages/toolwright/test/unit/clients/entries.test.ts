import { expect, test } from "vitest";
import { mergeEntry } from "../../../src/clients/entries.js";

test.each(["env", "environment", "envs"])("variables under %s that were there stay beside new ones", (key) => {
  const old = { command: "old", [key]: { A: "1", B: "2" }, timeout: 5 };
  expect(mergeEntry(old, { command: "new", args: [], [key]: { B: "3", C: "4" } })).toEqual({
    command: "new",
    args: [],
    [key]: { A: "1", B: "3", C: "4" },
    timeout: 5,
  });
});

test("variables that are no object are replaced", () => {
  expect(mergeEntry({ env: null }, { command: "x", env: { A: "1" } })).toEqual({ command: "x", env: { A: "1" } });
});
