import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

/** What is in a folder, by path: the content of files, the target of links, null for folders. */
async function contents(root: string): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, place);
    if (entry.isSymbolicLink()) found[name] = `-> ${await readlink(place)}`;
    else found[name] = entry.isDirectory() ? null : await readFile(place, "utf8");
  }
  return found;
}

describe("undo_last and redo", () => {
  test("take back and make again what was written, moved, deleted and made", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "a", b: "b", "dir/c": "c" } });
    await symlink("a", path.join(root, "link"));
    await chmod(path.join(root, "b"), 0o640);
    const states = [await contents(root)];
    const deeds: readonly [string, object][] = [
      ["fs_write_file", { path: "a", content: "a2" }],
      ["fs_write_file", { path: "new/deep/file", content: "n" }],
      ["fs_edit_file", { path: "a", edits: [{ old: "2", new: "3" }] }],
      ["fs_move", { from: "dir", to: "moved/dir" }],
      ["fs_write_file", { path: "moved/dir/c", content: "c2" }],
      ["fs_move", { from: "a", to: "b", overwrite: true }],
      ["fs_delete_file", { path: "link" }],
      ["fs_delete_file", { path: "b" }],
      ["fs_create_directory", { path: "empty/folder" }],
    ];
    for (const [name, args] of deeds) {
      await call(name, args as never);
      states.push(await contents(root));
    }
    for (const state of states.slice(0, -1).reverse()) {
      await call("undo_last");
      expect(await contents(root)).toEqual(state);
    }
    expect((await stat(path.join(root, "b"))).mode & 0o777).toBe(0o640);
    expect((await fail("undo_last")).text).toBe("There is nothing to undo.");
    for (const state of states.slice(1)) {
      await call("redo");
      expect(await contents(root)).toEqual(state);
    }
    expect((await fail("redo")).text).toBe("There is nothing to redo.");
    await call("undo_last", { count: 9 });
    expect(await contents(root)).toEqual(states[0]);
    await call("redo", { count: 4 });
    expect(await contents(root)).toEqual(states[4]);
    await call("fs_write_file", { path: "else", content: "" });
    expect((await fail("redo")).code).toBe("NOT_FOUND");
  });

  test("say what they have done", async () => {
    const { call } = await openWorkstation();
    await call("fs_write_file", { path: "a", content: "1\n" });
    const { undone } = await call("undo_last");
    expect(undone).toEqual([
      {
        change: 1,
        at: expect.stringMatching(/^20\d\d-/) as unknown,
        tool: "fs_write_file",
        state: "undone",
        files: [{ path: "a", action: "created" }],
      },
    ]);
  });

  test("fail with the diff if others have changed the file since", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "old\n", b: "old\n" } });
    await call("fs_write_file", { path: "a", content: "mine\n" });
    await call("fs_write_file", { path: "b", content: "mine\n" });
    await writeFile(path.join(root, "a"), "theirs\n");
    const refused = await fail("undo_last", { count: 2 });
    expect(refused.code).toBe("CONFLICT");
    expect(refused.details).toMatchObject({ paths: ["a"] });
    expect(refused.text).toContain("\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-mine\n+theirs");
    expect(refused.details).not.toHaveProperty("diff");
    expect(await contents(root)).toEqual({ a: "theirs\n", b: "mine\n" });
  });

  test("with force replace what others did, and redo brings that back too", async () => {
    const { root, call } = await openWorkstation({ files: { a: "old" } });
    await call("fs_write_file", { path: "a", content: "mine" });
    await writeFile(path.join(root, "a"), "theirs");
    await call("undo_last", { force: true });
    expect(await contents(root)).toEqual({ a: "old" });
    await call("redo", { count: 2 });
    expect(await contents(root)).toEqual({ a: "theirs" });
  });

  test("bring back a file whose folder is gone", async () => {
    const { root, call } = await openWorkstation({ files: { "d/a": "old" } });
    await call("fs_delete_file", { path: "d/a" });
    await rm(path.join(root, "d"), { recursive: true });
    await call("undo_last");
    expect(await contents(root)).toEqual({ d: null, "d/a": "old" });
  });

  test("keep a folder to which others have added something", async () => {
    const { root, call } = await openWorkstation();
    await call("fs_write_file", { path: "d/a", content: "1" });
    await writeFile(path.join(root, "d/theirs"), "2");
    await call("undo_last");
    expect(await contents(root)).toEqual({ d: null, "d/theirs": "2" });
  });

  test("refuse to move back over what is there, even with force", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "1" } });
    await call("fs_move", { from: "a", to: "b" });
    await writeFile(path.join(root, "a"), "new");
    expect((await fail("undo_last", { force: true })).code).toBe("CONFLICT");
    expect(await contents(root)).toEqual({ a: "new", b: "1" });
  });

  test("survive a restart", async () => {
    const first = await openWorkstation({ files: { a: "old" } });
    await first.call("fs_write_file", { path: "a", content: "new" });
    const second = await openWorkstation({ root: first.root, state: first.state });
    await second.call("undo_last");
    expect(await contents(first.root)).toEqual({ a: "old" });
    await first.call("redo");
    expect(await contents(first.root)).toEqual({ a: "new" });
  });

  test("do not follow a link that was put in the way", async () => {
    const outside = await openWorkstation({ files: { f: "secret" } });
    const { root, call, fail } = await openWorkstation({ files: { "d/f": "old" } });
    await call("fs_write_file", { path: "d/f", content: "new" });
    await rm(path.join(root, "d"), { recursive: true });
    await symlink(outside.root, path.join(root, "d"));
    const refused = await fail("undo_last", { force: true });
    expect(refused.code).toBe("FORBIDDEN_PATH");
    expect(refused.text).not.toContain("secret");
    expect(await contents(outside.root)).toEqual({ f: "secret" });
  });
});

describe("whose changes they are", () => {
  test("a caller sees and undoes only their own", async () => {
    const ann = await openWorkstation({ files: { a: "0" }, principal: "ann" });
    const bob = await openWorkstation({ root: ann.root, state: ann.state, principal: "bob" });
    await ann.call("fs_write_file", { path: "a", content: "1" });
    expect(await bob.call("changes_since")).toEqual({ changes: [] });
    expect((await bob.fail("undo_last")).code).toBe("NOT_FOUND");
    await bob.call("fs_write_file", { path: "a", content: "2" });
    expect((await ann.fail("undo_last")).code).toBe("CONFLICT");
    await bob.call("undo_last");
    await ann.call("undo_last");
    expect(await contents(ann.root)).toEqual({ a: "0" });
  });

  test("changes outside the roots of a call are neither shown nor undone", async () => {
    const wide = await openWorkstation({ files: { "one/a": "0", "two/b": "0" } });
    await wide.call("fs_write_file", { path: "one/a", content: "1" });
    await wide.call("fs_write_file", { path: "two/b", content: "1" });
    const { root, state } = wide;
    const narrow = await openWorkstation({ root, state, roots: [{ uri: `file://${root}/one` }] });
    const { changes } = await narrow.call("changes_since");
    expect((changes as { change: number }[]).map(({ change }) => change)).toEqual([1]);
    await narrow.call("undo_last");
    expect(await contents(root)).toEqual({ one: null, "one/a": "0", two: null, "two/b": "1" });
    const hiding = await openWorkstation({ root, state, policy: { hidden: ["two/**"] } });
    expect((await hiding.fail("undo_last")).code).toBe("NOT_FOUND");
    await mkdir(path.join(root, "three"));
    expect((await lstat(path.join(root, "two/b"))).size).toBe(1);
  });
});
