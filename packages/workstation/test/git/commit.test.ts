import { chmod, chown, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expectAsksBeforeActing } from "@toolwright/engine/testing";
import { describe, expect, test, vi } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { makeFolder, openWorkstation } from "../kit.js";
import { hasGit, makeHome, makeRepository, putProgram } from "./repository.js";

describe.skipIf(!hasGit)("git_add", () => {
  test("stages what is new, changed and gone", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "1\n", "gone.txt": "1\n", "same.txt": "1\n", dir: "file" });
    await rm(repository.path("dir"));
    await repository.put({ "a.txt": "2\n", "new/b.txt": "1\n", "-dash": "1", "line\nbreak": "1", "dir/file": "1" });
    await rm(repository.path("gone.txt"));
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_add", { files: ["a.txt", "new", "gone.txt", "same.txt", "-dash", "dir"] })).toEqual({
      total: 6,
      staged: expect.arrayContaining([
        { path: "-dash", status: "added" },
        { path: "dir/file", status: "added" },
        { path: "new/b.txt", status: "added" },
        { path: "a.txt", status: "modified" },
        { path: "gone.txt", status: "deleted" },
        { path: "dir", status: "deleted" },
      ]),
    });
    expect(repository.git("status", "--porcelain", "--no-renames")).toBe(
      'A  -dash\nM  a.txt\nD  dir\nA  dir/file\nD  gone.txt\nA  new/b.txt\n?? "line\\nbreak"\n',
    );
    expect(await call("git_add", { files: "line\nbreak" })).toMatchObject({ total: 1 });
  });

  test("refuses what is not there, ignored, or nothing at all", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { ".gitignore": "*.log\n" });
    await repository.put({ "x.log": "1", "a.txt": "1" });
    const { fail, call } = await openWorkstation({ root: repository.root });
    expect((await fail("git_add", { files: [] })).code).toBe("INVALID_ARGUMENT");
    expect((await fail("git_add", { files: ["a.txt", "nowhere"] })).code).toBe("NOT_FOUND");
    const ignored = await fail("git_add", { files: ["a.txt", "x.log"] });
    expect([ignored.code, ignored.text]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("is ignored by git")]);
    expect(await call("git_status")).toMatchObject({ counts: { staged: 0 } });
  });

  test("resolves a conflict, and leaves a repository inside alone", async () => {
    const repository = await makeRepository();
    await repository.commit("one", { "a.txt": "1\n" });
    repository.git("checkout", "--quiet", "-b", "topic");
    await repository.commit("theirs", { "a.txt": "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    await repository.commit("ours", { "a.txt": "ours\n" });
    expect(() => repository.git("merge", "topic")).toThrow();
    const inner = await makeRepository(repository.path("inner"));
    await inner.commit("inner", { x: "1" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_commit", { message: "too early" });
    expect([failed.code, failed.text]).toEqual(["CONFLICT", expect.stringContaining('such as "a.txt"')]);
    await repository.put({ "a.txt": "both\n" });
    expect(await call("git_add", { files: ["."] })).toEqual({
      total: 1,
      staged: [{ path: "a.txt", status: "resolved" }],
      skipped: [{ path: "inner/", reason: "a repository of its own" }],
    });
    const { commit } = await call("git_commit", { message: "merged" });
    expect((commit as { parents: string[] }).parents).toHaveLength(2);
    expect((await call("git_status"))["state"]).toBeUndefined();
  });

  test("a link is staged as a link", async () => {
    const repository = await makeRepository();
    await symlink("/etc/passwd", repository.path("link"));
    const { call } = await openWorkstation({ root: repository.root });
    await call("git_add", { files: ["link"] });
    expect(repository.git("show", ":link")).toBe("/etc/passwd");
  });
});

describe.skipIf(!hasGit)("git_commit", () => {
  test("commits what is staged, the first time too", async () => {
    const repository = await makeRepository();
    await repository.put({ "a.txt": "1\n" });
    const { call } = await openWorkstation({ root: repository.root });
    await call("git_add", { files: ["a.txt"] });
    const done = await call("git_commit", { message: "# Ünï subject\n\n# Not a comment.\n" });
    expect(done).toMatchObject({
      branch: "main",
      hooks: "skipped",
      signed: false,
      commit: {
        author: "Ada",
        subject: "# Ünï subject",
        body: "# Not a comment.",
        parents: [],
        files: [{ path: "a.txt", status: "added", additions: 1, deletions: 0 }],
      },
    });
    expect(repository.git("log", "--format=%B")).toBe("# Ünï subject\n\n# Not a comment.\n\n");
  });

  test("refuses a blank message and nothing staged", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { a: "1" });
    await repository.put({ a: "2" });
    const { fail } = await openWorkstation({ root: repository.root });
    expect((await fail("git_commit", { message: " \n" })).code).toBe("INVALID_ARGUMENT");
    const nothing = await fail("git_commit", { message: "x" });
    expect([nothing.code, nothing.text]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("nothing is staged")]);
  });

  test("names the missing settings if no committer is configured", async () => {
    const repository = await makeRepository();
    await repository.put({ a: "1" });
    repository.git("add", "a");
    await makeHome("");
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_commit", { message: "x" });
    expect(failed.text).toContain("git config --global user.name");
    expect(failed.text).toContain("user.email");
  });

  test("runs hooks only where the settings say so", async () => {
    const repository = await makeRepository();
    await repository.put({ a: "1" });
    repository.git("add", "a");
    await putProgram(repository.path(".git/hooks/pre-commit"), ["echo 'tabs are forbidden' >&2", "exit 1"]);
    const hooked = await openWorkstation({ root: repository.root, settings: { gitHooks: true } });
    const failed = await hooked.fail("git_commit", { message: "x" });
    expect([failed.code, failed.text]).toEqual(["GIT_FAILED", expect.stringContaining("tabs are forbidden")]);
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_commit", { message: "x" })).toMatchObject({ hooks: "skipped" });
    await putProgram(repository.path(".git/hooks/pre-commit"), ["exit 0"]);
    await repository.put({ a: "2" });
    repository.git("add", "a");
    expect(await hooked.call("git_commit", { message: "y" })).toMatchObject({ hooks: "run" });
  });

  test("asks a person before hooks run, where the settings say so", async () => {
    const repository = await makeRepository();
    const first = await repository.commit("first");
    await repository.put({ a: "1" });
    repository.git("add", "a");
    const settings = { gitHooks: true, ask: "destructive" };
    const { server } = await openWorkstation({ root: repository.root, settings });
    const effects = (): string => repository.git("rev-parse", "HEAD").trim();
    const asked = { tool: "git_commit", input: { message: "x" }, snapshot: effects };
    const declined = await expectAsksBeforeActing(server, { ...asked, responses: { confirm: { sure: false } } });
    expect([declined["isError"], effects()]).toEqual([true, first]);
    const agreed = await expectAsksBeforeActing(server, { ...asked, responses: { confirm: { sure: true } } });
    expect(agreed["structuredContent"]).toMatchObject({ hooks: "run" });
  });

  test("signs where the user's own settings ask for it, and only then", async () => {
    const repository = await makeRepository();
    const program = path.join(await makeFolder(), "gpg");
    const lines = ["cat > /dev/null", "echo '[GNUPG:] SIG_CREATED ' >&2", "echo '-----BEGIN PGP SIGNATURE-----'"];
    await putProgram(program, lines);
    repository.git("config", "--global", "commit.gpgSign", "true");
    repository.git("config", "--global", "gpg.program", program);
    await repository.put({ a: "1" });
    const { call } = await openWorkstation({ root: repository.root });
    await call("git_add", { files: "a" });
    expect(await call("git_commit", { message: "x" })).toMatchObject({ signed: true });
    expect(repository.git("cat-file", "-p", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
  });

  test("a lock of another git process is reported", async () => {
    const repository = await makeRepository();
    await repository.put({ a: "1", ".git/index.lock": "" });
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_add", { files: ["a"] });
    expect([failed.code, failed.text]).toEqual(["CONFLICT", expect.stringContaining("holds a lock")]);
  });
});

describe.skipIf(!hasGit)("around git", () => {
  test("the prompt shows what is staged, in the style asked for", async () => {
    const repository = await makeRepository();
    await repository.commit("first", { "a.txt": "1\n" });
    const { client, call } = await openWorkstation({ root: repository.root });
    await expect(client.request("prompts/get", { name: "commit-message" })).rejects.toThrow("Nothing is staged");
    await repository.put({ "a.txt": "2\n" });
    await call("git_add", { files: "a.txt" });
    const { messages } = await client.request("prompts/get", {
      name: "commit-message",
      arguments: { style: "conventional" },
    });
    const text = (messages as { content: { text: string } }[]).map(({ content }) => content.text);
    expect(text).toEqual([
      expect.stringContaining("Conventional Commits"),
      "modified a.txt (+1 −1)\n@@ -1,1 +1,1 @@\n-1\n+2\n",
    ]);
  });

  test("the resource git://status is the status as JSON", async () => {
    const repository = await makeRepository();
    const { client } = await openWorkstation({ root: repository.root });
    const { contents } = await client.request("resources/read", { uri: "git://status" });
    const [piece] = contents as { text: string; mimeType: string }[];
    expect([piece?.mimeType, JSON.parse(piece?.text ?? "")]).toEqual([
      "application/json",
      expect.objectContaining({ branch: "main", clean: true }),
    ]);
  });

  test("read-only mode leaves out what changes something", async () => {
    const repository = await makeRepository();
    const { client } = await openWorkstation({ root: repository.root, filter: { readOnly: true } });
    const { tools } = await client.request("tools/list");
    const names = (tools as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith("git_"));
    expect(names).toContain("git_status");
    expect(names.filter((name) => ["git_add", "git_commit", "git_branch_create"].includes(name))).toEqual([]);
  });

  test("a machine without git is reported", async () => {
    const folder = await makeFolder();
    vi.stubEnv("PATH", folder);
    const { client } = await openWorkstation({ root: folder });
    const result = await client.callTool("git_status", {});
    vi.unstubAllEnvs();
    expect(textOf(result)).toContain("Cannot run git: it is not installed");
  });

  test("a git that is too old is refused, because it would ignore the disabled features", async () => {
    const folder = await makeFolder();
    await putProgram(path.join(folder, "git"), ["echo git version 2.30.9"]);
    vi.stubEnv("PATH", folder);
    const { client, root } = await openWorkstation();
    await mkdir(path.join(root, "x"));
    const result = await client.callTool("git_status", {});
    vi.unstubAllEnvs();
    expect(textOf(result)).toContain("2.31 or newer is needed, and this is git version 2.30.9");
  });

  test.skipIf(process.getuid?.() !== 0)("a repository of another user is explained", async () => {
    const repository = await makeRepository();
    await chmod(repository.root, 0o755);
    await chown(repository.root, 12_345, 12_345);
    await chown(repository.path(".git"), 12_345, 12_345);
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_status");
    expect([failed.code, failed.text]).toEqual(["GIT_FAILED", expect.stringContaining("--add safe.directory")]);
  });

  test("a broken configuration is reported with git's message", async () => {
    const repository = await makeRepository();
    await writeFile(repository.path(".git/config"), "[core\n");
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_status");
    expect([failed.code, failed.text]).toEqual(["GIT_FAILED", expect.stringContaining("bad config line 1")]);
  });
});
