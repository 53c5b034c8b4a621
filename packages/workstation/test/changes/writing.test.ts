import { chmod, link, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const HELLO = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e";

describe("fs_write_file", () => {
  test("makes a file and its folders, and says what it wrote", async () => {
    const { root, call } = await openWorkstation();
    expect(await call("fs_write_file", { path: "a/b/c.txt", content: "hello" })).toEqual({
      path: "a/b/c.txt",
      created: true,
      hash: HELLO,
      size: 5,
      change: 1,
    });
    expect(await readFile(path.join(root, "a/b/c.txt"), "utf8")).toBe("hello");
  });

  test("replaces a file, keeps its permissions, and shows the difference", async () => {
    const { root, call } = await openWorkstation({ files: { "run.sh": "one\n" } });
    await chmod(path.join(root, "run.sh"), 0o750);
    const written = await call("fs_write_file", { path: "run.sh", content: "two\n" });
    expect(written["created"]).toBe(false);
    expect(written["diff"]).toBe("--- a/run.sh\n+++ b/run.sh\n@@ -1 +1 @@\n-one\n+two\n");
    expect((await stat(path.join(root, "run.sh"))).mode & 0o7777).toBe(0o750);
  });

  test("writes bytes that are given as base64, and other encodings", async () => {
    const { root, call, fail } = await openWorkstation();
    await call("fs_write_file", { path: "bytes", content: "AAH/", encoding: "base64" });
    expect([...(await readFile(path.join(root, "bytes")))]).toEqual([0, 1, 255]);
    await call("fs_write_file", { path: "wide", content: "hi", encoding: "utf-16le" });
    expect([...(await readFile(path.join(root, "wide")))]).toEqual([0xff, 0xfe, 0x68, 0, 0x69, 0]);
    await call("fs_write_file", { path: "old", content: "ö€", encoding: "windows-1252" });
    expect([...(await readFile(path.join(root, "old")))]).toEqual([0xf6, 0x80]);
    const { code } = await fail("fs_write_file", { path: "x", content: "漢", encoding: "windows-1252" });
    expect(code).toBe("INVALID_ARGUMENT");
    expect((await fail("fs_write_file", { path: "x", content: "<b>", encoding: "base64" })).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  test("changes nothing where the content is there already", async () => {
    const { call } = await openWorkstation({ files: { a: "same" } });
    expect(await call("fs_write_file", { path: "a", content: "same" })).toMatchObject({
      created: false,
      note: "Nothing was changed: it is already so.",
    });
    expect(await call("changes_since")).toEqual({ changes: [] });
  });

  test("refuses to replace with create_only", async () => {
    const { root, fail } = await openWorkstation({ files: { a: "old" } });
    expect((await fail("fs_write_file", { path: "a", content: "new", create_only: true })).code).toBe("ALREADY_EXISTS");
    expect(await readFile(path.join(root, "a"), "utf8")).toBe("old");
  });

  test("writes through a link that stays inside, and not through one that leads out", async () => {
    const { root, call, fail } = await openWorkstation({ files: { real: "1" } });
    await symlink("real", path.join(root, "link"));
    await symlink("/etc/hosts", path.join(root, "out"));
    expect(await call("fs_write_file", { path: "link", content: "2" })).toMatchObject({ path: "real" });
    expect(await readFile(path.join(root, "real"), "utf8")).toBe("2");
    expect(await readlink(path.join(root, "link"))).toBe("real");
    expect((await fail("fs_write_file", { path: "out", content: "2" })).code).toBe("FORBIDDEN_PATH");
  });

  test("refuses folders, read-only files and what is inside .git", async () => {
    const { root, fail } = await openWorkstation({ files: { locked: "1", "folder/a": "", ".git/config": "" } });
    await chmod(path.join(root, "locked"), 0o444);
    expect(await fail("fs_write_file", { path: "folder", content: "2" })).toMatchObject({ code: "INVALID_ARGUMENT" });
    const locked = await fail("fs_write_file", { path: "locked", content: "2" });
    expect([locked.code, locked.text]).toEqual([
      "FORBIDDEN_PATH",
      'Cannot use "locked": the file is read-only. Make it writable first.',
    ]);
    expect((await fail("fs_write_file", { path: ".git/config", content: "x" })).code).toBe("FORBIDDEN_PATH");
    expect((await fail("fs_write_file", { path: "locked/below", content: "x" })).code).toBe("NOT_FOUND");
  });

  test("writes many files at the same time, each entirely", async () => {
    const { root, call } = await openWorkstation();
    const texts = Array.from({ length: 20 }, (_, at) => `${at}`.repeat(1000));
    await Promise.all(texts.map((content, at) => call("fs_write_file", { path: `f${at % 5}`, content })));
    for (let at = 0; at < 5; at += 1) expect(texts).toContain(await readFile(path.join(root, `f${at}`), "utf8"));
    expect(((await call("changes_since"))["changes"] as unknown[]).length).toBe(20);
  });
});

describe("expected_hash", () => {
  test("lets a write pass whose file is as it was read", async () => {
    const { call } = await openWorkstation({ files: { a: "hello" } });
    expect(await call("fs_write_file", { path: "a", content: "x", expected_hash: HELLO })).toMatchObject({ change: 1 });
  });

  test.each([
    ["what fs_write_file wrote", "fs_write_file", { path: "a", content: "1\n2\n3\n4\n5\n" }],
    ["what fs_read_file showed", "fs_read_file", { path: "a" }],
  ])(
    "refuses a stale write after %s, with what others changed, what was wanted, and that both go together",
    async (_what, tool, args) => {
      const { root, call, fail } = await openWorkstation({ files: { a: "1\n2\n3\n4\n5\n" } });
      if (tool === "fs_write_file") await rm(path.join(root, "a"));
      const { hash } = await call(tool, args);
      await writeFile(path.join(root, "a"), "1\n2\n3\n4\nfive\n");
      const refused = await fail("fs_write_file", {
        path: "a",
        content: "one\n2\n3\n4\n5\n",
        expected_hash: hash as string,
      });
      expect(refused.code).toBe("CONFLICT");
      expect(refused.details).toMatchObject({
        theirs: "--- a/a\n+++ b/a\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n",
        yours: "--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n",
        merges: true,
      });
      expect(refused.text).toContain("so both can be kept");
      expect(await readFile(path.join(root, "a"), "utf8")).toBe("1\n2\n3\n4\nfive\n");
    },
  );

  test.each(["", "nonsense", "sha256:2CF24DBA"])("that is no hash is called that: %j", async (expected_hash) => {
    const { fail } = await openWorkstation({ files: { a: "hello" } });
    const refused = await fail("fs_write_file", { path: "a", content: "x", expected_hash });
    expect([refused.code, refused.text]).toEqual([
      "INVALID_ARGUMENT",
      'Cannot write "a": expected_hash is not a hash such as sha256:2cf2…. Use the hash of the last read, or omit it. To get the hash, call fs_read_file with {"path":"a"}.',
    ]);
  });

  test("shows the current and the expected content if the read text is unknown", async () => {
    const { fail } = await openWorkstation({ files: { a: "disk\n" } });
    const expected_hash = "sha256:00000000000000000000000000000000";
    const refused = await fail("fs_write_file", { path: "a", content: "mine\n", expected_hash });
    expect(refused.details).toMatchObject({ yours: "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-disk\n+mine\n" });
    expect(refused.details).not.toHaveProperty("merges");
    expect((await fail("fs_write_file", { path: "gone", content: "", expected_hash })).text).toContain(
      "it does not exist any more",
    );
  });

  test("guards edits too, and shows them on what was read", async () => {
    const { root, call, fail } = await openWorkstation();
    const { hash } = await call("fs_write_file", { path: "a", content: "x\ny\n" });
    await writeFile(path.join(root, "a"), "x!\ny\n");
    const edits = [{ old: "x\n", new: "z\n" }];
    const refused = await fail("fs_edit_file", { path: "a", edits, expected_hash: hash as string });
    expect(refused.details).toMatchObject({ yours: "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-x\n+z\n y\n", merges: false });
  });
});

describe("moving, deleting and making folders", () => {
  test("moves files and folders, and makes the folders of the new place", async () => {
    const { root, call } = await openWorkstation({ files: { "a.txt": "a", "dir/b.txt": "b" } });
    expect(await call("fs_move", { from: "a.txt", to: "new/place/a.txt" })).toEqual({
      from: "a.txt",
      to: "new/place/a.txt",
      replaced: false,
      change: 1,
    });
    await call("fs_move", { from: "dir", to: "new/dir" });
    expect(await readFile(path.join(root, "new/place/a.txt"), "utf8")).toBe("a");
    expect(await readFile(path.join(root, "new/dir/b.txt"), "utf8")).toBe("b");
  });

  test("moves over a file only with overwrite, and never over or into what it must not", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "a", b: "b", "dir/c": "c", "other/d": "d" } });
    expect((await fail("fs_move", { from: "a", to: "b" })).code).toBe("ALREADY_EXISTS");
    expect((await fail("fs_move", { from: "dir", to: "other", overwrite: true })).code).toBe("INVALID_ARGUMENT");
    expect((await fail("fs_move", { from: "dir", to: "b", overwrite: true })).code).toBe("INVALID_ARGUMENT");
    expect((await fail("fs_move", { from: "dir", to: "dir/below" })).code).toBe("FORBIDDEN_PATH");
    expect((await fail("fs_move", { from: "x", to: "y" })).code).toBe("NOT_FOUND");
    expect((await fail("fs_move", { from: "a", to: "../a" })).code).toBe("FORBIDDEN_PATH");
    expect(await call("fs_move", { from: "a", to: "b", overwrite: true })).toMatchObject({ replaced: true });
    expect(await readFile(path.join(root, "b"), "utf8")).toBe("a");
  });

  // On other systems both names are the same file.
  test.runIf(process.platform === "linux")(
    "replaces no file whose name differs in case only, unless told to",
    async () => {
      const { root, call, fail } = await openWorkstation({ files: { "A.txt": "one", "a.txt": "two" } });
      expect((await fail("fs_move", { from: "A.txt", to: "a.txt" })).code).toBe("ALREADY_EXISTS");
      expect(await readFile(path.join(root, "a.txt"), "utf8")).toBe("two");
      expect(await call("fs_move", { from: "A.txt", to: "a.txt", overwrite: true })).toMatchObject({ replaced: true });
      await call("undo_last");
      expect(await readFile(path.join(root, "A.txt"), "utf8")).toBe("one");
      expect(await readFile(path.join(root, "a.txt"), "utf8")).toBe("two");
    },
  );

  test("changes the case of a name, and back", async () => {
    const { root, call } = await openWorkstation({ files: { "A.txt": "one", "Dir/x": "x" } });
    expect(await call("fs_move", { from: "A.txt", to: "a.txt" })).toMatchObject({ replaced: false });
    expect(await call("fs_move", { from: "Dir", to: "dir" })).toMatchObject({ replaced: false });
    expect((await readdir(root)).sort()).toEqual(["a.txt", "dir"]);
    await call("undo_last", { count: 2 });
    expect((await readdir(root)).sort()).toEqual(["A.txt", "Dir"]);
  });

  test("moves one of two links to a file onto the other, so that one is left", async () => {
    const { root, call, fail } = await openWorkstation({ files: { one: "1" } });
    await link(path.join(root, "one"), path.join(root, "two"));
    expect((await fail("fs_move", { from: "one", to: "two" })).code).toBe("ALREADY_EXISTS");
    expect(await call("fs_move", { from: "one", to: "two", overwrite: true })).toMatchObject({ replaced: true });
    expect(await readdir(root)).toEqual(["two"]);
    await call("undo_last");
    expect((await readdir(root)).sort()).toEqual(["one", "two"]);
    expect(await readFile(path.join(root, "two"), "utf8")).toBe("1");
  });

  test("moves no folder out of which something hidden would come", async () => {
    const { call, fail } = await openWorkstation({
      files: { "config/deep/secret": "s", "other/a": "a" },
      policy: { hidden: ["config/deep/secret"] },
    });
    expect((await fail("fs_move", { from: "config", to: "open" })).text).toBe(
      'Cannot use "config": it contains something that this server hides.',
    );
    expect((await fail("fs_move", { from: "config/deep", to: "open" })).code).toBe("FORBIDDEN_PATH");
    await call("fs_move", { from: "other", to: "open" });
  });

  test("deletes a file, and of a link the link alone; never a folder", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "a", "dir/b": "b", target: "t" } });
    await symlink("target", path.join(root, "link"));
    await call("fs_delete_file", { path: "a" });
    await call("fs_delete_file", { path: "link" });
    await expect(lstat(path.join(root, "a"))).rejects.toThrow("ENOENT");
    await expect(lstat(path.join(root, "link"))).rejects.toThrow("ENOENT");
    expect(await readFile(path.join(root, "target"), "utf8")).toBe("t");
    expect((await fail("fs_delete_file", { path: "dir" })).code).toBe("INVALID_ARGUMENT");
    const missing = await fail("fs_delete_file", { path: "targett" });
    expect([missing.code, missing.text]).toEqual(["NOT_FOUND", '"targett" does not exist. Did you mean "target"?']);
  });

  test("makes a folder once", async () => {
    const { root, call, fail } = await openWorkstation({ files: { file: "" } });
    expect(await call("fs_create_directory", { path: "a/b" })).toEqual({ path: "a/b", created: true, change: 1 });
    expect(await call("fs_create_directory", { path: "a/b" })).toMatchObject({ created: false });
    expect((await stat(path.join(root, "a/b"))).isDirectory()).toBe(true);
    expect((await fail("fs_create_directory", { path: "file" })).code).toBe("ALREADY_EXISTS");
    await mkdir(path.join(root, "c"));
    expect(await call("fs_create_directory", { path: "c" })).toMatchObject({ created: false });
  });
});
