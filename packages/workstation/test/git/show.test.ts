import { symlink } from "node:fs/promises";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

describe.skipIf(!hasGit)("git_show", () => {
  test("shows a commit and its patch, the first one too", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first\n\nThe whole story.", { "a.txt": "1\n" });
    await repository.commit("second", { "a.txt": "2\n" });
    repository.git("tag", "-a", "v1", "-m", "tagged", first);
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_show")).toMatchObject({
      commit: { subject: "second", parents: [first] },
      total: 1,
      files: [{ path: "a.txt", status: "modified", patch: "@@ -1,1 +1,1 @@\n-1\n+2\n" }],
    });
    expect(await call("git_show", { revision: "v1" })).toMatchObject({
      commit: { hash: first, body: "The whole story." },
      files: [{ path: "a.txt", status: "added", patch: "@@ -0,0 +1,1 @@\n+1\n" }],
    });
  });

  test("shows a file, a folder and a link as they were", async () => {
    const repository = await makeRepository();
    await symlink("/etc/passwd", repository.path("link"));
    await repository.commit("first", { "src/a.txt": "old\nno end", "x.bin": new Uint8Array([1, 0, 2]), empty: "" });
    await repository.commit("second", { "src/a.txt": "new\n", "src/deep/b.txt": "b" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(await call("git_show", { revision: "HEAD~1", path: "src/a.txt" })).toEqual({
      path: "src/a.txt",
      kind: "file",
      hash: repository.git("rev-parse", "HEAD~1:src/a.txt").trim(),
      size: 10,
      text: "old\nno end",
    });
    expect(await call("git_show", { path: "src/a.txt" })).toMatchObject({ text: "new\n" });
    expect(await call("git_show", { path: "empty" })).toMatchObject({ size: 0, text: "" });
    expect(await call("git_show", { path: "x.bin" })).toMatchObject({ kind: "file", size: 3, binary: true });
    expect(await call("git_show", { path: "link" })).toMatchObject({ kind: "symlink", text: "/etc/passwd" });
    expect(await call("git_show", { path: "src" })).toMatchObject({ kind: "directory", entries: ["a.txt", "deep/"] });
    expect((await fail("git_show", { revision: "HEAD~1", path: "src/deep/b.txt" })).code).toBe("NOT_FOUND");
    expect((await fail("git_show", { revision: "HEAD~9" })).code).toBe("NOT_FOUND");
  });

  test("a long file comes in pages", async () => {
    const repository = await makeRepository();
    const text = Array.from({ length: 9000 }, (_, at) => `line ${at}\n`).join("");
    await repository.commit("first", { "a.txt": text });
    const { call } = await openWorkstation({ root: repository.root });
    let read = "";
    for (let next: JsonObject | undefined = {}; next !== undefined; ) {
      const page: JsonObject = await call("git_show", { path: "a.txt", ...next });
      read += page["text"] as string;
      next = nextPage(page);
    }
    expect(read).toBe(text);
  });

  test("works in a bare repository", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "src/a.txt": "1\n" });
    repository.git("clone", "--quiet", "--bare", ".", "bare.git");
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_show", { repository_path: "bare.git", path: "src/a.txt" })).toMatchObject({
      path: "src/a.txt",
      text: "1\n",
    });
    expect(await call("git_show", { repository_path: "bare.git" })).toMatchObject({ files: [{ path: "src/a.txt" }] });
  });
});

describe.skipIf(!hasGit)("git_blame", () => {
  test("says who wrote each line", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { "a.txt": "one\ntwo\n" });
    repository.git("config", "user.name", "Grace");
    const second = await repository.commit("second", { "a.txt": "one\ntwo\nthree\n" });
    await repository.put({ "a.txt": "one\nTWO\nthree\n" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(await call("git_blame", { path: "a.txt" })).toEqual({
      path: "a.txt",
      lines: [
        { line: 1, text: "one", hash: first, author: "Ada", date: "2024-01-01T12:00:00+01:00" },
        { line: 2, text: "TWO" },
        { line: 3, text: "three", hash: second, author: "Grace", date: "2024-01-02T12:00:00+01:00" },
      ],
    });
    expect(await call("git_blame", { path: "a.txt", revision: first, start_line: 2, end_line: 2 })).toEqual({
      path: "a.txt",
      lines: [{ line: 2, text: "two", hash: first, author: "Ada", date: "2024-01-01T12:00:00+01:00" }],
    });
    const beyond = await fail("git_blame", { path: "a.txt", start_line: 9 });
    expect([beyond.code, beyond.text]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("has only 3 lines")]);
    expect((await fail("git_blame", { path: "nowhere.txt" })).code).toBe("NOT_FOUND");
  });

  test("goes on after 200 lines, and an empty file has none", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "x\n".repeat(250), "e.txt": "" });
    const { call } = await openWorkstation({ root: repository.root });
    const page = await call("git_blame", { path: "a.txt" });
    expect([(page["lines"] as unknown[]).length, page["next_cursor"]]).toEqual([200, "201"]);
    const next = await call("git_blame", { path: "a.txt", ...nextPage(page) });
    expect([(next["lines"] as unknown[]).length, next["next_cursor"]]).toEqual([50, undefined]);
    expect(await call("git_blame", { path: "e.txt" })).toEqual({ path: "e.txt", lines: [] });
  });
});
