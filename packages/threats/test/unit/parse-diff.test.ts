import { expect, test } from "vitest";
import { parseDiff } from "../../src/review/parse-diff.js";

const fragmentsOf = (text: string) =>
  parseDiff(text).files.flatMap(({ path, fragments }) =>
    fragments.map((fragment) => [path, fragment.firstLine, fragment.text, [...(fragment.changed ?? [])]]),
  );

test("returns the new lines of each hunk with the numbers of added lines", () => {
  const text =
    "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n@@ -9 +9,2 @@ f()\n kept\n+more\n";
  expect(fragmentsOf(text)).toEqual([
    ["a.ts", 1, "new\nsame", [1]],
    ["a.ts", 9, "kept\nmore", [10]],
  ]);
});

test("lines of a hunk that look like headers are content", () => {
  const text = "--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n kept\n";
  expect(fragmentsOf(text)).toEqual([["a.sql", 1, "++ new\nkept", [1]]]);
});

test("parses names with quotes, with timestamps, and without prefixes", () => {
  const quoted = '--- "a/\\303\\244 \\"b.ts"\n+++ "b/\\303\\244 \\"b.ts"\n@@ -0,0 +1 @@\n+x\n';
  expect(fragmentsOf(quoted)[0]?.[0]).toBe('ä "b.ts');
  expect(fragmentsOf("--- old.ts\t2026-01-01\n+++ ./new.ts\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n")[0]?.[0]).toBe("new.ts");
});

test("parses mnemonic prefixes, and lists files of combined diffs", () => {
  expect(fragmentsOf("--- i/src/a.ts\n+++ w/src/a.ts\n@@ -0,0 +1 @@\n+x\n")[0]?.[0]).toBe("src/a.ts");
  expect(fragmentsOf("--- w/a.ts\n+++ w/a.ts\n@@ -0,0 +1 @@\n+x\n")[0]?.[0]).toBe("w/a.ts");
  const { files, merged } = parseDiff(
    "diff --cc a.ts\nindex 1,2..3\n--- a/a.ts\n+++ b/a.ts\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n",
  );
  expect([files, merged]).toEqual([[], ["a.ts"]]);
});

test("skips deleted files, and files with only deleted lines", () => {
  expect(fragmentsOf("--- a/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")).toEqual([]);
  expect(fragmentsOf("--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1 @@\n-a\n b\n")).toEqual([]);
});

test("an empty diff has no files, and other texts are rejected", () => {
  expect(parseDiff("\n")).toEqual({ files: [], leftOut: 0, merged: [] });
  expect(() => parseDiff("hello")).toThrow('no line that begins with "+++"');
});

test("counts the files beyond the limit", () => {
  const one = (at: number) => `--- /dev/null\n+++ b/${at}.ts\n@@ -0,0 +1 @@\n+x\n`;
  const { files, leftOut } = parseDiff(Array.from({ length: 503 }, (_, at) => one(at)).join(""));
  expect([files.length, leftOut]).toEqual([500, 3]);
});
