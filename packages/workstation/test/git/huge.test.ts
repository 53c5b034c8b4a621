import { spawnSync } from "node:child_process";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { nextPage, openWorkstation } from "../kit.js";
import { hasGit, makeRepository, type TestRepository } from "./repository.js";

/** Gives git much to read at once. */
function feed({ root }: TestRepository, args: readonly string[], input: string): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, input, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(String(stderr));
}

const many = <Value>(count: number, make: (at: number) => Value): Value[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe.skipIf(!hasGit)("huge repositories are read page by page", () => {
  test("a status of 100,000 files", async () => {
    const repository = await makeRepository();
    await repository.put({ one: "1\n" });
    const blob = repository.git("hash-object", "-w", "one").trim();
    feed(
      repository,
      ["update-index", "--index-info"],
      many(100_000, (at) => `100644 ${blob}\td${at % 100}/f${at}\n`).join(""),
    );
    const { call } = await openWorkstation({ root: repository.root });
    const status = await call("git_status");
    expect(status["counts"]).toEqual({ staged: 100_000, unstaged: 100_000, untracked: 1, conflicts: 0 });
    expect(status["next_cursor"]).toBe("300");
    const last = await call("git_status", { offset: 200_000 });
    expect([last["untracked"], last["next_cursor"]]).toEqual([["one"], undefined]);
  });

  test("a log of 20,000 commits", async () => {
    const repository = await makeRepository();
    const commits = many(
      20_000,
      (at) =>
        `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + at} +0000\ndata <<.\ncommit ${at}\n.\n\n`,
    );
    feed(repository, ["fast-import", "--quiet"], commits.join(""));
    const { call } = await openWorkstation({ root: repository.root });
    const log = await call("git_log", { max_count: 1000 });
    const shown = log["commits"] as JsonObject[];
    expect(shown[0]).toMatchObject({ subject: "commit 19999" });
    expect(log["next_cursor"]).toMatch(new RegExp(`^${shown.length}:${1000 - shown.length}:[0-9a-f]{40}`));
    const end = await call("git_log", { skip: 19_999 });
    expect([end["commits"], end["next_cursor"]]).toMatchObject([[{ subject: "commit 0" }], undefined]);
  });

  test("a difference of 22 MB, and one of 2,000 files", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { big: "1\n" });
    await repository.put({ big: "a line of text that is not very long\n".repeat(600_000) });
    const { call } = await openWorkstation({ root: repository.root });
    const diff = await call("git_diff");
    expect(JSON.stringify(diff).length).toBeLessThan(40_000);
    expect(diff).toMatchObject({
      total: 1,
      files: [{ path: "big", additions: 600_000 }],
      next_cursor: expect.stringMatching(/^0(?::\d+)?$/),
    });
    const blob = repository.git("rev-parse", "HEAD:big").trim();
    feed(repository, ["update-index", "--index-info"], many(2000, (at) => `100644 ${blob}\tfile-${at}\n`).join(""));
    const seen = new Set<unknown>();
    for (let next: JsonObject | undefined = {}; next !== undefined; ) {
      const page: JsonObject = await call("git_diff", { staged: true, stat_only: true, ...next });
      for (const { path } of page["files"] as JsonObject[]) seen.add(path);
      next = nextPage(page);
    }
    expect(seen.size).toBe(2000);
  });

  test("more files than anybody means to stage are refused", async () => {
    const repository = await makeRepository();
    await repository.put({ one: "1\n" });
    const blob = repository.git("hash-object", "-w", "one").trim();
    feed(repository, ["update-index", "--index-info"], many(10_001, (at) => `100644 ${blob}\tf${at}\n`).join(""));
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_add", { files: ["."] });
    expect([failed.code, failed.text]).toEqual(["TOO_LARGE", expect.stringContaining("Nothing was staged")]);
  });
});
