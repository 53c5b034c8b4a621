import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const read = (root: string, name: string) => readFile(path.join(root, name), "utf8");

describe("a transaction", () => {
  test("has its changes on the disk at once, is named in results, and is rolled back as one", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "0", b: "0" } });
    await call("fs_write_file", { path: "b", content: "before" });
    expect(await call("workspace_begin", { name: "try it" })).toEqual({ transaction: "try it", roots: [root] });
    expect(await call("fs_write_file", { path: "a", content: "1" })).toMatchObject({ transaction: "try it" });
    await call("fs_edit_file", { path: "a", edits: [{ old: "1", new: "2" }] });
    await call("fs_move", { from: "b", to: "c/d" });
    expect(await read(root, "a")).toBe("2");
    const rolled = await call("workspace_rollback");
    expect(rolled).toMatchObject({ transaction: "try it", changes: 3 });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "before"]);
    expect((await fail("workspace_rollback")).code).toBe("NOT_FOUND");
    await call("redo");
    expect([await read(root, "a"), await read(root, "c/d")]).toEqual(["2", "before"]);
  });

  test("that is committed stays, and is undone as one", async () => {
    const { root, call } = await openWorkstation({ files: { a: "0" } });
    await call("workspace_begin", {});
    await call("fs_write_file", { path: "a", content: "1" });
    await call("fs_write_file", { path: "a", content: "2" });
    expect(await call("workspace_commit")).toMatchObject({ changes: 2 });
    expect(await call("fs_write_file", { path: "b", content: "x" })).not.toHaveProperty("transaction");
    await call("undo_last", { count: 2 });
    expect(await read(root, "a")).toBe("0");
    await call("redo");
    expect(await read(root, "a")).toBe("2");
  });

  test("is the only one of its caller, but others have their own", async () => {
    const ann = await openWorkstation({ files: { a: "0" }, principal: "ann" });
    const bob = await openWorkstation({ root: ann.root, state: ann.state, principal: "bob" });
    await ann.call("workspace_begin", { name: "first" });
    const refused = await ann.fail("workspace_begin");
    expect([refused.code, refused.details["transaction"]]).toEqual(["CONFLICT", "first"]);
    expect(await bob.call("fs_write_file", { path: "b", content: "1" })).not.toHaveProperty("transaction");
    await bob.call("workspace_begin", { name: "second" });
    expect(await ann.call("workspace_rollback")).toMatchObject({ transaction: "first", changes: 0 });
  });

  test("survives a restart", async () => {
    const { root, state, call } = await openWorkstation({ files: { a: "0" } });
    await call("workspace_begin", { name: "long" });
    await call("fs_write_file", { path: "a", content: "1" });
    const later = await openWorkstation({ root, state });
    expect(await later.call("fs_write_file", { path: "b", content: "1" })).toMatchObject({ transaction: "long" });
    await later.call("workspace_rollback");
    expect(await read(root, "a")).toBe("0");
    await expect(read(root, "b")).rejects.toThrow("ENOENT");
  });

  test("is not rolled back over the changes of others, unless by force", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "0", b: "0" } });
    await call("workspace_begin", { name: "mine" });
    await call("fs_write_file", { path: "a", content: "1" });
    await call("fs_write_file", { path: "b", content: "1" });
    await writeFile(path.join(root, "a"), "theirs");
    expect((await fail("workspace_rollback")).code).toBe("CONFLICT");
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["theirs", "1"]);
    await call("workspace_rollback", { force: true });
    expect([await read(root, "a"), await read(root, "b")]).toEqual(["0", "0"]);
  });

  test("lets single changes in it be undone", async () => {
    const { root, call } = await openWorkstation({ files: { a: "0" } });
    await call("workspace_begin", { name: "t" });
    await call("fs_write_file", { path: "a", content: "1" });
    await call("fs_write_file", { path: "a", content: "2" });
    expect(await call("undo_last")).toMatchObject({ transaction: "t" });
    expect(await read(root, "a")).toBe("1");
    expect(await call("workspace_rollback")).toMatchObject({ changes: 1 });
    expect(await read(root, "a")).toBe("0");
  });
});

describe("checkpoints and changes_since", () => {
  test("undo all since a checkpoint", async () => {
    const { root, call, fail } = await openWorkstation({ files: { a: "0" } });
    await call("fs_write_file", { path: "a", content: "1" });
    expect(await call("checkpoint", { name: "good" })).toMatchObject({ name: "good", change: 1 });
    await call("fs_write_file", { path: "a", content: "2" });
    await call("fs_write_file", { path: "b", content: "2" });
    await call("undo_last", { to_checkpoint: "good" });
    expect(await read(root, "a")).toBe("1");
    expect((await fail("undo_last", { to_checkpoint: "good" })).code).toBe("NOT_FOUND");
    const missing = await fail("undo_last", { to_checkpoint: "goot" });
    expect(missing.text).toBe('There is no checkpoint "goot". Did you mean "good"?');
    expect((await fail("checkpoint", { name: "17" })).code).toBe("INVALID_ARGUMENT");
  });

  test("have names of their own in each project", async () => {
    const one = await openWorkstation({ files: { a: "0" } });
    const other = await openWorkstation({ state: one.state, files: { a: "0" } });
    await one.call("checkpoint", { name: "start" });
    await one.call("fs_write_file", { path: "a", content: "1" });
    await other.call("checkpoint", { name: "start" });
    await other.call("fs_write_file", { path: "a", content: "1" });
    await one.call("undo_last", { to_checkpoint: "start" });
    expect([await read(one.root, "a"), await read(other.root, "a")]).toEqual(["0", "1"]);
  });

  test("list what changed, with line counts and diffs", async () => {
    const { call } = await openWorkstation({ files: { a: "1\n2\n3\n" } });
    await call("fs_write_file", { path: "a", content: "1\ntwo\n3\n4\n" });
    await call("fs_move", { from: "a", to: "b" });
    await call("fs_delete_file", { path: "b" });
    const { changes } = await call("changes_since");
    expect(changes).toMatchObject([
      {
        change: 1,
        tool: "fs_write_file",
        state: "done",
        files: [{ path: "a", action: "modified", added: 2, removed: 1 }],
      },
      { change: 2, tool: "fs_move", files: [{ path: "b", from: "a", action: "moved" }] },
      { change: 3, tool: "fs_delete_file", files: [{ path: "b", action: "deleted", added: 0, removed: 4 }] },
    ]);
    const page = await call("changes_since", { diffs: true, limit: 1 });
    expect(page).toMatchObject({
      changes: [{ files: [{ diff: "--- a/a\n+++ b/a\n@@ -1,3 +1,4 @@\n 1\n-2\n+two\n 3\n+4\n" }] }],
      next_cursor: "1",
    });
    expect(((await call("changes_since", { since: 2 }))["changes"] as unknown[]).length).toBe(1);
    expect(await call("changes_since", { since: new Date(Date.now() + 60_000).toISOString() })).toEqual({
      changes: [],
    });
    expect(((await call("changes_since", { since: "2020-01-01T00:00:00Z" }))["changes"] as unknown[]).length).toBe(3);
  });
});
