import { mkdir, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

const NONE = { staged: [], unstaged: [], untracked: [], conflicts: [] };

describe.skipIf(!hasGit)("git_status", () => {
  test("lists what is staged, changed, new and renamed", async () => {
    const repository = await makeRepository();
    const hash = await repository.commit("first", {
      "a.txt": "one\ntwo\nthree\n",
      "b.txt": "b\n",
      "gone.txt": "gone\n",
    });
    repository.git("mv", "a.txt", "sub name.txt");
    await repository.put({ "b.txt": "changed\n", "new.txt": "new\n", "staged.txt": "s\n", "folder/x": "x" });
    repository.git("add", "staged.txt");
    await rm(repository.path("gone.txt"));
    const { call } = await openWorkstation({ root: repository.root });

    expect(await call("git_status")).toEqual({
      repository: ".",
      branch: "main",
      detached: false,
      commit: hash,
      clean: false,
      counts: { staged: 2, unstaged: 2, untracked: 2, conflicts: 0 },
      staged: [
        { path: "staged.txt", status: "added" },
        { path: "sub name.txt", status: "renamed", from: "a.txt" },
      ],
      unstaged: [
        { path: "b.txt", status: "modified" },
        { path: "gone.txt", status: "deleted" },
      ],
      untracked: ["folder/", "new.txt"],
      conflicts: [],
    });
  });

  test("an empty repository has a branch and no commit", async () => {
    const repository = await makeRepository();
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_status")).toEqual({
      repository: ".",
      branch: "main",
      detached: false,
      clean: true,
      counts: { staged: 0, unstaged: 0, untracked: 0, conflicts: 0 },
      ...NONE,
    });
  });

  test("a detached head has no branch", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { a: "1" });
    await repository.commit("second", { a: "2" });
    repository.git("checkout", "--quiet", first);
    const { call } = await openWorkstation({ root: repository.root });
    const status = await call("git_status");
    expect([status["branch"], status["detached"], status["commit"], status["clean"]]).toEqual([
      undefined,
      true,
      first,
      true,
    ]);
  });

  test("returns how far a branch is from its upstream", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { a: "1" });
    repository.git("clone", "--quiet", ".", "clone");
    await repository.commit("second", { b: "2", ".gitignore": "clone\n" });
    await repository.commit("third", { b: "3" });
    const clone = await makeRepository(repository.path("clone"));
    await clone.commit("mine", { c: "1" });
    clone.git("fetch", "--quiet");
    const { call } = await openWorkstation({ root: repository.root });
    const status = await call("git_status", { repository_path: "clone" });
    expect(status).toMatchObject({ repository: "clone", upstream: "origin/main", ahead: 1, behind: 2 });
  });

  test("a merge with conflicts is under way until it is committed", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "a\n", "d.txt": "d\n" });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("theirs", { "a.txt": "theirs\n", "both.txt": "1\n", "d.txt": "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    await rm(repository.path("d.txt"));
    await repository.commit("ours", { "a.txt": "ours\n", "both.txt": "2\n" });
    expect(() => repository.git("merge", "topic")).toThrow();
    const { call } = await openWorkstation({ root: repository.root });
    const status = await call("git_status");
    expect(status).toMatchObject({ state: "merging", counts: { conflicts: 3 } });
    expect(status["conflicts"]).toEqual([
      { path: "a.txt", status: "both_modified" },
      { path: "both.txt", status: "both_added" },
      { path: "d.txt", status: "deleted_by_us" },
    ]);
  });

  test.each([
    ["rebasing", (git: (...args: string[]) => string) => git("rebase", "topic")],
    ["cherry_picking", (git: (...args: string[]) => string) => git("cherry-pick", "topic")],
  ])("%s is a state", async (state, start) => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "a\n" });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("theirs", { "a.txt": "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    await repository.commit("ours", { "a.txt": "ours\n" });
    expect(() => start(repository.git)).toThrow();
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_status")).toMatchObject({ state, conflicts: [{ path: "a.txt", status: "both_modified" }] });
  });

  test("names with line breaks, quotes, unicode and bytes that are no UTF-8 are shown", async () => {
    const repository = await makeRepository();
    await repository.put({ 'a "b"': "1", "line\nbreak": "1", "ünï\tcode": "1", "-dash": "1" });
    await writeFile(Buffer.concat([Buffer.from(`${repository.root}/latin-`), Buffer.from([0xe9])]), "1");
    const { call } = await openWorkstation({ root: repository.root });
    const status = await call("git_status");
    expect(status["untracked"]).toEqual(["-dash", 'a "b"', "latin-\\xE9", "line\nbreak", "ünï\tcode"]);
  });

  test("a link that was a file is a change of type", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { a: "1", b: "2" });
    await unlink(repository.path("a"));
    await symlink("b", repository.path("a"));
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_status")).toMatchObject({ unstaged: [{ path: "a", status: "type_changed" }] });
  });

  test("a submodule at another commit is marked as one", async () => {
    const library = await makeRepository();
    await library.commit("first", { "lib.txt": "1" });
    const repository = await makeRepository();
    repository.git("submodule", "--quiet", "add", library.root, "lib");
    await repository.commit("add lib");
    const lib = await makeRepository(repository.path("lib"));
    lib.git("config", "user.name", "Ada");
    lib.git("config", "user.email", "ada@example.com");
    await lib.commit("second", { "lib.txt": "2" });
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_status")).toMatchObject({
      unstaged: [{ path: "lib", status: "modified", submodule: true }],
    });
    expect(await call("git_status", { repository_path: "lib" })).toMatchObject({ repository: "lib", clean: true });
  });

  test("what the settings hide is neither shown nor counted", async () => {
    const repository = await makeRepository();
    await repository.put({ ".env": "SECRET=1", "a.txt": "1" });
    const { call } = await openWorkstation({ root: repository.root, policy: { hidden: ["**/.env"] } });
    expect(await call("git_status")).toMatchObject({ untracked: ["a.txt"], counts: { untracked: 1 } });
  });

  test("a path inside a repository stands for it", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "deep/er/a.txt": "1" });
    await repository.put({ "deep/er/b.txt": "2" });
    const { call } = await openWorkstation({ root: repository.root });
    for (const given of ["deep/er", "deep/er/a.txt"])
      expect(await call("git_status", { repository_path: given })).toMatchObject({
        repository: ".",
        untracked: ["deep/er/b.txt"],
      });
  });

  test("a folder without a repository is refused with what to do", async () => {
    const { fail, root } = await openWorkstation();
    await mkdir(`${root}/plain`);
    const failed = await fail("git_status", { repository_path: "plain" });
    expect(failed.code).toBe("NOT_FOUND");
    expect(failed.text).toContain("not in a git repository");
  });

  test("a bare repository has no status", async () => {
    const repository = await makeRepository(undefined, ["--bare"]);
    const { fail, call } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_status");
    expect([failed.code, failed.text]).toEqual([
      "INVALID_ARGUMENT",
      expect.stringContaining("bare: it has no working files"),
    ]);
    expect(await call("git_current_branch")).toEqual({ branch: "main", detached: false });
  });
});
