import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../../src/files/text.js";

describe("a unified difference", () => {
  test("shows what changed with three lines around it", async () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(await unifiedDiff("n.txt", before, before.replace("5", "five"))).toBe(
      "--- a/n.txt\n+++ b/n.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("knows files that are not there, and ends without a line feed", async () => {
    expect(await unifiedDiff("a", undefined, "x")).toBe(
      "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
    );
    expect(await unifiedDiff("a", "x\n", undefined)).toBe("--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
    expect(await unifiedDiff("a", undefined, "")).toBe("--- /dev/null\n+++ b/a\n");
    expect(await unifiedDiff("a", "x", "x")).toBe("");
  });

  test("keeps a name with a line feed on its line", async () => {
    expect(await unifiedDiff("a\nb", "x\n", "y\n")).toBe('--- "a/a\\nb"\n+++ "b/a\\nb"\n@@ -1 +1 @@\n-x\n+y\n');
  });

  test("shows texts that differ in thousands of lines as one replaced part", async () => {
    const lines = (from: number) => Array.from({ length: 3000 }, (_, at) => `${from + at}\n`).join("");
    const difference = await unifiedDiff("a", `same\n${lines(0)}end`, `same\n${lines(100_000)}end`);
    expect(difference.startsWith("--- a/a\n+++ b/a\n@@ -1,3002 +1,3002 @@\n same\n-0\n-1\n")).toBe(true);
    expect(difference.endsWith("+102999\n end\n\\ No newline at end of file\n")).toBe(true);
    expect(difference.split("\n").length).toBe(6007);
  });
});
