import { beforeEach, describe, expect, test } from "vitest";
import { openBench } from "../kit.js";
import { lines, makeHistory, stopClock } from "./make-history.js";
import { churnOf, fileOf } from "./reading.js";

beforeEach(stopClock);

const BOB = "Bob <bob@example.com>";

describe("analyze_code_churn counts", () => {
  test("commits, lines, authors and dates of each file, and gives them the score of the source document", async () => {
    const root = await makeHistory([
      { on: "2031-04-20", put: { "a.ts": 10, "b.ts": 10 } },
      { on: "2031-04-25", by: BOB, put: { "a.ts": lines(12, "a.ts") } },
      { on: "2031-05-01", put: { "a.ts": lines(5, "a.ts") } },
    ]);
    const report = await churnOf(root);
    expect(report.files).toEqual([
      {
        path: "a.ts",
        commits: 3,
        unique_authors: ["Ada", "Bob"],
        author_count: 2,
        additions: 12,
        deletions: 7,
        first_seen: "2031-04-20",
        last_modified: "2031-05-01",
        churn_score: 1,
        age_days: 5,
        bus_factor: 1,
      },
      {
        path: "b.ts",
        commits: 1,
        unique_authors: ["Ada"],
        author_count: 1,
        additions: 10,
        deletions: 0,
        first_seen: "2031-04-20",
        last_modified: "2031-04-20",
        // 0.6 · 1/3 + 0.4 · 10/19
        churn_score: 0.411,
        age_days: 16,
        bus_factor: 1,
      },
    ]);
    expect(report.summary).toEqual({
      total_commits: 3,
      total_files_changed: 2,
      deleted_files: 0,
      hotspot_files: ["a.ts"],
      stable_files: [],
      author_contributions: [
        { name: "Ada", commits: 2, files: 2, lines: 27 },
        { name: "Bob", commits: 1, files: 1, lines: 2 },
      ],
    });
    expect(report.ownership).toEqual({ bus_factor: 1, holders: [{ name: "Ada", percent: 93 }] });
    expect(report.ages).toEqual([
      { days: 7, files: 1 },
      { days: 30, files: 1 },
    ]);
  });

  test("only what was committed in the period, to the second", async () => {
    const root = await makeHistory([
      { on: "2031-04-26T11:59:59Z", put: { "early.ts": 1 } },
      { on: "2031-04-26T12:00:00Z", put: { "first.ts": 1 } },
      { on: "2031-05-06T11:00:00Z", put: { "last.ts": 1 } },
    ]);
    const report = await churnOf(root, { period_days: 10 });
    expect(report.since).toBe("2031-04-26");
    expect(report.files.map(({ path }) => path)).toEqual(["first.ts", "last.ts"]);
    expect(report.ages).toEqual([{ days: 7, files: 1 }, { days: 30, files: 1 }, { files: 1 }]);
  });

  test("includes commits behind one that a wrong clock dated before the period", async () => {
    const root = await makeHistory([
      { on: "2031-04-20", put: { "a.ts": 1 } },
      { on: "2031-03-01", put: { "a.ts": 2 } },
      { on: "2031-05-01", put: { "a.ts": 3 } },
    ]);
    expect((await churnOf(root)).summary.total_commits).toBe(2);
  });

  test("a commit once, however many files it changes", async () => {
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 1, "b.ts": 1, "c.ts": 1 } }]);
    expect((await churnOf(root)).summary.total_commits).toBe(1);
  });

  test("files that are gone apart, and the commits that changed them", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "a.ts": 1, "gone.ts": 5 } },
      { on: "2031-05-02", drop: ["gone.ts"] },
    ]);
    const report = await churnOf(root);
    expect(report.files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(report.summary).toMatchObject({ total_commits: 2, total_files_changed: 1, deleted_files: 1 });
  });

  test("a binary file without lines", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", put: { "logo.png": Uint8Array.of(0, 1, 2) } },
      { on: "2031-05-02", by: BOB, put: { "logo.png": Uint8Array.of(0, 3, 4) } },
      { on: "2031-05-03", by: BOB, put: { "logo.png": Uint8Array.of(0, 5, 6) } },
    ]);
    expect((await churnOf(root)).files).toMatchObject([
      { path: "logo.png", commits: 3, additions: 0, deletions: 0, churn_score: 0.6, bus_factor: 1 },
    ]);
  });

  test("a submodule not at all", async () => {
    const hash = "1234567890123456789012345678901234567890";
    const root = await makeHistory([{ on: "2031-05-01", put: { "a.ts": 1 }, link: { vendored: hash } }]);
    const report = await churnOf(root);
    expect(report.files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(report.ages).toEqual([{ days: 7, files: 1 }]);
  });

  test("files with any name and authors with any name", async () => {
    const root = await makeHistory([
      {
        on: "2031-05-01",
        by: 'Ann | "Bee" \t= <ann|bee@example.com>',
        put: {
          '"tab\\tand\\nline.ts"': 1,
          "quote'\".ts": 2,
          '"\\377\\376.bin"': 3,
          "ünï.ts": 4,
          "-rf": 5,
          "1\t2\tx": 6,
          ":100644 a": 7,
          "@here": 8,
        },
      },
    ]);
    const report = await churnOf(root);
    expect(report.files.map(({ path, additions }) => [path, additions])).toEqual([
      ["@here", 8],
      [":100644 a", 7],
      ["1\t2\tx", 6],
      ["-rf", 5],
      ["ünï.ts", 4],
      ["\\xFF\\xFE.bin", 3],
      ["quote'\".ts", 2],
      ["tab\tand\nline.ts", 1],
    ]);
    expect(report.summary.author_contributions[0]?.name).toBe('Ann | "Bee" \t=');
  });

  test("a person once whom the mailmap knows under several names", async () => {
    const root = await makeHistory([
      { on: "2031-05-01", by: "ada <ada@old.example>", put: { "a.ts": 1 } },
      { on: "2031-05-02", put: { "a.ts": 2 } },
    ]);
    const bench = await openBench({ root, files: { ".mailmap": "Ada <ada@example.com> <ada@old.example>\n" } });
    const report = await bench.call("analyze_code_churn", { format: "json" });
    expect(report["summary"]).toMatchObject({
      author_contributions: [{ name: "Ada", commits: 2, files: 1, lines: 2 }],
    });
  });

  test("a commit whose message has no end", async () => {
    const says = `${"many words ".repeat(30_000)}\n\nand more`;
    const root = await makeHistory([
      { on: "2031-05-01", says, put: { "a.ts": 3 } },
      { on: "2031-05-02", says: "", put: { "a.ts": 4 } },
    ]);
    expect((await churnOf(root)).files).toMatchObject([{ path: "a.ts", commits: 2, additions: 4 }]);
  });

  test("the days since the last change also where a clock was wrong", async () => {
    const root = await makeHistory([{ on: "2040-01-01", put: { "a.ts": 1 } }]);
    expect(fileOf(await churnOf(root), "a.ts")).toMatchObject({ age_days: 0, last_modified: "2040-01-01" });
  });
});
