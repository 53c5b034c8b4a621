import { expect, test } from "vitest";
import { hasGit, makeRepository } from "../git/repository.js";
import { openWorkstation } from "../kit.js";

test("replaced tools are not listed, and answer as before", async () => {
  const { client, call } = await openWorkstation({ files: { a: "1\n", "dir/b": "" } });
  const names = new Set((await client.listTools()).map(({ name }) => name as string));
  const replaced = [
    "fs_file_exists",
    "fs_directory_exists",
    "git_current_branch",
    "workspace_begin",
    "workspace_commit",
    "workspace_rollback",
    "debug_print_env",
    "debug_get_server_info",
    "debug_get_http_headers",
    "debug_get_user_claims",
  ];
  expect(replaced.filter((name) => names.has(name))).toEqual([]);
  expect(await call("fs_file_exists", { path: "a" })).toEqual({ exists: true });
  expect(await call("FileExists", { path: "dir" })).toEqual({ exists: false });
  expect(await call("filesystem/directory_exists", { path: "dir" })).toEqual({ exists: true });
  expect(await call("fs_directory_exists", { path: "gone" })).toEqual({ exists: false });
  expect(await call("workspace_begin", { name: "w" })).toMatchObject({ transaction: "w", roots: [expect.any(String)] });
  expect(await call("workspace_commit")).toEqual({ transaction: "w", changes: 0 });
});

test("fs_info returns whether a path exists", async () => {
  const { call } = await openWorkstation({ files: { a: "1\n" } });
  expect(await call("fs_info", { path: "a" })).toMatchObject({ path: "a", exists: true, kind: "file", total_lines: 1 });
  expect(await call("fs_info", { path: "a/b" })).toEqual({ path: "a/b", exists: false });
});

test("workspace_transaction begins, commits and rolls back", async () => {
  const { call, fail } = await openWorkstation({ files: { a: "old" } });
  expect(await call("workspace_transaction", { action: "begin", name: "one" })).toMatchObject({ transaction: "one" });
  const again = await fail("workspace_transaction", { action: "begin" });
  expect(again.text).toContain('To end it, call workspace_transaction with {"action":"commit"}.');
  await call("fs_write_file", { path: "a", content: "new" });
  expect(await call("workspace_transaction", { action: "rollback" })).toMatchObject({ transaction: "one", changes: 1 });
  expect(await call("fs_read_file", { path: "a" })).toMatchObject({ text: "old" });
  expect((await fail("workspace_transaction", { action: "commit" })).code).toBe("NOT_FOUND");
});

test("debug_get_all describes the sections that are asked for", async () => {
  const { call } = await openWorkstation();
  expect(Object.keys(await call("debug_get_all"))).toEqual(["environment", "server", "http", "user"]);
  expect(Object.keys(await call("debug_get_all", { sections: ["server"] }))).toEqual(["server"]);
});

test.skipIf(!hasGit)("git_status returns what git_current_branch returned", async () => {
  const repository = await makeRepository();
  const hash = await repository.commit("first", { a: "1" });
  const { call } = await openWorkstation({ root: repository.root });
  expect(await call("git_current_branch")).toEqual({ branch: "main", detached: false, hash });
  expect(await call("git_status")).toMatchObject({ branch: "main", detached: false, commit: hash });
});
