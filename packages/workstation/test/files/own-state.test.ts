import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";

const FORBIDDEN = "it is where this server keeps what it needs itself.";

describe("the folder in which the server keeps its state, inside a root", () => {
  test("is not shown, read, changed or moved", async () => {
    const root = await makeFolder();
    const files = { a: "old", "home/.state/tasks.db": "secret", "home/other/b": "secret" };
    const { call, fail } = await openWorkstation({ root, files, state: path.join(root, "home/.state") });
    await call("fs_write_file", { path: "a", content: "new" });
    const refused = await fail("fs_read_file", { path: "home/.state/tasks.db" });
    expect([refused.code, refused.text]).toEqual(["FORBIDDEN_PATH", `Cannot use "home/.state/tasks.db": ${FORBIDDEN}`]);
    const { entries } = await call("fs_list_directory", { path: "home" });
    expect(entries).toMatchObject([{ name: "other" }]);
    expect(JSON.stringify(await call("fs_find", { glob: "**", ignored: true }))).not.toContain(".state");
    const found = JSON.stringify(await call("fs_search", { pattern: "secret|old" }));
    expect(found).toContain("home/other/b");
    expect(found).not.toContain(".state");
    for (const [tool, args] of [
      ["fs_write_file", { path: "home/.state/x", content: "" }],
      ["fs_delete_file", { path: "home/.state/tasks.db" }],
      ["fs_move", { from: "home/.state/workstation/blobs", to: "blobs" }],
      ["fs_move", { from: "home/.state", to: "elsewhere" }],
      ["fs_move", { from: "home", to: "elsewhere" }],
    ] as const)
      expect([tool, (await fail(tool, args)).code]).toEqual([tool, "FORBIDDEN_PATH"]);
    await call("fs_move", { from: "home/other", to: "moved" });
    await call("undo_last", { count: 2 });
  });

  test("is known before it is there", async () => {
    const root = await makeFolder();
    const { fail } = await openWorkstation({ root, state: path.join(root, "later/state") });
    expect((await fail("fs_write_file", { path: "later/state/x", content: "" })).text).toContain(FORBIDDEN);
  });

  test("is only what the server has put there, where it is the root itself", async () => {
    const root = await makeFolder();
    const { call, fail } = await openWorkstation({ root, state: root, files: { a: "a", "results/1": "kept" } });
    await call("fs_write_file", { path: "a", content: "b" });
    expect((await fail("fs_read_file", { path: "workstation/journal.db" })).text).toContain(FORBIDDEN);
    expect((await fail("fs_read_file", { path: "results/1" })).text).toContain(FORBIDDEN);
    await call("undo_last");
  });
});
