import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";

describe("a path that ends in a slash", () => {
  test("is no name for a file", async () => {
    const { root, call, fail } = await openWorkstation({ files: { "a.txt": "a", "d/x": "x" } });
    for (const [tool, args] of [
      ["fs_write_file", { path: "docs/", content: "x" }],
      ["fs_write_file", { path: "a.txt/", content: "x" }],
      ["fs_move", { from: "a.txt", to: "place/" }],
    ] as const) {
      const refused = await fail(tool, args);
      expect([refused.code, refused.text]).toEqual([
        "INVALID_ARGUMENT",
        expect.stringContaining("a trailing slash means a folder; add the name of the file."),
      ]);
    }
    expect([existsSync(path.join(root, "docs")), existsSync(path.join(root, "place"))]).toEqual([false, false]);
    expect(await call("fs_move", { from: "d/", to: "e/" })).toMatchObject({ to: "e" });
  });
});

describe("what is not there", () => {
  test.each(["fs_file_exists", "fs_directory_exists"])("is no fault to %s", async (tool) => {
    const { root, call, fail } = await openWorkstation({ files: { "a.txt": "a" } });
    await symlink("nowhere", path.join(root, "dangling"));
    await symlink("dangling", path.join(root, "twice"));
    await symlink(path.join(await makeFolder(), "nowhere"), path.join(root, "out"));
    for (const given of ["dangling", "twice", "dangling/x", "a.txt/x", "a.txt/x/y", "none", "none/x"])
      expect([given, await call(tool, { path: given })]).toEqual([given, { exists: false }]);
    expect((await fail(tool, { path: "out" })).code).toBe("FORBIDDEN_PATH");
    expect((await fail("fs_write_file", { path: "dangling", content: "" })).code).toBe("FORBIDDEN_PATH");
  });
});

describe("lines and bytes at once", () => {
  test.each([{ limit: 1 }, { offset: 2 }, { offset: 2, limit: 1, encoding: "base64" }])(
    "%j beside byte_offset is told",
    async (lines) => {
      const { call } = await openWorkstation({ files: { a: "1\n2\n3\n" } });
      const { text, note } = await call("fs_read_file", { path: "a", byte_offset: 2, ...lines });
      expect(text).toBe("encoding" in lines ? Buffer.from("2\n3\n").toString("base64") : "2\n3\n");
      expect(note).toBe("offset and limit count lines, and say nothing where bytes are counted; use byte_limit.");
    },
  );

  test("are no fault where only one is counted", async () => {
    const { call } = await openWorkstation({ files: { a: "1\n2\n3\n" } });
    expect(await call("fs_read_file", { path: "a", byte_offset: 2 })).not.toHaveProperty("note");
    expect(await call("fs_read_file", { path: "a", offset: 2, limit: 1 })).not.toHaveProperty("note");
  });
});
