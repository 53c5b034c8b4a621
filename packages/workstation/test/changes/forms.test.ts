import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const ONLY_FORM = "Only the encoding or the byte order mark has changed.";

/** Writes over a file, without saying how. */
async function rewrite(before: Uint8Array, content: string) {
  const { root, call } = await openWorkstation({ files: { f: before } });
  const result = await call("fs_write_file", { path: "f", content });
  return { bytes: (await readFile(path.join(root, "f"))).toString("latin1"), result };
}

describe("a file that is written over", () => {
  test.each([
    ["windows-1252", latin1("caf\xe9\n"), "caf\xe9s\n"],
    ["UTF-8 with a mark", latin1("\xef\xbb\xbfa\r\n"), "\xef\xbb\xbfcaf\xc3\xa9s\n"],
    ["UTF-16 with a mark", latin1("\xff\xfea\0"), "\xff\xfec\0a\0f\0\xe9\0s\0\n\0"],
    ["UTF-16 without a mark", latin1("a\0b\0c\0"), "c\0a\0f\0\xe9\0s\0\n\0"],
    ["UTF-8", latin1("caf\xc3\xa9"), "caf\xc3\xa9s\n"],
    ["no text", latin1("\0\x01\xff"), "caf\xc3\xa9s\n"],
    ["nothing", latin1(""), "caf\xc3\xa9s\n"],
  ])("stays what it was: %s", async (_what, before, after) => {
    const { bytes, result } = await rewrite(before, "cafés\n");
    expect(bytes).toBe(after);
    expect(result).not.toHaveProperty("note");
  });

  test("does not get a second mark", async () => {
    expect((await rewrite(latin1("\xef\xbb\xbfa"), "\uFEFFb")).bytes).toBe("\xef\xbb\xbfb");
  });

  test.each([
    ["lacks a character", "漢\n", "\xe6\xbc\xa2\n"],
    ["would be taken for another one", "Ã©\n", "\xc3\x83\xc2\xa9\n"],
  ])("becomes UTF-8, and says so, where its encoding %s", async (_why, content, after) => {
    const { bytes, result } = await rewrite(latin1("caf\xe9\n"), content);
    expect(bytes).toBe(after);
    expect(result["note"]).toBe("The encoding is utf-8 now: the old one, windows-1252, lacks characters of the text.");
  });

  test("says so where nothing but its form has changed", async () => {
    const { root, call } = await openWorkstation({
      files: { old: latin1("caf\xe9"), marked: latin1("\xef\xbb\xbfa") },
    });
    const write = (name: string, content: string) =>
      call("fs_write_file", { path: name, content, encoding: "utf-8" }).then(({ note }) => note);
    expect([await write("old", "café"), await write("marked", "a")]).toEqual([ONLY_FORM, ONLY_FORM]);
    expect(await readFile(path.join(root, "old"), "utf8")).toBe("café");
  });
});

describe("a file that is edited", () => {
  test.each([
    ["utf-8", latin1("\xef\xbb\xbfcaf\xe9\nkeep\n")],
    ["utf-16le", latin1("\xff\xfea\0\0\xd8b\0k\0e\0e\0p\0")],
    ["utf-16le", latin1("\xff\xfek\0e\0e\0p\0\n")],
    ["utf-16be", latin1("\xfe\xff\0k\0e\0e\0p\xdc\0\0a")],
  ])("is refused where some bytes are no characters of its encoding, %s", async (encoding, before) => {
    const { root, fail } = await openWorkstation({ files: { f: before } });
    const refused = await fail("fs_edit_file", { path: "f", edits: [{ old: "keep", new: "kept" }] });
    expect(refused.text).toBe(`"f" is ${encoding} with invalid bytes, not a text file.`);
    expect(await readFile(path.join(root, "f"))).toEqual(before);
  });
});
