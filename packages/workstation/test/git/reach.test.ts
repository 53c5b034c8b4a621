import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";
import { hasGit, makeRepository } from "./repository.js";

const EVERY_TOOL: [string, JsonObject][] = [
  ["git_status", {}],
  ["git_log", {}],
  ["git_diff", {}],
  ["git_show", {}],
  ["git_blame", { path: "a.txt" }],
  ["git_list_branches", {}],
  ["git_current_branch", {}],
  ["git_branch_create", { name: "x" }],
  ["git_add", { files: ["."] }],
  ["git_commit", { message: "x" }],
];

/** A repository inside a root, and a folder outside of it. */
async function makeBoth() {
  const repository = await makeRepository();
  await repository.commit("first", { "a.txt": "1\n" });
  await repository.put({ "a.txt": "2\n" });
  return { repository, outside: await makeFolder() };
}

describe.skipIf(!hasGit)("a whole repository is inside the roots", () => {
  const WAYS: [name: string, lead: (both: Awaited<ReturnType<typeof makeBoth>>) => Promise<void>][] = [
    [
      "its folder is a link to one outside",
      async ({ repository, outside }) => {
        await rename(repository.path(".git"), path.join(outside, "git"));
        await symlink(path.join(outside, "git"), repository.path(".git"));
      },
    ],
    [
      "a file says that its folder is outside",
      async ({ repository, outside }) => {
        await rename(repository.path(".git"), path.join(outside, "git"));
        await writeFile(repository.path(".git"), `gitdir: ${path.join(outside, "git")}\n`);
      },
    ],
    [
      "its working files are outside",
      async ({ repository, outside }) => void repository.git("config", "core.worktree", outside),
    ],
    [
      "its objects are outside",
      async ({ repository, outside }) => {
        await rename(repository.path(".git/objects"), path.join(outside, "objects"));
        await symlink(path.join(outside, "objects"), repository.path(".git/objects"));
      },
    ],
    [
      "it borrows objects from outside",
      async ({ repository, outside }) => {
        await cp(repository.path(".git/objects"), path.join(outside, "objects"), { recursive: true });
        await writeFile(repository.path(".git/objects/info/alternates"), `${path.join(outside, "objects")}\n`);
      },
    ],
    [
      "it borrows objects from a place in quotes",
      async ({ repository, outside }) =>
        writeFile(repository.path(".git/objects/info/alternates"), `"${path.join(outside, "objects")}"\n`),
    ],
    [
      "its index is a link to a file outside",
      async ({ repository, outside }) => {
        await rename(repository.path(".git/index"), path.join(outside, "index"));
        await symlink(path.join(outside, "index"), repository.path(".git/index"));
      },
    ],
    [
      "it shares the folder of one outside",
      async ({ repository, outside }) => {
        await cp(repository.path(".git"), path.join(outside, "git"), { recursive: true });
        await writeFile(repository.path(".git/commondir"), path.join(outside, "git"));
      },
    ],
  ];

  test.each(WAYS)("%s", async (_, lead) => {
    const both = await makeBoth();
    await lead(both);
    const { fail } = await openWorkstation({ root: both.repository.root });
    const codes = await Promise.all(EVERY_TOOL.map(async ([name, args]) => (await fail(name, args)).code));
    expect(codes).toEqual(EVERY_TOOL.map(() => "FORBIDDEN_PATH"));
  });

  test("a root inside of it is not enough", async () => {
    const { repository } = await makeBoth();
    await mkdir(repository.path("sub"));
    const { fail } = await openWorkstation({ root: repository.path("sub") });
    const failed = await fail("git_status");
    expect([failed.code, failed.text]).toEqual([
      "FORBIDDEN_PATH",
      expect.stringContaining("its folder lies outside the allowed folders"),
    ]);
    expect(failed.text).not.toContain(`${repository.root} `);
  });

  test.each(["COMMIT_EDITMSG", "logs/HEAD", "logs/refs/heads/main"])(
    "a commit is not written through a link at .git/%s",
    async (name) => {
      const { repository, outside } = await makeBoth();
      const target = path.join(outside, "target");
      await writeFile(target, "mine\n");
      await rm(repository.path(".git", name), { force: true });
      await symlink(target, repository.path(".git", name));
      repository.git("add", "a.txt");
      const { fail } = await openWorkstation({ root: repository.root });
      expect((await fail("git_commit", { message: "evil" })).code).toBe("FORBIDDEN_PATH");
      expect(await readFile(target, "utf8")).toBe("mine\n");
    },
  );

  test("a branch is not written through a link to nothing", async () => {
    const { repository, outside } = await makeBoth();
    await symlink(path.join(outside, "made"), repository.path(".git/logs/refs/heads/topic"));
    const { fail } = await openWorkstation({ root: repository.root });
    expect((await fail("git_branch_create", { name: "topic" })).code).toBe("FORBIDDEN_PATH");
    expect(existsSync(path.join(outside, "made"))).toBe(false);
  });

  test("blame does not read through a folder that became a link", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "sub/a.txt": "committed\n" });
    const outside = await makeFolder();
    await writeFile(path.join(outside, "a.txt"), "secret\n");
    await rm(repository.path("sub"), { recursive: true });
    await symlink(outside, repository.path("sub"));
    const { call, client } = await openWorkstation({ root: repository.root });
    expect(await call("git_blame", { path: "sub/a.txt" })).toMatchObject({ lines: [{ line: 1, text: "committed" }] });
    expect(JSON.stringify(await client.callTool("git_diff", {}))).not.toContain("secret");
    expect(JSON.stringify(await client.callTool("git_add", { files: ["sub/a.txt"] }))).not.toContain("secret");
    expect(repository.git("ls-files")).not.toContain("secret");
  });

  test("blame reads no list of commits from outside", async () => {
    const { repository, outside } = await makeBoth();
    await writeFile(path.join(outside, "list"), "secret line\n");
    const { fail, call } = await openWorkstation({ root: repository.root });
    for (const file of [path.join(outside, "list"), "~/list"]) {
      repository.git("config", "blame.ignoreRevsFile", file);
      const failed = await fail("git_blame", { path: "a.txt" });
      expect([failed.code, failed.text]).toEqual(["FORBIDDEN_PATH", expect.not.stringContaining("secret")]);
    }
    await repository.put({ ".ignored": `${repository.git("rev-parse", "HEAD").trim()}\n` });
    repository.git("config", "blame.ignoreRevsFile", ".ignored");
    expect(await call("git_blame", { path: "a.txt" })).toMatchObject({ lines: [{ line: 1, text: "2" }] });
  });

  test("worktrees and submodules inside the roots are fine", async () => {
    const library = await makeRepository();
    await library.commit("first", { "lib.txt": "1" });
    const repository = await makeRepository();
    const hash = await repository.commit("first", { "a.txt": "1\n" });
    repository.git("worktree", "add", "--quiet", "-b", "side", "tree");
    repository.git("submodule", "--quiet", "add", library.root, "lib");
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(await call("git_current_branch", { repository_path: "tree" })).toEqual({
      branch: "side",
      detached: false,
      hash,
    });
    expect(await call("git_status", { repository_path: "lib" })).toMatchObject({ repository: "lib", clean: true });
    expect(await call("git_status", { repository_path: "tree" })).toMatchObject({ repository: "tree", branch: "side" });
    const inside = await fail("git_status", { repository_path: ".git" });
    expect([inside.code, inside.text]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("not one inside .git")]);
  });
});

describe.skipIf(!hasGit)("values are never taken for options", () => {
  test("revisions and names", async () => {
    const { repository } = await makeBoth();
    const { fail } = await openWorkstation({ root: repository.root });
    const calls: [string, JsonObject][] = [
      ["git_log", { revision: "--output=made" }],
      ["git_log", { revision: "-O/dev/null" }],
      ["git_log", { revision: "HEAD..--output=made" }],
      ["git_diff", { target: "--output=made" }],
      ["git_diff", { target: "--no-index" }],
      ["git_show", { revision: "--output=made" }],
      ["git_blame", { path: "a.txt", revision: "--contents=/etc/passwd" }],
      ["git_branch_create", { name: "--force" }],
      ["git_branch_create", { name: "-D" }],
      ["git_branch_create", { name: "x", start_point: "--output=made" }],
    ];
    for (const [name, args] of calls)
      expect([name, args, (await fail(name, args)).code]).toEqual([name, args, "INVALID_ARGUMENT"]);
    expect(existsSync(repository.path("made"))).toBe(false);
  });

  test("paths stand for themselves", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "--output=made": "1\n", ":(top)a": "1\n", "*.txt": "1\n", "a.txt": "1\n" });
    await repository.put({ "--output=made": "2\n", ":(top)a": "2\n", "*.txt": "2\n", "a.txt": "2\n" });
    const { call } = await openWorkstation({ root: repository.root });
    for (const name of ["--output=made", ":(top)a", "*.txt"]) {
      expect(await call("git_diff", { paths: [name] })).toMatchObject({ total: 1, files: [{ path: name }] });
      expect(await call("git_log", { path: name })).toMatchObject({ commits: [{ subject: "first" }] });
      expect(await call("git_blame", { path: name })).toMatchObject({ lines: [{ line: 1, text: "2" }] });
      expect(await call("git_add", { files: [name] })).toMatchObject({ staged: [{ path: name }] });
    }
    expect(existsSync(repository.path("made"))).toBe(false);
  });

  test("paths that lead out are refused", async () => {
    const { repository } = await makeBoth();
    const { fail } = await openWorkstation({ root: repository.root });
    for (const given of ["../outside", "/etc/passwd", "a\0b", "~/x"]) {
      const calls: [string, JsonObject][] = [
        ["git_add", { files: [given] }],
        ["git_diff", { paths: [given] }],
        ["git_log", { path: given }],
        ["git_show", { path: given }],
        ["git_blame", { path: given }],
        ["git_status", { repository_path: given }],
      ];
      const codes = await Promise.all(calls.map(async ([name, args]) => (await fail(name, args)).code));
      for (const code of codes) expect(code).toMatch(/^(?:FORBIDDEN_PATH|INVALID_ARGUMENT)$/);
    }
  });
});

describe.skipIf(!hasGit)("what the settings hide", () => {
  test("is not shown by any tool", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { ".env": "KEY=old-secret\n", "a.txt": "1\n" });
    await repository.put({ ".env": "KEY=new-secret\n", "a.txt": "2\n" });
    const { call, fail, client } = await openWorkstation({ root: repository.root, policy: { hidden: ["**/.env"] } });
    expect(await call("git_diff")).toMatchObject({ total: 1, files: [{ path: "a.txt" }] });
    expect(await call("git_show")).toMatchObject({ total: 1, files: [{ path: "a.txt" }] });
    expect(await call("git_show", { path: "." })).toMatchObject({ entries: ["a.txt"] });
    expect(await call("git_log", { files: true })).toMatchObject({ commits: [{ files: [{ path: "a.txt" }] }] });
    const calls: [string, JsonObject][] = [
      ["git_show", { path: ".env" }],
      ["git_blame", { path: ".env" }],
      ["git_diff", { paths: [".env"] }],
      ["git_add", { files: [".env"] }],
    ];
    for (const [name, args] of calls) expect((await fail(name, args)).code).toBe("FORBIDDEN_PATH");
    expect(await call("git_add", { files: ["."] })).toMatchObject({ staged: [{ path: "a.txt" }] });
    expect(JSON.stringify(await client.request("prompts/get", { name: "commit-message" }))).not.toContain("secret");
    await appendFile(repository.path(".env"), "more\n");
    expect(repository.git("show", ":.env")).toBe("KEY=old-secret\n");
  });

  test("may be .git itself, which git still reads", async () => {
    const { repository } = await makeBoth();
    const { call } = await openWorkstation({ root: repository.root, policy: { hidden: ["**/.git/**", "**/.git"] } });
    expect(await call("git_status")).toMatchObject({ branch: "main", counts: { unstaged: 1 } });
  });
});
