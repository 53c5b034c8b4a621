import { mkdir } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { lines, makeHistory, stopClock } from "./make-history.js";
import { churnOf, fileOf } from "./reading.js";

beforeEach(stopClock);

describe("analyze_code_churn follows a file", () => {
  test("through a chain of names to the one of today", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": 10 } },
      { on: "2031-05-02", move: { "a.ts": "b.ts" } },
      { on: "2031-05-03", put: { "b.ts": lines(11, "a.ts") } },
      { on: "2031-05-04", move: { "b.ts": "sub/c.ts" } },
    ]);
    const report = await churnOf(root);
    expect(report.files).toMatchObject([
      { path: "sub/c.ts", commits: 4, additions: 11, deletions: 0, earlier: ["b.ts", "a.ts"] },
    ]);
    expect(report.summary.deleted_files).toBe(0);
  });

  test("that changes while it gets its name", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": 20 } },
      { on: "2031-05-02", move: { "a.ts": "b.ts" }, put: { "b.ts": `${lines(20, "a.ts")}more\n` } },
    ]);
    expect((await churnOf(root)).files).toMatchObject([{ path: "b.ts", commits: 2, additions: 21, deletions: 0 }]);
  });

  test("when two swap their names", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "one"), "b.ts": lines(20, "two") } },
      { on: "2031-05-02", move: { "a.ts": "t.ts" } },
      { on: "2031-05-03", move: { "b.ts": "a.ts" } },
      { on: "2031-05-04", move: { "t.ts": "b.ts" } },
      { on: "2031-05-05", put: { "b.ts": lines(15, "one") } },
    ]);
    const report = await churnOf(root);
    expect(fileOf(report, "a.ts")).toMatchObject({ commits: 2, additions: 20, earlier: ["b.ts"] });
    expect(fileOf(report, "b.ts")).toMatchObject({ commits: 4, additions: 15, earlier: ["t.ts", "a.ts"] });
    expect(report.files).toHaveLength(2);
  });

  test("whose old name another file has by now", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "old") } },
      { on: "2031-05-02", move: { "a.ts": "b.ts" } },
      { on: "2031-05-03", put: { "a.ts": lines(3, "new") } },
    ]);
    const report = await churnOf(root);
    expect(fileOf(report, "a.ts")).toMatchObject({ commits: 1, additions: 3 });
    expect(fileOf(report, "b.ts")).toMatchObject({ commits: 2, additions: 10 });
  });

  test("whose old name another file had that is gone", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "old") } },
      { on: "2031-05-02", move: { "a.ts": "b.ts" } },
      { on: "2031-05-03", put: { "a.ts": lines(3, "new") } },
      { on: "2031-05-04", drop: ["a.ts"] },
    ]);
    const report = await churnOf(root);
    expect(report.files).toMatchObject([{ path: "b.ts", commits: 2, additions: 10 }]);
    expect(report.summary.deleted_files).toBe(1);
  });

  test("that was deleted and made anew as one file", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(4, "old"), "other.ts": 1 } },
      { on: "2031-05-02", drop: ["a.ts"] },
      { on: "2031-05-03", put: { "a.ts": lines(6, "new") } },
    ]);
    const report = await churnOf(root);
    expect(fileOf(report, "a.ts")).toMatchObject({ commits: 3, additions: 10, deletions: 4 });
    expect(report.summary.deleted_files).toBe(0);
  });

  test("not from a copy: that is a new file", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "same") } },
      { on: "2031-05-02", put: { "b.ts": lines(10, "same") } },
    ]);
    const report = await churnOf(root);
    expect(fileOf(report, "b.ts")).toMatchObject({ commits: 1, additions: 10 });
    expect(fileOf(report, "a.ts")).toMatchObject({ commits: 1, additions: 10 });
  });

  test("whose old name another branch went on with, whichever of them is newer", async () => {
    const renamedBefore = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "a") } },
      { on: "2031-05-02", branch: "side", from: "main", move: { "a.ts": "b.ts" } },
      { on: "2031-05-03", put: { "a.ts": lines(14, "a") } },
      { on: "2031-05-04", merge: "side", move: { "a.ts": "b.ts" } },
    ]);
    const renamedAfter = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": lines(10, "a") } },
      { on: "2031-05-02", put: { "a.ts": lines(14, "a") } },
      { on: "2031-05-03", branch: "side", from: "main", move: { "a.ts": "b.ts" } },
      { on: "2031-05-04", merge: "side", move: { "a.ts": "b.ts" } },
    ]);
    for (const root of [renamedBefore, renamedAfter]) {
      const report = await churnOf(root);
      expect(report.files).toMatchObject([{ path: "b.ts", commits: 3, additions: 14, earlier: ["a.ts"] }]);
      expect(report.summary).toMatchObject({ total_commits: 3, deleted_files: 0 });
      expect(report.left_out).toEqual({ merges: 1, bots: 0, bulk: 0, excluded: 0 });
    }
  });

  test("of which one commit changes two names", async () => {
    const both = (on: string, more: number) => ({
      on,
      branch: "side",
      by: "Bob <b@x>",
      put: { "old.ts": lines(30 + more, "o"), "new.ts": lines(3 + more, "n"), "a.ts": lines(11 + more, "a") },
    });
    const root = await makeHistory([
      { on: "2031-04-20", put: { "old.ts": lines(30, "o"), "a.ts": lines(11, "a") } },
      { ...both("2031-05-02", 1), from: "main" },
      both("2031-05-03", 2),
      both("2031-05-04", 3),
      { on: "2031-04-25", move: { "old.ts": "new.ts" } },
      { on: "2031-05-05", merge: "side", drop: ["old.ts"], put: { "a.ts": lines(14, "a"), "new.ts": lines(33, "o") } },
    ]);
    const report = await churnOf(root);
    expect(report.summary).toMatchObject({ total_commits: 5, deleted_files: 0 });
    expect(fileOf(report, "new.ts")).toMatchObject({ commits: 5, author_count: 2 });
    expect(report.coupling).toEqual([{ files: ["a.ts", "new.ts"], together: 4, degree: 100 }]);
  });

  test("not where the caller does not want it", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": 10 } },
      { on: "2031-05-02", move: { "a.ts": "b.ts" } },
    ]);
    const report = await churnOf(root, { follow_renames: false });
    expect(report.files).toMatchObject([{ path: "b.ts", commits: 1, additions: 10 }]);
    expect(report.summary.deleted_files).toBe(1);
  });

  test("into the folder that was asked for, with the name it had outside", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "old/a.ts": 10, "new/b.ts": 1 } },
      { on: "2031-05-02", put: { "old/a.ts": lines(12, "old/a.ts") } },
      { on: "2031-05-03", move: { "old/a.ts": "new/a.ts" } },
    ]);
    const bench = { project_path: "new" };
    await mkdir(path.join(root, "new"));
    const report = await churnOf(root, bench);
    expect(fileOf(report, "a.ts")).toMatchObject({ commits: 3, additions: 12, earlier: ["../old/a.ts"] });
    expect(fileOf(await churnOf(root, { ...bench, follow_renames: false }), "a.ts")).toMatchObject({ commits: 1 });
  });
});
