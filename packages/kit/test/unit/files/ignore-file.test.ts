import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readIgnoreFile } from "../../../src/files/ignore-file.js";

const isIgnored = async (text: string, path: string, isFolder = false): Promise<boolean | undefined> =>
  (await readIgnoreFile(text)).ignores(path, isFolder);

describe("the rules of a .gitignore", () => {
  test.each([
    ["*.log", "a/b.log", true],
    ["*.log\n!keep.log", "keep.log", false],
    ["!keep.log\n*.log", "keep.log", true],
    ["/a", "b/a", undefined],
    ["a/b", "a/b", true],
    ["a/b", "c/a/b", undefined],
    ["build/", "build", undefined],
    ["build", "x/build", true],
    ["build/\nbuild", "build", true],
    ["build\n!build/", "build", true],
    ["name  ", "name", true],
    ["name\\ ", "name ", true],
    ["\\#a", "#a", true],
    ["# comment", "# comment", undefined],
    ["[[:digit:]].c", "4.c", true],
    ["{a,b}", "a", undefined],
    ["{a,b}", "{a,b}", true],
  ])("%j for %s: %s", async (text, path, expected) => expect(await isIgnored(text, path)).toBe(expected));

  test("are for folders where they end with a slash", async () => {
    expect(await isIgnored("build/", "build", true)).toBe(true);
    expect(await isIgnored("build\n!build/", "build", true)).toBe(false);
  });
});

describe("a hostile .gitignore", () => {
  test("of 20,000 lines lets others be served while it is read", async () => {
    let turns = 0;
    const counted = new AbortController();
    const count = async (): Promise<void> => {
      for (; !counted.signal.aborted; turns += 1) await setImmediate();
    };
    void count();
    const lines = Array.from({ length: 20_000 }, (_, index) => `**/a${index}*/*b`);
    const rules = await readIgnoreFile(lines.join("\n"));
    counted.abort();
    expect(turns).toBeGreaterThan(2);
    expect(rules.ignores("a19999/b", false)).toBe(true);
  });

  test("with a pattern of 60,000 characters ignores what the others say", async () => {
    expect(await isIgnored(`${"a*".repeat(30_000)}\nb`, "b")).toBe(true);
  });

  test("with a pattern that can match in very many ways is answered at once", async () => {
    expect(await isIgnored(`${"*a".repeat(300)}b`, "a".repeat(255))).toBe(undefined);
  });
});
