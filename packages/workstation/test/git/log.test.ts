import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

const subjects = (result: JsonObject): unknown[] => (result["commits"] as JsonObject[]).map(({ subject }) => subject);

describe.skipIf(!hasGit)("git_log", () => {
  test("lists commits, newest first", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first\n\nWhy it was\nmade | at all", { "a.txt": "1\n" });
    const second = await repository.commit("second", { "a.txt": "1\n2\n" });
    repository.git("tag", "v1", first);
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_log")).toEqual({
      commits: [
        {
          hash: second,
          short: second.slice(0, 7),
          author: "Ada",
          email: "ada@example.com",
          date: "2024-01-02T12:00:00+01:00",
          subject: "second",
          refs: ["HEAD", "main"],
          parents: [first],
        },
        {
          hash: first,
          short: first.slice(0, 7),
          author: "Ada",
          email: "ada@example.com",
          date: "2024-01-01T12:00:00+01:00",
          subject: "first",
          body: "Why it was\nmade | at all",
          refs: ["tag: v1"],
          parents: [],
        },
      ],
    });
  });

  test("lists what each commit changed, merges against their first parent", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "1\n2\n3\n4\n", "x.bin": new Uint8Array([0, 1]) });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("topic", { "line\nbreak": "1\n" });
    repository.git("checkout", "--quiet", "main");
    repository.git("mv", "a.txt", "b.txt");
    await repository.commit("moved", { "x.bin": new Uint8Array([0, 2]) });
    repository.git("merge", "--quiet", "--no-ff", "-m", "merged", "topic");
    const { call } = await openWorkstation({ root: repository.root });
    const { commits } = await call("git_log", { files: true });
    expect((commits as JsonObject[]).map(({ subject, files }) => ({ subject, files }))).toEqual([
      { subject: "merged", files: [{ path: "line\nbreak", status: "added", additions: 1, deletions: 0 }] },
      {
        subject: "moved",
        files: [
          { path: "b.txt", from: "a.txt", status: "renamed", additions: 0, deletions: 0 },
          { path: "x.bin", status: "modified", binary: true },
        ],
      },
      { subject: "topic", files: [{ path: "line\nbreak", status: "added", additions: 1, deletions: 0 }] },
      {
        subject: "first",
        files: [
          { path: "a.txt", status: "added", additions: 4, deletions: 0 },
          { path: "x.bin", status: "added", binary: true },
        ],
      },
    ]);
  });

  test("picks by path, author, time and range", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { a: "1" });
    const two = await repository.commit("two", { b: "1" });
    repository.git("config", "user.name", "Grace (x|y)");
    await repository.commit("three", { a: "2" });
    await repository.commit("four", { b: "2" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(subjects(await call("git_log", { path: "a" }))).toEqual(["three", "one"]);
    expect(subjects(await call("git_log", { author: "grace (x|y)" }))).toEqual(["four", "three"]);
    expect(subjects(await call("git_log", { since: "2024-01-02T00:00:00Z", until: "2024-01-03T23:00:00Z" }))).toEqual([
      "three",
      "two",
    ]);
    expect(subjects(await call("git_log", { revision: `${two}..main` }))).toEqual(["four", "three"]);
    expect(subjects(await call("git_log", { revision: "HEAD~2" }))).toEqual(["two", "one"]);
    expect((await fail("git_log", { since: "banana" })).code).toBe("INVALID_ARGUMENT");
    expect((await fail("git_log", { revision: "nowhere" })).code).toBe("NOT_FOUND");
    expect((await fail("git_log", { max_count: 1001 })).text).toContain("limit: ");
  });

  test("the next page goes on where this one ended, whatever is committed meanwhile", async () => {
    const repository = await makeRepository();
    for (const subject of ["1", "2", "3", "4", "5"]) await repository.commit(subject, { a: subject });
    const { call } = await openWorkstation({ root: repository.root });
    const page = await call("git_log", { max_count: 2 });
    expect(subjects(page)).toEqual(["5", "4"]);
    await repository.commit("6", { a: "6" });
    const next = await call("git_log", { max_count: 2, ...nextPage(page) });
    expect(subjects(next)).toEqual(["3", "2"]);
    const last = await call("git_log", { limit: 2, ...nextPage(next) });
    expect([subjects(last), last["next_cursor"]]).toEqual([["1"], undefined]);
  });

  test("a repository without a commit has an empty log", async () => {
    const repository = await makeRepository();
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_log")).toEqual({ commits: [] });
  });

  test("a shallow clone says so", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { a: "1" });
    await repository.commit("two", { a: "2" });
    repository.git("clone", "--quiet", "--depth=1", `file://${repository.root}`, "clone");
    const { call } = await openWorkstation({ root: repository.root });
    const log = await call("git_log", { repository_path: "clone" });
    expect([subjects(log), log["shallow"]]).toEqual([["two"], true]);
  });

  test("a message of the length of a book fits", async () => {
    const repository = await makeRepository();
    await repository.commit(`long\n\n${"word ".repeat(20_000)}`, { a: "1" });
    const { call } = await openWorkstation({ root: repository.root });
    const [commit] = (await call("git_log"))["commits"] as { body: string }[];
    expect(commit?.body).toHaveLength(600 + "… (64926 more characters)".length);
  });

  test("the names of the source documents work", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { a: "1" });
    const { call } = await openWorkstation({ root: repository.root });
    expect(subjects(await call("GetLogAsync"))).toEqual(["one"]);
    expect(subjects(await call("git/log", { maxCount: 1, repositoryPath: "." }))).toEqual(["one"]);
    for (const name of ["GetStatusAsync", "GetDiffAsync", "ListBranchesAsync", "GetCurrentBranchAsync", "git/status"])
      expect(await call(name)).toBeTypeOf("object");
    await repository.put({ b: "2" });
    expect(await call("AddAsync", { files: "b" })).toEqual({ total: 1, staged: [{ path: "b", status: "added" }] });
    expect(await call("CommitAsync", { message: "two" })).toMatchObject({ commit: { subject: "two" } });
  });

  test("repositories with SHA-256 work too", async () => {
    const repository = await makeRepository(undefined, ["--object-format=sha256"]);
    const hash = await repository.commit("one", { a: "1\n" });
    const { call } = await openWorkstation({ root: repository.root });
    expect(hash).toHaveLength(64);
    expect(await call("git_log")).toMatchObject({ commits: [{ hash }] });
    expect(await call("git_show")).toMatchObject({
      commit: { hash },
      files: [{ path: "a", patch: "@@ -0,0 +1,1 @@\n+1\n" }],
    });
    expect(await call("git_blame", { path: "a" })).toMatchObject({ lines: [{ hash }] });
  });
});
