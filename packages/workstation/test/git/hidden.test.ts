import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { openWorkstation, type TestWorkstation } from "../kit.js";
import { hasGit, makeRepository, type TestRepository } from "./repository.js";

const SECRET = "SECRET-4c1f";
const policy = { hidden: [".env", "vault"] };
const lines = (text: string): string => `${"common line\n".repeat(20)}${text}\n`;

/** The results of all tools that read commits and differences, as one text. */
async function readAll({ client }: TestWorkstation, hashes: readonly string[], more: JsonObject = {}): Promise<string> {
  const calls: [string, JsonObject][] = [
    ["git_status", {}],
    ["git_log", { files: true }],
    ["git_diff", {}],
    ["git_diff", { staged: true }],
    ["git_diff", { paths: ["."] }],
    ...hashes.flatMap((hash): [string, JsonObject][] => [
      ["git_show", { revision: hash }],
      ["git_show", { revision: hash, path: "." }],
      ["git_diff", { target: hash }],
      ["git_diff", { target: hash, stat_only: true }],
    ]),
  ];
  const results: unknown[] = [];
  for (const [tool, args] of calls) results.push(await client.callTool(tool, { ...args, ...more }));
  return JSON.stringify(results);
}

const open = (repository: TestRepository) => openWorkstation({ root: repository.root, policy });

describe.skipIf(!hasGit)("git shows nothing of hidden files", () => {
  test("where one was renamed to a visible name, or a visible one to a hidden name", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { ".env": lines(SECRET), "plain.txt": lines("plain") });
    repository.git("mv", ".env", "example.env");
    const second = await repository.commit("rename", { "example.env": lines("no value") });
    const hashes = [first, second];
    const bench = await open(repository);
    expect(await readAll(bench, hashes)).not.toContain(SECRET);
    expect(await bench.call("git_show", { revision: second })).toMatchObject({
      total: 1,
      files: [{ path: "example.env", status: "added", additions: 21, deletions: 0 }],
    });
    expect(await bench.call("git_log", { files: true, limit: 1 })).toMatchObject({
      commits: [{ files: [{ path: "example.env", status: "added" }] }],
    });
    await mkdir(repository.path("vault"));
    repository.git("mv", "plain.txt", "vault/plain.txt");
    await writeFile(repository.path("vault/plain.txt"), lines(SECRET));
    repository.git("add", "--all");
    expect(await readAll(bench, hashes)).not.toContain(SECRET);
    expect(await bench.call("git_diff", { staged: true })).toMatchObject({
      files: [{ path: "plain.txt", status: "deleted" }],
    });
    expect(await bench.call("git_status")).toMatchObject({ staged: [{ path: "plain.txt", status: "deleted" }] });
  });

  test("where a visible file takes the place of a folder with a hidden one", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { "vault/key": lines(SECRET), "a.txt": "a\n" });
    repository.git("mv", "vault/key", "key");
    const second = await repository.commit("second", { key: lines("no value") });
    const bench = await open(repository);
    expect(await readAll(bench, [first, second])).not.toContain(SECRET);
  });

  test("where one was deleted long ago", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { "vault/key": SECRET, "a.txt": "a\n" });
    repository.git("rm", "-r", "--quiet", "vault");
    const second = await repository.commit("second");
    const bench = await open(repository);
    expect(await readAll(bench, [first, second])).not.toContain(SECRET);
    const calls: [string, JsonObject][] = [
      ["git_show", { revision: first, path: "vault/key" }],
      ["git_blame", { revision: first, path: "vault/key" }],
      ["git_log", { path: "vault/key" }],
      ["git_diff", { target: first, paths: ["vault/key"] }],
    ];
    for (const [tool, args] of calls) expect(await bench.fail(tool, args)).toMatchObject({ code: "FORBIDDEN_PATH" });
  });

  test("in another worktree of the same repository", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { ".env": SECRET, "vault/key": SECRET, "a.txt": "a\n" });
    repository.git("worktree", "add", "--quiet", "tree", "HEAD");
    const bench = await openWorkstation({ root: repository.root, policy: { hidden: ["/vault/**", "tree/.env"] } });
    expect(await readAll(bench, [first], { repository_path: "tree" })).not.toContain("key");
    expect(await bench.fail("git_show", { repository_path: "tree", path: "tree/vault/key" })).toMatchObject({
      code: "FORBIDDEN_PATH",
    });
  });
});

describe.skipIf(!hasGit)("while something is hidden", () => {
  test("a repository that tools could have made is not used", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first", { ".env": SECRET });
    const bench = await open(repository);
    await bench.call("fs_write_file", { path: "fake/HEAD", content: `${first}\n` });
    await bench.call("fs_write_file", { path: "fake/config", content: "[core]\n\tbare = true\n" });
    await bench.call("fs_write_file", { path: "fake/refs/heads/main", content: `${first}\n` });
    await bench.call("fs_write_file", { path: "fake/objects/info/alternates", content: "../../.git/objects\n" });
    const more = { repository_path: "fake" };
    expect(await readAll(bench, [first], more)).not.toContain(SECRET);
    const shown = await bench.fail("git_show", { ...more, revision: first, path: "fake/.env" });
    expect(shown).toMatchObject({ code: "FORBIDDEN_PATH" });
    expect(shown.text).toMatch(/read-only in the settings \(files\.readOnly\)/);
  });

  test("a repository whose folder or borrowed objects tools can write is not used", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "1" });
    await cp(repository.path(".git/objects"), repository.path("store"), { recursive: true });
    await writeFile(repository.path(".git/objects/info/alternates"), "../../store\n");
    repository.git("clone", "--quiet", "--bare", ".", "bare.git");
    const bench = await open(repository);
    for (const repository_path of [".", "bare.git"])
      expect(await bench.fail("git_log", { repository_path })).toMatchObject({ code: "FORBIDDEN_PATH" });
    const readOnly = ["store", "bare.git"];
    const trusting = await openWorkstation({ root: repository.root, policy: { ...policy, readOnly } });
    for (const repository_path of [".", "bare.git"])
      expect(await trusting.call("git_log", { repository_path })).toMatchObject({ commits: [{ subject: "first" }] });
  });

  test("the objects, the index and patches inside .git cannot be read as files", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { ".env": SECRET });
    repository.git("gc", "--quiet");
    await repository.commit("second", { "vault/key": SECRET });
    await repository.put({ ".git/rebase-apply/patch": SECRET });
    const all = await readdir(repository.path(".git"), { recursive: true, withFileTypes: true });
    const files = all.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const contents = files.filter((file) => /\/objects\/|\/rebase-apply\/|\/index$/.test(file));
    expect(contents.length).toBeGreaterThan(6);
    const bench = await open(repository);
    for (const file of contents)
      for (const encoding of ["base64", "utf-8"])
        expect(await bench.fail("fs_read_file", { path: file, encoding })).toMatchObject({ code: "FORBIDDEN_PATH" });
    expect(await bench.call("fs_read_file", { path: ".git/HEAD" })).toMatchObject({ text: "ref: refs/heads/main\n" });
    const free = await openWorkstation({ root: repository.root });
    expect(await free.call("fs_read_file", { path: contents[0] ?? "" })).toBeDefined();
  });
});
