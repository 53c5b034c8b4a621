import { chmod, rm, symlink } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

const lines = (count: number, word = "line"): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}\n`).join("");

describe.skipIf(!hasGit)("git_diff", () => {
  test("takes the URI of a file as the other tools do", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a b.txt": "1\n", "c.txt": "1\n" });
    await repository.put({ "a b.txt": "2\n", "c.txt": "2\n" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    const { href } = pathToFileURL(repository.path("a b.txt"));
    expect(await call("git_diff", { paths: [href] })).toMatchObject({ total: 1, files: [{ path: "a b.txt" }] });
    expect((await fail("git_diff", { paths: ["file://elsewhere/a.txt"] })).code).toBe("INVALID_ARGUMENT");
    expect((await fail("git_diff", { paths: ["file:///etc/passwd"] })).code).toBe("FORBIDDEN_PATH");
  });

  test("shows what differs in each file", async () => {
    const repository = await makeRepository();
    await repository.commit("first", {
      "a.txt": "one\ntwo\nthree\n",
      "gone.txt": "gone",
      "mode.sh": "x\n",
      "x.bin": new Uint8Array([0, 1]),
      "type.txt": "was a file\n",
    });
    await repository.put({ "a.txt": "one\nTWO\nthree\n", "x.bin": new Uint8Array([0, 2]) });
    await rm(repository.path("gone.txt"));
    await rm(repository.path("type.txt"));
    await symlink("a.txt", repository.path("type.txt"));
    await chmod(repository.path("mode.sh"), 0o755);
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_diff")).toEqual({
      total: 5,
      files: [
        {
          path: "a.txt",
          status: "modified",
          additions: 1,
          deletions: 1,
          patch: "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
        },
        {
          path: "gone.txt",
          status: "deleted",
          additions: 0,
          deletions: 1,
          patch: "@@ -1,1 +0,0 @@\n-gone\n\\ No newline at end of file\n",
        },
        { path: "mode.sh", status: "modified", additions: 0, deletions: 0, mode: "100644 → 100755" },
        {
          path: "type.txt",
          status: "type_changed",
          additions: 1,
          deletions: 1,
          mode: "100644 → 120000",
          patch: "@@ -1,1 +0,0 @@\n-was a file\n@@ -0,0 +1,1 @@\n+a.txt\n\\ No newline at end of file\n",
        },
        { path: "x.bin", status: "modified", binary: true },
      ],
    });
  });

  test("compares the index, a revision, or two of them", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { "a.txt": "1\n" });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("two", { "b.txt": lines(10) });
    repository.git("checkout", "--quiet", "main");
    await repository.commit("three", { "c.txt": "3\n" });
    await repository.put({ "a.txt": "staged\n" });
    repository.git("add", "a.txt");
    await repository.put({ "a.txt": "working\n" });
    const { call } = await openWorkstation({ root: repository.root });
    const patchOf = async (args: JsonObject): Promise<unknown[]> =>
      ((await call("git_diff", args))["files"] as JsonObject[]).map(({ path, patch }) => [path, patch]);
    expect(await patchOf({})).toEqual([["a.txt", "@@ -1,1 +1,1 @@\n-staged\n+working\n"]]);
    expect(await patchOf({ staged: true })).toEqual([["a.txt", "@@ -1,1 +1,1 @@\n-1\n+staged\n"]]);
    expect(await patchOf({ target: "HEAD" })).toEqual([["a.txt", "@@ -1,1 +1,1 @@\n-1\n+working\n"]]);
    expect(await patchOf({ target: "HEAD~1", staged: true, paths: ["c.txt"] })).toEqual([
      ["c.txt", "@@ -0,0 +1,1 @@\n+3\n"],
    ]);
    expect(await call("git_diff", { target: "main..topic", stat_only: true })).toEqual({
      total: 2,
      files: [
        { path: "b.txt", status: "added", additions: 10, deletions: 0 },
        { path: "c.txt", status: "deleted", additions: 0, deletions: 1 },
      ],
    });
    expect(await call("git_diff", { target: "main...topic", stat_only: true })).toMatchObject({ total: 1 });
  });

  test("a rename with a change says where it came from", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { "old name.txt": lines(20), "ü.txt": "1\n" });
    repository.git("mv", "old name.txt", "new\nname.txt");
    await repository.put({ "new\nname.txt": lines(20).replace("line 9\n", "nine\n"), "ü.txt": "2\n" });
    repository.git("add", "--all");
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_diff", { staged: true })).toMatchObject({
      files: [
        { path: "new\nname.txt", from: "old name.txt", status: "renamed", patch: expect.stringContaining("+nine\n") },
        { path: "ü.txt", status: "modified", patch: "@@ -1,1 +1,1 @@\n-1\n+2\n" },
      ],
    });
  });

  test("a file in conflict is compared with our side", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { "a.txt": "1\n", "z.txt": "1\n" });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("theirs", { "a.txt": "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    await repository.commit("ours", { "a.txt": "ours\n" });
    expect(() => repository.git("merge", "topic")).toThrow();
    await repository.put({ "z.txt": "2\n" });
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_diff")).toMatchObject({
      total: 2,
      files: [
        {
          path: "a.txt",
          status: "unmerged",
          patch: "@@ -1,1 +1,5 @@\n+<<<<<<< HEAD\n ours\n+=======\n+theirs\n+>>>>>>> topic\n",
        },
        { path: "z.txt", status: "modified", patch: "@@ -1,1 +1,1 @@\n-1\n+2\n" },
      ],
    });
    expect(await call("git_diff", { staged: true })).toEqual({
      total: 1,
      files: [{ path: "a.txt", status: "unmerged", additions: 0, deletions: 0 }],
    });
  });

  test("settings of the repository do not change what comes", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { "a.txt": "one\n\nthree\n" });
    await repository.put({ "a.txt": "one\n\n3\n" });
    for (const setting of [
      ["diff.noprefix", "true"],
      ["diff.context", "0"],
      ["diff.suppressBlankEmpty", "true"],
      ["diff.orderFile", "/nowhere"],
      ["diff.relative", "true"],
      ["color.ui", "always"],
      ["core.attributesFile", "/nowhere"],
      ["mailmap.file", "/nowhere"],
      ["log.follow", "true"],
      ["alias.diff", "!false"],
    ])
      repository.git("config", ...setting);
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_diff")).toMatchObject({ files: [{ patch: "@@ -1,3 +1,3 @@\n one\n \n-three\n+3\n" }] });
    expect(await call("git_blame", { path: "a.txt" })).toMatchObject({
      lines: [{ line: 1 }, { line: 2 }, { line: 3 }],
    });
    expect(await call("git_log", { path: "a.txt", files: true })).toMatchObject({ commits: [{ subject: "one" }] });
  });

  test("pages by file and by hunk, and every piece has the right line numbers", async () => {
    const repository = await makeRepository();
    const long = "x".repeat(90);
    await repository.commit("one", { "a.txt": lines(3000, long), "b.txt": "1\n" });
    const changed = lines(3000, long).replaceAll(/ (\d*[02468])0\n/g, " $10 changed\n");
    await repository.put({ "a.txt": changed, "b.txt": "2\n" });
    const whole = repository.git("diff", "--", "a.txt");
    const { call } = await openWorkstation({ root: repository.root });
    const heads: string[] = [];
    let pages = 0;
    let last: JsonObject | undefined;
    for (let next: JsonObject | undefined = {}; next !== undefined; pages += 1) {
      const page: JsonObject = await call("git_diff", next);
      for (const { path, patch } of page["files"] as { path: string; patch: string }[])
        if (path === "a.txt") heads.push(...(patch.match(/^@@ .* @@/gm) ?? []));
      next = nextPage(page);
      if (next === undefined) last = (page["files"] as JsonObject[]).at(-1);
    }
    expect(pages).toBeGreaterThan(1);
    expect(last).toMatchObject({ path: "b.txt", patch: "@@ -1,1 +1,1 @@\n-1\n+2\n" });
    expect(heads).toEqual(whole.match(/^@@ .* @@/gm));
  });

  test("one hunk that is larger than a page comes in pieces that fit together", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { b: "1\n" });
    await repository.put({ "a.txt": lines(6000) });
    repository.git("add", "a.txt");
    const { call } = await openWorkstation({ root: repository.root });
    let text = "";
    let line = 1;
    for (let next: JsonObject | undefined = { staged: true }; next !== undefined; ) {
      const page: JsonObject = await call("git_diff", { staged: true, ...next });
      const [file] = page["files"] as { patch: string }[];
      const [head = "", ...rest] = (file?.patch ?? "").split("\n");
      expect(head).toBe(`@@ -0,0 +${line},${rest.length - 1} @@`);
      line += rest.length - 1;
      text += rest
        .slice(0, -1)
        .map((each) => `${each.slice(1)}\n`)
        .join("");
      next = nextPage(page);
    }
    expect(text).toBe(lines(6000));
  });

  test("a line of megabytes is cut", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { a: "1\n" });
    await repository.put({ a: `${"x".repeat(3_000_000)}\n` });
    const { call } = await openWorkstation({ root: repository.root });
    const [file] = (await call("git_diff"))["files"] as { patch: string }[];
    expect(file?.patch.length).toBeLessThan(2200);
    expect(file?.patch).toContain("… (2998001 more bytes)");
  });
});
