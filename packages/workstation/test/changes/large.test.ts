import { existsSync } from "node:fs";
import { open, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const SIZE = 64 * 1024 ** 3;

/** A file that nobody could read within the deadline; it takes no room on the disk. */
async function openLarge() {
  const bench = await openWorkstation({ policy: { timeoutMs: 5000 }, settings: { ask: "never" } });
  const file = path.join(bench.root, "film");
  const handle = await open(file, "w");
  await handle.truncate(SIZE);
  await handle.close();
  return { ...bench, file };
}

describe("a file that is too large to be read", () => {
  test("is moved, moved back and made again", async () => {
    const { root, call } = await openLarge();
    expect(await call("fs_move", { from: "film", to: "films/one" })).toMatchObject({ to: "films/one", change: 1 });
    expect((await stat(path.join(root, "films/one"))).size).toBe(SIZE);
    await call("undo_last");
    expect(existsSync(path.join(root, "films"))).toBe(false);
    await call("redo");
    expect((await stat(path.join(root, "films/one"))).size).toBe(SIZE);
  });

  test("is replaced and deleted, which cannot be undone", async () => {
    const { file, call, fail } = await openLarge();
    const note = "This cannot be undone: the old content was too large for the journal.";
    expect(await call("fs_write_file", { path: "film", content: "small" })).toMatchObject({ size: 5, note });
    expect((await fail("undo_last")).code).toBe("UNAVAILABLE");
    const handle = await open(file, "w");
    await handle.truncate(SIZE);
    await handle.close();
    expect(await call("fs_delete_file", { path: "film" })).toMatchObject({ note });
    expect(existsSync(file)).toBe(false);
  });

  test("is not edited, and is not what anybody has read", async () => {
    const { file, fail } = await openLarge();
    await utimes(file, 1, 1);
    const edits = [{ old: "a", new: "b" }];
    expect((await fail("fs_edit_file", { path: "film", edits })).code).toBe("TOO_LARGE");
    const expected_hash = "sha256:00000000000000000000000000000000";
    const stale = await fail("fs_write_file", { path: "film", content: "", expected_hash });
    expect([stale.code, stale.details["got"]]).toEqual(["CONFLICT", "too large for a hash"]);
  });
});
