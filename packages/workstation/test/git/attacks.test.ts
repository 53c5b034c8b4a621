import { existsSync } from "node:fs";
import { appendFile, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeFolder, openWorkstation, type TestWorkstation } from "../kit.js";
import { hasGit, makeRepository, putProgram, type TestRepository } from "./repository.js";

/** A repository whose configuration runs programs; each would leave a line with its name in the marker. */
interface Trap {
  readonly repository: TestRepository;
  /** A program that leaves its name, and then does what a filter does, or the given operation. */
  readonly program: (name: string, operation?: string) => Promise<string>;
  /** The names of the programs that have run since the last look. */
  readonly sprung: () => Promise<readonly string[]>;
}

async function makeTrap(): Promise<Trap> {
  const repository = await makeRepository();
  const folder = await makeFolder();
  const marker = path.join(folder, "marker");
  return {
    repository,
    async program(name, operation = '[ -n "$1" ] && [ -f "$1" ] && exec cat "$1"\nexec cat') {
      const place = path.join(folder, name);
      await putProgram(place, [`echo ${name} >> '${marker}'`, operation]);
      return place;
    },
    async sprung() {
      const text = existsSync(marker) ? await readFile(marker, "utf8") : "";
      await rm(marker, { force: true });
      return [...new Set(text.split("\n").filter((line) => line !== ""))].sort();
    },
  };
}

/** Makes git look at the content of a file again. */
async function touch(place: string): Promise<void> {
  await utimes(place, 1, 1);
}

/** Runs every tool, whatever comes of it. */
async function runAllTools({ client }: TestWorkstation, files: readonly string[]): Promise<void> {
  const reads: [string, JsonObject][] = [
    ["git_status", {}],
    ["git_log", { files: true }],
    ["git_log", { path: "a.txt" }],
    ["git_diff", {}],
    ["git_diff", { target: "HEAD" }],
    ["git_diff", { target: "HEAD~1..HEAD" }],
    ["git_show", {}],
    ["git_show", { path: "a.txt" }],
    // A revision that is not there would be fetched into a partial clone.
    ["git_show", { revision: "1111111111111111111111111111111111111111" }],
    ...["a.txt", ...files].map((each): [string, JsonObject] => ["git_blame", { path: each }]),
    ["git_list_branches", {}],
    ["git_current_branch", {}],
  ];
  await Promise.all(reads.map(([name, args]) => client.callTool(name, args)));
  await client.request("resources/read", { uri: "git://status" });
  await client.callTool("git_branch_create", { name: "made", checkout: true });
  await client.callTool("git_add", { files: ["."] });
  await client.callTool("git_add", { files: ["a.txt"] });
  await client.request("prompts/get", { name: "commit-message" }).catch(() => undefined);
  await client.callTool("git_diff", { staged: true });
  await client.callTool("git_commit", { message: "made" });
}

const HOOKS = [
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
];

afterEach(() => vi.unstubAllEnvs());

/** A way to make git run something: how it is set up, and what a person would do to spring it. */
interface Way {
  readonly name: string;
  readonly set: (trap: Trap, program: string) => unknown;
  readonly spring: readonly string[];
}

const COMMIT = ["commit", "--allow-empty", "-m", "x"];
const MISSING = ["cat-file", "-p", "1111111111111111111111111111111111111111"];

const attribute = ({ repository }: Trap, line: string): Promise<void> =>
  appendFile(repository.path(".gitattributes"), `${line}\n`);

const filter = (name: string, set: Way["set"], shown = name): Way => ({
  name,
  set: async (trap, program) => {
    await attribute(trap, `${name}.txt filter=${shown}`);
    await set(trap, program);
  },
  spring: ["add", `${name}.txt`],
});

const setting = (name: string, keys: readonly string[], spring: readonly string[]): Way => ({
  name,
  set: ({ repository }, program) => keys.forEach((key) => repository.git("config", key, program)),
  spring,
});

const hooks = (name: string, folder: string, more: (trap: Trap) => unknown = () => undefined): Way => ({
  name,
  async set(trap, program) {
    for (const hook of HOOKS) await putProgram(trap.repository.path(folder, hook), [`exec '${program}'`]);
    more(trap);
  },
  spring: COMMIT,
});

const remote = (name: string, url: (program: string) => string, keys: readonly string[]): Way => ({
  name,
  set({ repository }, program) {
    makePartial(repository.git, url(program));
    for (const key of keys) repository.git("config", key, program);
  },
  spring: MISSING,
});

/** Those of one row do not stand in each other's way. */
const WAYS: (readonly Way[])[] = [
  [
    setting("fsmonitor", ["core.fsmonitor"], ["status"]),
    filter("clean", ({ repository: { git } }, program) => {
      git("config", "filter.clean.clean", program);
      git("config", "filter.clean.required", "true");
    }),
    filter("process", ({ repository: { git } }, program) => git("config", "filter.process.process", program)),
    filter(
      "equals",
      ({ repository }, program) => appendFile(repository.path(".git/config"), `[filter "a=b"]\n\tclean = ${program}\n`),
      "a=b",
    ),
    filter("included", async ({ repository }, program) => {
      await repository.put({ "more.config": `[filter "included"]\n\tclean = ${program}\n` });
      repository.git("config", "include.path", "../more.config");
    }),
    filter("worktree", ({ repository: { git } }, program) => {
      git("config", "extensions.worktreeConfig", "true");
      git("config", "--worktree", "filter.worktree.clean", program);
    }),
    setting("external", ["diff.external"], ["diff", "--", "a.txt"]),
    {
      name: "driver",
      async set(trap, program) {
        trap.repository.git("config", "diff.driver.command", program);
        await attribute(trap, "driver.txt diff=driver");
      },
      spring: ["diff", "--", "driver.txt"],
    },
    {
      name: "textconv",
      async set(trap, program) {
        trap.repository.git("config", "diff.textconv.textconv", program);
        await attribute(trap, "textconv.txt diff=textconv");
      },
      spring: ["blame", "textconv.txt"],
    },
    setting("unused", ["core.pager", "core.editor", "sequence.editor", "core.askPass", "credential.helper"], []),
  ],
  [
    hooks("hooks-path", "evil", ({ repository }) => repository.git("config", "core.hooksPath", "evil")),
    remote("ssh", () => "ssh://host.invalid/x", ["core.sshCommand"]),
  ],
  [hooks("hooks", ".git/hooks"), remote("helper", (program) => `ext::${program}`, [])],
  [
    {
      name: "gpg",
      set({ repository: { git } }, program) {
        git("config", "gpg.program", program);
        git("config", "commit.gpgSign", "true");
        git("config", "log.showSignature", "true");
      },
      spring: ["commit", "--no-verify", "--allow-empty", "-m", "x"],
    },
    remote("upload-pack", () => ".", ["remote.evil.uploadpack"]),
  ],
];

/** Programs that are not asked to pass on what they read. */
const ENDS = new Set(["fsmonitor", "hooks", "hooks-path", "gpg", "process", "ssh", "helper", "upload-pack"]);

function makePartial(git: TestRepository["git"], url: string): void {
  git("config", "core.repositoryFormatVersion", "1");
  git("config", "extensions.partialClone", "evil");
  git("config", "protocol.ext.allow", "always");
  git("config", "remote.evil.promisor", "true");
  git("config", "remote.evil.url", url);
}

describe.skipIf(!hasGit)("a repository cannot make the tools run a program", () => {
  test.each(WAYS.map((ways) => [ways.map(({ name }) => name).join(", "), ways] as const))("%s", async (_, ways) => {
    const trap = await makeTrap();
    const { repository } = trap;
    const files = (text: string): Record<string, string> =>
      Object.fromEntries(["a", ...ways.map(({ name }) => name)].map((name) => [`${name}.txt`, text]));
    await repository.commit("first", files("1\n"));
    await repository.commit("second", files("1\n2\n"));
    await repository.put(files("1\n2\n3\n"));
    for (const { name, set } of ways) await set(trap, await trap.program(name, ENDS.has(name) ? "exit 1" : undefined));
    await trap.sprung();
    const bench = await openWorkstation({ root: repository.root });
    await runAllTools(
      bench,
      ways.map(({ name }) => `${name}.txt`),
    );
    expect(await trap.sprung()).toEqual([]);
    expect(repository.git("-c", "core.fsmonitor=", "-c", "log.showSignature=false", "log", "-1", "--format=%s")).toBe(
      "made\n",
    );
    await trap.sprung();

    for (const { name, spring } of ways.filter((way) => way.spring.length > 0)) {
      await repository.put(files("1\n4\n"));
      try {
        repository.git(...spring);
      } catch {
        // Some of the programs are no good ones; that they run is what counts.
      }
      expect(await trap.sprung()).toContain(name);
    }
  });

  test("the filter of a submodule", async () => {
    const library = await makeRepository();
    await library.commit("first", { "lib.txt": "1", ".gitattributes": "* filter=evil\n" });
    const trap = await makeTrap();
    const { repository } = trap;
    repository.git("submodule", "--quiet", "add", library.root, "lib");
    await repository.commit("one", { "a.txt": "1\n" });
    await repository.commit("two", { "a.txt": "2\n" });
    await repository.put({ "a.txt": "3\n" });
    repository.git("-C", "lib", "config", "filter.evil.clean", await trap.program("submodule"));
    await touch(repository.path("lib/lib.txt"));
    await runAllTools(await openWorkstation({ root: repository.root }), []);
    expect(await trap.sprung()).toEqual([]);
    repository.git("add", ".");
    expect(await trap.sprung()).toEqual(["submodule"]);
  });

  test("a filter whose name is no UTF-8 cannot be switched off, so the repository is refused", async () => {
    const trap = await makeTrap();
    const { repository } = trap;
    await repository.commit("first", { "a.txt": "1\n" });
    const program = await trap.program("latin");
    const name = Buffer.from([0xff]);
    const section = [Buffer.from('[filter "'), name, Buffer.from(`"]\n\tclean = ${program}\n`)];
    await appendFile(repository.path(".git/config"), Buffer.concat(section));
    await writeFile(repository.path(".gitattributes"), Buffer.concat([Buffer.from("* filter="), name]));
    const { fail } = await openWorkstation({ root: repository.root });
    const failed = await fail("git_status");
    expect([failed.code, failed.text]).toEqual(["GIT_FAILED", expect.stringContaining("which is no UTF-8")]);
    expect(await trap.sprung()).toEqual([]);
  });

  test("a program named git that the project brings along", async () => {
    const trap = await makeTrap();
    const { repository } = trap;
    await repository.commit("first", { "a.txt": "1\n" });
    const text = (await readFile(await trap.program("false-git"), "utf8")).split("\n").slice(1);
    for (const folder of ["bin", "node_modules/.bin"]) await putProgram(repository.path(folder, "git"), text);
    await putProgram(repository.path("git"), text);
    const places = [".", "bin", repository.path("bin"), repository.path("node_modules/.bin"), process.env["PATH"]];
    vi.stubEnv("PATH", places.join(path.delimiter));
    const { call } = await openWorkstation({ root: repository.root });
    expect(await call("git_current_branch")).toMatchObject({ branch: "main" });
    expect(await trap.sprung()).toEqual([]);
  });

  test("the server's own GIT_ variables", async () => {
    const trap = await makeTrap();
    const other = await makeRepository();
    const { repository } = trap;
    const hash = await repository.commit("first", { "a.txt": "1\n" });
    await repository.put({ "a.txt": "2\n" });
    const program = await trap.program("variable");
    const folder = await makeFolder();
    for (const name of [
      "GIT_EXTERNAL_DIFF",
      "GIT_PAGER",
      "GIT_EDITOR",
      "GIT_SSH_COMMAND",
      "GIT_ASKPASS",
      "PAGER",
      "EDITOR",
    ])
      vi.stubEnv(name, program);
    vi.stubEnv("GIT_DIR", other.path(".git"));
    vi.stubEnv("GIT_TRACE", path.join(folder, "trace"));
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.fsmonitor");
    vi.stubEnv("GIT_CONFIG_VALUE_0", program);
    const bench = await openWorkstation({ root: repository.root });
    expect(await bench.call("git_current_branch")).toMatchObject({ hash });
    await runAllTools(bench, []);
    expect(await trap.sprung()).toEqual([]);
    await expect(stat(path.join(folder, "trace"))).rejects.toThrow("ENOENT");
  });
});

describe.skipIf(!hasGit)("a filter that is switched off", () => {
  test("is reported, and paths through it are not staged", async () => {
    const trap = await makeTrap();
    const { repository } = trap;
    await repository.commit("first", { "a.txt": "1\n" });
    repository.git("config", "filter.crypt.clean", await trap.program("crypt"));
    await repository.put({ ".gitattributes": "*.secret filter=crypt\n", "b.secret": "plain\n" });
    const { call, fail } = await openWorkstation({ root: repository.root });
    expect(await call("git_status")).toMatchObject({ filters_off: ["crypt"] });
    const failed = await fail("git_add", { files: ["."] });
    expect([failed.code, failed.text]).toEqual([
      "FORBIDDEN_COMMAND",
      expect.stringContaining('goes through the filter "crypt" of .git/config'),
    ]);
    expect(await call("git_status")).toMatchObject({ counts: { staged: 0 } });
    expect(await call("git_add", { files: [".gitattributes"] })).toMatchObject({ total: 1 });
  });

  test("runs where the user defines it, not the repository", async () => {
    const trap = await makeTrap();
    const { repository } = trap;
    await repository.commit("first", { "a.txt": "1\n" });
    repository.git("config", "--global", "filter.mine.clean", "tr a-z A-Z");
    await repository.put({ ".gitattributes": "*.up filter=mine\n", "b.up": "plain\n" });
    const { call } = await openWorkstation({ root: repository.root });
    await call("git_add", { files: "." });
    expect(repository.git("show", ":b.up")).toBe("PLAIN\n");
  });
});
