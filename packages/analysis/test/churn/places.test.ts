import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeFolder, openBench } from "../kit.js";
import { lines, makeHistory, runGit, stopClock } from "./make-history.js";
import { churnOf } from "./reading.js";

beforeEach(stopClock);

const STEPS = [
  { on: "2031-05-01", put: { "README.md": 3, "packages/one/a.ts": 4, "packages/two/b.ts": 5 } },
  { on: "2031-05-02", put: { "README.md": lines(4, "README.md") } },
  { on: "2031-05-03", put: { "packages/one/a.ts": lines(6, "packages/one/a.ts") } },
];

const pathsOf = (report: { readonly files: readonly { readonly path: string }[] }): string[] =>
  report.files.map((file) => file.path);

describe("analyze_code_churn reads", () => {
  test("a folder of a repository: its files, by names from there, and the commits that change them", async () => {
    const root = await makeHistory(STEPS);
    await mkdir(path.join(root, "packages/one"), { recursive: true });
    const report = await churnOf(root, { project_path: "packages/one" });
    expect(pathsOf(report)).toEqual(["a.ts"]);
    expect(report.summary).toMatchObject({
      total_commits: 2,
      author_contributions: [{ commits: 2, files: 1, lines: 6 }],
    });
    const plain = await churnOf(root, { project_path: "packages/one", follow_renames: false });
    expect(plain.files).toEqual(report.files);
    expect(plain.summary).toEqual(report.summary);
  });

  test("one file", async () => {
    const root = await makeHistory(STEPS);
    await mkdir(path.join(root, "packages/one"), { recursive: true });
    await writeFile(path.join(root, "packages/one/a.ts"), "");
    const report = await churnOf(root, { project_path: "packages/one/a.ts" });
    expect(report.files).toMatchObject([{ path: "a.ts", commits: 2, additions: 6, churn_score: 1 }]);
  });

  test("a repository inside the root", async () => {
    const root = await makeFolder();
    await mkdir(path.join(root, "inner"));
    await makeHistory(STEPS, path.join(root, "inner"));
    expect(pathsOf(await churnOf(root, { project_path: "inner" }))).toEqual([
      "packages/one/a.ts",
      "README.md",
      "packages/two/b.ts",
    ]);
  });

  test("a detached HEAD, a worktree and a bare clone like any other", async () => {
    const root = await makeHistory(STEPS);
    const expected = await churnOf(root);
    runGit(root, ["worktree", "add", "--quiet", "--detach", "tree", "main"]);
    runGit(root, ["clone", "--quiet", "--bare", ".", "bare.git"]);
    for (const project_path of ["tree", "bare.git"])
      expect(await churnOf(root, { project_path })).toEqual({ ...expected, project_path });
    runGit(root, ["worktree", "add", "--quiet", "--detach", "old", "main~1"]);
    expect((await churnOf(root, { project_path: "old" })).summary.total_commits).toBe(2);
  });

  test("a shallow clone, and says that commits are missing", async () => {
    const root = await makeHistory(STEPS);
    runGit(root, ["clone", "--quiet", "--depth=1", `file://${root}`, "shallow"]);
    const report = await churnOf(root, { project_path: "shallow" });
    expect(report.is_shallow).toBe(true);
    expect(report.notes).toEqual([
      "The clone is shallow: earlier commits are missing, and its oldest commit seems to add every file. Run git fetch --unshallow to get them.",
    ]);
    expect((await churnOf(root)).is_shallow).toBe(false);
  });

  test("a repository without a commit as an empty report", async () => {
    const root = await makeHistory([]);
    const report = await churnOf(root);
    expect(report.files).toEqual([]);
    expect(report.summary).toEqual({
      total_commits: 0,
      total_files_changed: 0,
      deleted_files: 0,
      hotspot_files: [],
      stable_files: [],
      author_contributions: [],
    });
    expect(report.ownership).toEqual({ bus_factor: 0, holders: [] });
    expect(report.notes).toEqual(["There is no commit yet."]);
  });

  test("the same whatever a repository has configured", async () => {
    const moved = { on: "2031-05-04", move: { "README.md": "READ.md" } };
    const root = await makeHistory([...STEPS, moved]);
    const expected = await churnOf(root);
    expect(expected.files.map(({ path: name }) => name)).toContain("READ.md");
    const mailmap = path.join(root, "map");
    await writeFile(mailmap, "Eve <eve@example.com> <ada@example.com>\n");
    for (const [key, value] of [
      ["log.showRoot", "false"],
      ["log.follow", "true"],
      ["log.diffMerges", "separate"],
      ["log.showSignature", "true"],
      ["diff.renames", "false"],
      ["diff.external", "false"],
      ["diff.orderFile", mailmap],
      ["diff.relative", "true"],
      ["diff.noprefix", "true"],
      ["diff.algorithm", "patience"],
      ["mailmap.file", mailmap],
      ["format.pretty", "fuller"],
      ["core.quotePath", "true"],
      ["color.ui", "always"],
    ] as const)
      runGit(root, ["config", key, value]);
    expect(await churnOf(root)).toEqual(expected);
  });

  test("not what the settings hide or exclude", async () => {
    const root = await makeHistory(STEPS);
    const { call } = await openBench({ root, hidden: ["**/two"], settings: { exclude: ["*.md"] } });
    const report = await call("analyze_code_churn", { format: "json" });
    expect(report["files"]).toMatchObject([{ path: "packages/one/a.ts", churn_score: 1 }]);
    expect(report["ages"]).toEqual([{ days: 7, files: 1 }]);
    expect(JSON.stringify(report)).not.toContain("two");
  });

  test("no commit and no file that is gone of what the settings hide", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": 1, "secret/gone.ts": 1 } },
      { on: "2031-05-02", by: "Eve <eve@example.com>", put: { "secret/b.ts": 1 } },
      { on: "2031-05-03", drop: ["secret/gone.ts"] },
    ]);
    const { call } = await openBench({ root, hidden: ["**/secret"] });
    expect(await call("analyze_code_churn")).toMatchObject({
      summary: { total_commits: 1, total_files_changed: 1, deleted_files: 0, author_contributions: [{ name: "Ada" }] },
    });
  });
});

describe("analyze_code_churn refuses", () => {
  test("a folder that is in no repository, and says what to do", async () => {
    const { fail } = await openBench();
    expect(await fail("analyze_code_churn")).toMatchObject({
      code: "NOT_FOUND",
      text: 'Cannot read the history of ".": it is not in a git repository.',
    });
  });

  test("a path that is not there or outside", async () => {
    const root = await makeHistory(STEPS);
    const { fail } = await openBench({ root });
    expect(await fail("analyze_code_churn", { project_path: "nowhere" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await fail("analyze_code_churn", { project_path: "/" })).toMatchObject({ code: "FORBIDDEN_PATH" });
  });

  test.each([
    ["period_days", 0],
    ["period_days", 3651],
    ["format", "xml"],
    ["limit", 0],
  ])("%s %s", async (name, value) => {
    const { client } = await openBench();
    const result = await client
      .callTool("analyze_code_churn", { [name]: value })
      .catch((error: Error) => error.message);
    expect(JSON.stringify(result)).toContain(name);
    expect(JSON.stringify(result)).not.toContain("not in a git repository");
  });
});
