import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

/** Edits a file of its own and gives what it became. */
async function edit(content: string | Uint8Array, ...edits: object[]) {
  const { root, call } = await openWorkstation({ files: { f: content } });
  const result = await call("fs_edit_file", { path: "f", edits: edits as never });
  return { text: await readFile(path.join(root, "f"), "utf8"), result };
}

async function refuse(content: string, ...edits: object[]) {
  const { root, fail } = await openWorkstation({ files: { f: content } });
  const failed = await fail("fs_edit_file", { path: "f", edits: edits as never });
  expect(await readFile(path.join(root, "f"), "utf8")).toBe(content);
  return failed;
}

describe("fs_edit_file", () => {
  test("replaces exact text and gives a unified difference", async () => {
    const { text, result } = await edit("a\nb\nc\n", { old: "b", new: "B" });
    expect(text).toBe("a\nB\nc\n");
    expect(result).toEqual({
      path: "f",
      hash: "sha256:4c6508965080889a0cd0250e5816021f",
      size: 6,
      change: 1,
      diff: "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    });
  });

  test("makes edits one after the other, each on what the last one left", async () => {
    const { text } = await edit("one two", { old: "one", new: "two" }, { old: "two two", new: "done" });
    expect(text).toBe("done");
  });

  test("makes all edits or none", async () => {
    const failed = await refuse("a b", { old: "a", new: "x" }, { old: "missing", new: "y" });
    expect(failed.code).toBe("NOT_FOUND");
    expect(failed.text).toContain("edit 2 of 2: `old_string` was not found");
  });

  test("refuses another count than was expected, and names all places", async () => {
    const failed = await refuse("x = 1\ny = 2\nx = 1\n", { old: "x = 1", new: "x = 3" });
    expect(failed.code).toBe("CONFLICT");
    expect(failed.text).toContain("`old_string` was found 2 times, in line 1, 3, but expected_count is 1.");
    expect(failed.details["lines"]).toEqual([1, 3]);
    const { text } = await edit("x x x", { old: "x", new: "y", expected_count: 3 });
    expect(text).toBe("y y y");
  });

  test("shows the nearest part where nothing matches", async () => {
    const content = "function add(a, b) {\n  return a + b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n";
    const failed = await refuse(content, { old: "function sub(a, b) {\n  return a * b;\n}", new: "" });
    expect(failed.text).toContain("The nearest text is in line 5:\nfunction sub(a, b) {\n  return a - b;\n}\n");
    const byWords = await refuse(content, { old: "function sub(x, b) {", new: "" });
    expect(byWords.text).toContain("The nearest text is in line 5:\nfunction sub(a, b) {\n");
    expect((await refuse(content, { old: "zzz", new: "" })).text).toContain(
      "`old_string` was not found. Read the file again.",
    );
    expect((await refuse(content, { old: "", new: "x" })).code).toBe("INVALID_ARGUMENT");
  });

  test("says which file was meant where the name is mistyped", async () => {
    const { fail } = await openWorkstation({ files: { "src/notes.txt": "a" } });
    const failed = await fail("fs_edit_file", { path: "src/note.txt", edits: [{ old: "a", new: "b" }] });
    expect([failed.code, failed.text]).toEqual([
      "NOT_FOUND",
      '"src/note.txt" does not exist. Did you mean "src/notes.txt"?',
    ]);
  });

  test("a dry run shows the same and changes nothing", async () => {
    const { root, call } = await openWorkstation({ files: { f: "a\n" } });
    const result = await call("fs_edit_file", { path: "f", edits: [{ old: "a", new: "b" }], dry_run: true });
    expect(result).toMatchObject({ dry_run: true, diff: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" });
    expect(result).not.toHaveProperty("change");
    expect(await readFile(path.join(root, "f"), "utf8")).toBe("a\n");
  });

  test("refuses binary files, and characters that the file's encoding does not have", async () => {
    const { fail, root, call } = await openWorkstation({
      files: { binary: new Uint8Array([0, 1, 2, 255, 0]), latin: new Uint8Array([0x66, 0xfc, 0x72, 0x0a]) },
    });
    expect((await fail("fs_edit_file", { path: "binary", edits: [{ old: "a", new: "b" }] })).code).toBe(
      "INVALID_ARGUMENT",
    );
    expect((await fail("fs_edit_file", { path: "latin", edits: [{ old: "f", new: "漢" }] })).text).toContain(
      "windows-1252",
    );
    await call("fs_edit_file", { path: "latin", edits: [{ old: "für", new: "Über" }] });
    expect([...(await readFile(path.join(root, "latin")))]).toEqual([0xdc, 0x62, 0x65, 0x72, 0x0a]);
  });
});

describe("what an edit keeps", () => {
  test("line ends: new lines get those of the file", async () => {
    expect((await edit("a\r\nb\r\n", { old: "b", new: "b\nc" })).text).toBe("a\r\nb\r\nc\r\n");
    expect((await edit("a\nb\n", { old: "b", new: "b\r\nc" })).text).toBe("a\nb\nc\n");
  });

  test("the byte order mark and the encoding", async () => {
    expect((await edit("\uFEFFa\n", { old: "a", new: "b" })).text).toBe("\uFEFFb\n");
    const { root, call } = await openWorkstation({ files: { wide: Buffer.from("\uFEFFhi\r\n", "utf16le") } });
    await call("fs_edit_file", { path: "wide", edits: [{ old: "hi", new: "ho" }] });
    expect((await readFile(path.join(root, "wide"))).toString("utf16le")).toBe("\uFEFFho\r\n");
  });

  test("a missing line feed at the end", async () => {
    expect((await edit("a\n  b", { old: "b\n", new: "c\n" })).text).toBe("a\n  c");
  });
});

describe("an edit whose white space differs", () => {
  test("matches over other line ends and says so", async () => {
    const { text, result } = await edit("a\r\nb\r\nc\r\n", { old: "a\nb", new: "x\ny" });
    expect(text).toBe("x\r\ny\r\nc\r\n");
    expect(result["loose"]).toEqual([{ edit: 1, line: 1, end_line: 2, differed: "line endings", text: "a\r\nb" }]);
  });

  test("matches over white space behind lines", async () => {
    const { text, result } = await edit("one  \ntwo\t\nthree\n", { old: "one\ntwo\n", new: "1\n2\n" });
    expect(text).toBe("1\n2\nthree\n");
    expect(result["loose"]).toMatchObject([{ line: 1, end_line: 2, differed: "trailing whitespace" }]);
  });

  test("matches over another indentation, and indents the new text like the old", async () => {
    const content = "class A {\n    f() {\n        if (x) {\n            y();\n        }\n    }\n}\n";
    const { text, result } = await edit(content, {
      old: "if (x) {\n  y();\n}",
      new: "if (x) {\n  for (;;) {\n    y();\n  }\n}",
    });
    expect(text).toBe(
      "class A {\n    f() {\n        if (x) {\n            for (;;) {\n              y();\n            }\n        }\n    }\n}\n",
    );
    expect(result["loose"]).toEqual([
      {
        edit: 1,
        line: 3,
        end_line: 5,
        differed: "indentation",
        text: "        if (x) {\n            y();\n        }",
      },
    ]);
  });

  test("turns spaces into the tabs of the file", async () => {
    const { text } = await edit("f() {\n\tif (x)\n\t\ty();\n}\n", {
      old: "  if (x)\n    y();",
      new: "  if (x)\n    if (z)\n      y();",
    });
    expect(text).toBe("f() {\n\tif (x)\n\t\tif (z)\n\t\t\ty();\n}\n");
  });

  test("is refused where it fits in several places", async () => {
    const failed = await refuse("  a()\n\n    a()\n", { old: "\ta()", new: "b()" });
    expect(failed.details["lines"]).toEqual([1, 3]);
  });
});
