import { mkdirSync, readdirSync, statSync } from "node:fs";
import { chmod, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const blobs = (state: string): string[] => readdirSync(path.join(state, "workstation/blobs"));

describe("the journal", () => {
  test("is made with the first change, for its user only", async () => {
    const { state, call } = await openWorkstation({ files: { a: "0" } });
    expect(readdirSync(state)).toEqual([]);
    await call("fs_write_file", { path: "a", content: "1" });
    const folder = path.join(state, "workstation");
    expect(readdirSync(folder)).toContain("journal.db");
    for (const name of ["journal.db", ...blobs(state).map((blob) => `blobs/${blob}`)])
      expect([name, statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(statSync(path.join(folder, "blobs")).mode & 0o777).toBe(0o700);
    expect(blobs(state).sort()).toEqual([
      "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
      "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
    ]);
  });

  test("forgets the oldest changes where it would become too large", async () => {
    const { root, state, call, fail } = await openWorkstation({ settings: { journalBytes: 3000 } });
    for (const letter of ["a", "b", "c", "d", "e"])
      await call("fs_write_file", { path: "f", content: letter.repeat(1000) });
    const { changes } = await call("changes_since");
    expect((changes as { change: number }[]).map(({ change }) => change)).toEqual([4, 5]);
    expect(blobs(state).length).toBe(3);
    await call("undo_last", { count: 9 });
    expect(await readFile(path.join(root, "f"), "utf8")).toBe("c".repeat(1000));
    expect((await fail("undo_last")).code).toBe("NOT_FOUND");
  });

  test("says what to do where it cannot be used, and nothing is changed then", async () => {
    const { root, state, fail, call } = await openWorkstation({ files: { a: "0" } });
    mkdirSync(path.join(state, "workstation"));
    await writeFile(
      path.join(state, "workstation/journal.db"),
      "this is no database, but a text of some length".repeat(100),
    );
    const refused = await fail("fs_write_file", { path: "a", content: "1" });
    expect(refused.code).toBe("UNAVAILABLE");
    expect(refused.text).toContain("Cannot use the undo journal, and files are only changed with it");
    expect(await readFile(path.join(root, "a"), "utf8")).toBe("0");
    await rm(path.join(state, "workstation/journal.db"));
    await call("fs_write_file", { path: "a", content: "1" });
  });

  test("knows what it cannot bring back any more", async () => {
    const { root, state, call, fail } = await openWorkstation({ files: { a: "0" } });
    await call("fs_write_file", { path: "a", content: "1" });
    await rm(path.join(state, "workstation/blobs"), { recursive: true });
    const refused = await fail("undo_last");
    expect([refused.code, refused.text]).toEqual([
      "UNAVAILABLE",
      'Cannot undo change 1: the content of "a" is not in the journal, because it was too large or is too old. Nothing was changed. With force: true such a change is left out for good, and the others are undone.',
    ]);
    expect(await readFile(path.join(root, "a"), "utf8")).toBe("1");
    expect((await call("changes_since"))["changes"]).toMatchObject([{ state: "done" }]);
  });

  test("is shared by several servers at once", async () => {
    const first = await openWorkstation();
    const { root, state } = first;
    const benches = [first, await openWorkstation({ root, state }), await openWorkstation({ root, state })];
    await Promise.all(
      benches.flatMap((bench, at) =>
        Array.from({ length: 5 }, (_, index) =>
          bench.call("fs_write_file", { path: `${at}/${index}`, content: `${at} ${index}` }),
        ),
      ),
    );
    await first.call("undo_last", { count: 15 });
    expect(readdirSync(root, { recursive: true })).toEqual([]);
  });
});

describe("operations that the system refuses", () => {
  test("a change that fails leaves the old file, no remains, and a journal that says so", async () => {
    const { root, call, fail } = await openWorkstation({ files: { "d/a": "0" } });
    // A name that leaves no room for another one beside it.
    const long = "n".repeat(300);
    expect((await fail("fs_write_file", { path: `e/${long}`, content: "1" })).code).toBe("INVALID_ARGUMENT");
    expect(readdirSync(root, { recursive: true }).map(String).sort()).toEqual(["d", "d/a"]);
    expect((await call("changes_since"))["changes"]).toMatchObject([{ state: "not_made" }]);
    await chmod(path.join(root, "d/a"), 0o444);
    expect((await fail("fs_edit_file", { path: "d/a", edits: [{ old: "0", new: "1" }] })).code).toBe("FORBIDDEN_PATH");
    await call("fs_delete_file", { path: "d/a" });
    await call("undo_last");
    expect((await stat(path.join(root, "d/a"))).mode & 0o777).toBe(0o444);
    await symlink("loop", path.join(root, "loop"));
    expect((await fail("fs_write_file", { path: "loop", content: "1" })).code).toBe("FORBIDDEN_PATH");
    await call("fs_delete_file", { path: "loop" });
  });
});
