import { beforeEach, describe, expect, test } from "vitest";
import { addHistory, makeHistory, runGit, type Step, stopClock } from "./make-history.js";
import { churnOf } from "./reading.js";

beforeEach(stopClock);

/** So many files, each with so many lines. */
const many = (count: number, length: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/file-${at}.ts`, length]));

/** What a history leaves out, and what it counts. */
async function countsOf(steps: readonly Step[], args = {}) {
  const root = await makeHistory([{ on: "2031-04-10", put: { "old.ts": 1 } }, ...steps]);
  const { left_out, summary } = await churnOf(root, { period_days: 20, ...args });
  return { ...left_out, commits: summary.total_commits };
}

describe("analyze_code_churn leaves out", () => {
  test("merges, but not what they merge", async () => {
    const steps = [
      { on: "2031-05-01", put: { "a.ts": 1 } },
      { on: "2031-05-02", branch: "side", from: "main", put: { "b.ts": 2 } },
      { on: "2031-05-03", put: { "a.ts": 2 } },
      { on: "2031-05-04", merge: "side", put: { "b.ts": 2 } },
    ];
    expect(await countsOf(steps)).toEqual({ merges: 1, bots: 0, bulk: 0, excluded: 0, commits: 3 });
    expect(await countsOf(steps, { all_commits: true })).toMatchObject({ merges: 0, commits: 4 });
  });

  test("bots by their names and addresses", async () => {
    const bots = [
      "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
      "any-app[bot] <any@example.com>",
      "Renovate Bot <bot@renovateapp.com>",
      "github-actions <actions@github.com>",
      "greenkeeperio-bot <support@greenkeeper.io>",
      "semantic-release-bot <semantic-release-bot@martynus.net>",
    ];
    const people = ["Abbot <abbot@example.com>", "Robot Jones <jones@example.com>", "R. Novate <renovate@example.com>"];
    const steps = [...bots, ...people].map((by, at) => ({ on: "2031-05-01", by, put: { "a.ts": at + 1 } }));
    expect(await countsOf(steps)).toEqual({ merges: 0, bots: 6, bulk: 0, excluded: 0, commits: 3 });
    expect(await countsOf(steps, { all_commits: true })).toMatchObject({ bots: 0, commits: 9 });
  });

  test("authors whom the caller names, whatever else counts", async () => {
    const steps = [
      { on: "2031-05-01", by: "Eve <eve@example.com>", put: { "a.ts": 1 } },
      { on: "2031-05-02", by: "Other Eve <eve@corp.example>", put: { "a.ts": 2 } },
      { on: "2031-05-03", put: { "a.ts": 3 } },
    ];
    const exclude_authors = ["EVE", "Eve@Corp.example"];
    expect(await countsOf(steps, { exclude_authors })).toMatchObject({ excluded: 2, commits: 1 });
    expect(await countsOf(steps, { exclude_authors, all_commits: true })).toMatchObject({ excluded: 2, commits: 1 });
  });

  test("a commit with more than 100 files, where that is more than three in ten of all", async () => {
    const steps = [
      { on: "2031-05-01", put: many(101, 2) },
      { on: "2031-05-02", put: many(100, 3) },
    ];
    expect(await countsOf(steps)).toMatchObject({ bulk: 1, commits: 1 });
    const large = [{ on: "2031-04-01", put: many(400, 1) }, ...steps.map((step) => ({ ...step, put: many(110, 2) }))];
    expect(await countsOf(large)).toMatchObject({ bulk: 0, commits: 1 });
  });

  test("a commit that says that it formats, from 20 files on", async () => {
    const subjects = ["style: use tabs", "Run prettier", "Reformat all sources", "cargo fmt", "Fix line endings"];
    const other = ["Add a date format", "Draw in black", "Inform users"];
    const steps = [...subjects, ...other].map((says, at) => ({ on: "2031-05-01", says, put: many(20, at + 1) }));
    expect(await countsOf(steps)).toMatchObject({ bulk: 5, commits: 3 });
    const few = subjects.map((says, at) => ({ on: "2031-05-01", says, put: many(19, at + 1) }));
    expect(await countsOf(few)).toMatchObject({ bulk: 0, commits: 5 });
  });

  test("what .git-blame-ignore-revs lists", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 5 } }]);
    addHistory(root, [{ on: "2031-05-02", put: { "a.ts": 9 } }]);
    const hash = runGit(root, ["rev-parse", "main"]).trim();
    const list = `# tabs\n${hash} # the change\n\n`;
    addHistory(root, [{ on: "2031-05-03", put: { ".git-blame-ignore-revs": list } }]);
    const report = await churnOf(root);
    expect(report.left_out).toMatchObject({ bulk: 1 });
    expect(report.files).toMatchObject([
      { path: "a.ts", commits: 1, additions: 5 },
      { path: ".git-blame-ignore-revs" },
    ]);
  });

  test("the changes of such a commit, but follows its names", async () => {
    const moves = Object.fromEntries(Object.keys(many(101, 0)).map((name) => [name, name.replace("src", "lib")]));
    const root = await makeHistory([
      { on: "2031-05-01", put: many(50, 2) },
      { on: "2031-05-02", put: many(101, 3) },
      { on: "2031-05-03", says: "Move", move: moves },
    ]);
    const report = await churnOf(root);
    expect(report.left_out.bulk).toBe(2);
    expect(report.summary).toMatchObject({ total_commits: 1, total_files_changed: 50, deleted_files: 0 });
    expect(report.files[0]).toMatchObject({
      path: "lib/file-0.ts",
      commits: 1,
      additions: 2,
      earlier: ["src/file-0.ts"],
    });
    expect(report.notes).toEqual([
      "Ignored commits: 2 that format or move many files. Include all commits to count merges, bots and bulk changes.",
    ]);
  });
});
