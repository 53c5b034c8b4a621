import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

/** A bench whose journal keeps small contents only. */
async function openSmall() {
  const files = { a: "old", b: "old", huge: "x".repeat(200) };
  const bench = await openWorkstation({ files, settings: { journalFileBytes: 100, ask: "never" } });
  return { ...bench, read: (name: string) => readFile(path.join(bench.root, name), "utf8") };
}

describe("a change whose old content is not in the journal", () => {
  test("is refused with the way on, and left out by force", async () => {
    const { root, call, fail, read } = await openSmall();
    await call("fs_write_file", { path: "a", content: "new" });
    await call("fs_delete_file", { path: "huge" });
    const refused = await fail("undo_last");
    expect(refused.code).toBe("UNAVAILABLE");
    expect(refused.text).toBe(
      'Cannot undo change 2: the content of "huge" is not in the journal, because it was too large or is too old. Nothing was changed. With force: true such a change is left out for good, and the others are undone.',
    );
    const { undone, left, total } = await call("undo_last", { force: true });
    expect([undone, total]).toMatchObject([[{ change: 1 }], 1]);
    expect(left).toEqual([{ change: 2, files: ["huge"] }]);
    expect([await read("a"), existsSync(path.join(root, "huge"))]).toEqual(["old", false]);
    const { changes } = await call("changes_since");
    expect(changes).toMatchObject([{ state: "undone" }, { change: 2, state: "lost" }]);
    await call("redo");
    expect(await read("a")).toBe("new");
    await call("undo_last");
    expect((await fail("undo_last", { force: true })).code).toBe("NOT_FOUND");
  });

  test("does not prevent a checkpoint", async () => {
    const { call, fail, read } = await openSmall();
    await call("checkpoint", { name: "cp" });
    await call("fs_write_file", { path: "a", content: "new" });
    await call("fs_write_file", { path: "huge", content: "small" });
    await call("fs_write_file", { path: "b", content: "new" });
    expect((await fail("undo_last", { to_checkpoint: "cp" })).code).toBe("UNAVAILABLE");
    expect([await read("a"), await read("b")]).toEqual(["new", "new"]);
    const result = await call("undo_last", { to_checkpoint: "cp", force: true });
    expect(result).toMatchObject({ total: 2, left: [{ change: 2 }] });
    expect([await read("a"), await read("b"), await read("huge")]).toEqual(["old", "old", "small"]);
  });

  test("is left out of a rollback by force, as its note has said", async () => {
    const { call, fail, read } = await openSmall();
    await call("workspace_begin", { name: "all" });
    await call("fs_write_file", { path: "a", content: "new" });
    expect((await call("fs_write_file", { path: "huge", content: "small" }))["note"]).toBe(
      "This cannot be undone: the old content was too large for the journal. A rollback needs force: true, and leaves it out.",
    );
    expect((await fail("workspace_rollback")).text).toContain("With force: true");
    expect(await call("workspace_rollback", { force: true })).toMatchObject({
      transaction: "all",
      changes: 1,
      left: [{ change: 2, files: ["huge"] }],
    });
    expect([await read("a"), await read("huge")]).toEqual(["old", "small"]);
    expect((await fail("workspace_rollback")).code).toBe("NOT_FOUND");
  });

  test("is not given up where the rest cannot be done", async () => {
    const { root, call, fail } = await openSmall();
    await call("fs_move", { from: "a", to: "c" });
    await call("fs_delete_file", { path: "huge" });
    await rm(path.join(root, "c"));
    expect((await fail("undo_last", { count: 2, force: true })).code).toBe("CONFLICT");
    expect((await call("changes_since"))["changes"]).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  test("is not given up where the rest is refused at the last moment", async () => {
    const { root, call, fail } = await openSmall();
    await call("fs_create_directory", { path: "d" });
    await call("fs_move", { from: "d", to: "e" });
    await call("fs_delete_file", { path: "huge" });
    await writeFile(path.join(root, "e/toolwright.config.json"), "{}");
    expect((await fail("undo_last", { force: true })).code).toBe("FORBIDDEN_PATH");
    expect((await call("changes_since", { since: "2" }))["changes"]).toMatchObject([{ change: 3, state: "done" }]);
  });

  test("alone is reported, and then skipped", async () => {
    const { call, fail } = await openSmall();
    await call("fs_delete_file", { path: "huge" });
    expect(await call("undo_last", { force: true })).toMatchObject({ undone: [], total: 0, left: [{ change: 1 }] });
    expect((await fail("undo_last")).code).toBe("NOT_FOUND");
  });

  test("is no move, which needs no content", async () => {
    const { root, call } = await openSmall();
    await call("fs_move", { from: "huge", to: "b", overwrite: true });
    await call("undo_last");
    expect(existsSync(path.join(root, "huge"))).toBe(true);
  });

  test("is undone if the content was restored", async () => {
    const { root, call } = await openSmall();
    await call("fs_delete_file", { path: "huge" });
    await writeFile(path.join(root, "huge"), "x".repeat(200));
    expect(await call("undo_last")).toMatchObject({ total: 1 });
  });

  test("is left out of a redo by force", async () => {
    const { state, call, fail, read } = await openSmall();
    await call("fs_write_file", { path: "a", content: "new" });
    await call("fs_write_file", { path: "b", content: "newer" });
    await call("undo_last", { count: 2 });
    await rm(path.join(state, "workstation/blobs", createHash("sha256").update("new").digest("hex")));
    expect((await fail("redo", { count: 2 })).text).toContain("With force: true such a change is left out for good");
    expect(await call("redo", { force: true })).toMatchObject({ redone: [{ change: 2 }], left: [{ change: 1 }] });
    expect([await read("a"), await read("b")]).toEqual(["old", "newer"]);
  });
});

test("changes of others are restored by the suggested redo, and reported as theirs", async () => {
  const { root, call, fail, read } = await openSmall();
  await call("fs_write_file", { path: "a", content: "mine" });
  await writeFile(path.join(root, "a"), "theirs");
  expect((await fail("undo_last")).text).toContain(
    "redo then restores what is there now, after what was undone (count: 2 after one change).",
  );
  await call("undo_last", { force: true });
  expect((await call("changes_since"))["changes"]).toMatchObject([{}, { tool: "somebody else" }]);
  await call("redo", { count: 2 });
  expect(await read("a")).toBe("theirs");
});
