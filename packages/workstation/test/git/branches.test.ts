import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

describe.skipIf(!hasGit)("branches", () => {
  test("local and remote ones are listed with what they follow", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { a: "1", ".gitignore": "clone\n" });
    repository.git("branch", "gone");
    repository.git("clone", "--quiet", ".", "clone");
    const second = await repository.commit("second", { a: "2" });
    repository.git("-C", "clone", "checkout", "--quiet", "-b", "topic/ünï", "--track", "origin/gone");
    repository.git("-C", "clone", "update-ref", "-d", "refs/remotes/origin/gone");
    repository.git("-C", "clone", "fetch", "--quiet", "origin", "main");
    const { call } = await openWorkstation({ root: repository.root });
    const at = { date: "2024-01-01T12:00:00+01:00", subject: "first", hash: first };
    expect(await call("git_list_branches", { repository_path: "clone" })).toEqual({
      current: "topic/ünï",
      branches: [
        { name: "main", ...at, upstream: "origin/main", track: "behind 1" },
        { name: "topic/ünï", current: true, ...at, upstream: "origin/gone", track: "gone" },
        { name: "origin/main", remote: true, hash: second, date: "2024-01-02T12:00:00+01:00", subject: "second" },
      ],
    });
  });

  test("the current one may have no commit, or not be there", async () => {
    const repository = await makeRepository();
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_current_branch")).toEqual({ branch: "main", detached: false });
    expect(await call("git_list_branches")).toEqual({ current: "main", branches: [] });
    const hash = await repository.commit("first", { a: "1" });
    repository.git("checkout", "--quiet", "--detach");
    expect(await call("git_current_branch")).toEqual({ detached: true, hash });
  });

  test("more than a page of them", async () => {
    const repository = await makeRepository();
    const hash = await repository.commit("first", { a: "1" });
    const names = Array.from({ length: 450 }, (_, at) => `b${String(at).padStart(3, "0")}`);
    await repository.put({ ".git/packed-refs": names.map((name) => `${hash} refs/heads/${name}\n`).join("") });
    const { call } = await openWorkstation({ root: repository.root });
    const found: unknown[] = [];
    for (let next: JsonObject | undefined = {}; next !== undefined; ) {
      const page: JsonObject = await call("git_list_branches", next);
      found.push(...(page["branches"] as { name: string }[]).map(({ name }) => name));
      next = nextPage(page);
    }
    expect(found).toEqual([...names, "main"]);
  });
});

describe.skipIf(!hasGit)("git_branch_create", () => {
  test("makes a branch at a commit, and moves to it where no file changes", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { a: "1" });
    const second = await repository.commit("second", { a: "2" });
    await repository.put({ a: "in work" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(await call("git_branch_create", { name: "old", start_point: "HEAD~1" })).toEqual({
      name: "old",
      hash: first,
      current: false,
    });
    expect(await call("git_branch_create", { name: "feature/new", checkout: true })).toEqual({
      name: "feature/new",
      hash: second,
      current: true,
    });
    expect(await call("git_current_branch")).toMatchObject({ branch: "feature/new" });
    expect(await call("git_status")).toMatchObject({ unstaged: [{ path: "a", status: "modified" }] });
    const refused = await fail("git_branch_create", { name: "back", start_point: first, checkout: true });
    expect([refused.code, refused.text]).toEqual(["CONFLICT", expect.stringContaining("No branch was created")]);
    expect((await fail("git_branch_create", { name: "old" })).code).toBe("ALREADY_EXISTS");
    expect(repository.git("branch", "--format=%(refname:short)")).toBe("feature/new\nmain\nold\n");
  });

  test("names that git does not take are refused", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { a: "1" });
    const { fail } = await openWorkstation({ root: repository.root });
    for (const name of ["", "a b", "a..b", "a~1", "x.lock", ".x", "a/", "@{1}", "HEAD", "-x", "a\nb", "a\\b", "a:b"])
      expect([name, (await fail("git_branch_create", { name })).code]).toEqual([name, "INVALID_ARGUMENT"]);
  });

  test("nothing can start in a repository without a commit", async () => {
    const repository = await makeRepository();
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_branch_create", { name: "x" });
    expect([failed.code, failed.text]).toEqual(["NOT_FOUND", expect.stringContaining("has no commit yet")]);
  });
});
