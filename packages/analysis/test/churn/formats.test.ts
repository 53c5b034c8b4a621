import type { JsonObject } from "@toolwright/engine";
import { beforeEach, describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { openBench } from "../kit.js";
import { lines, makeHistory, stopClock } from "./make-history.js";
import { churnOf } from "./reading.js";

beforeEach(stopClock);

/** The text of a report in a format, and the rest of it. */
async function written(root: string, format: string, args: JsonObject = {}) {
  const { client } = await openBench({ root });
  const result = await client.callTool("analyze_churn", { format, ...args });
  return { text: textOf(result), structured: result["structuredContent"] };
}

const STEPS = [
  { on: "2031-05-01", put: { "src/a.ts": 10, "src/b.ts": 10 } },
  { on: "2031-05-02", put: { "src/a.ts": lines(12, "src/a.ts"), "src/b.ts": lines(8, "src/b.ts") } },
  { on: "2031-05-03", by: "Bob <b@x>", put: { "src/a.ts": lines(14, "src/a.ts"), "src/b.ts": lines(9, "src/b.ts") } },
];

describe("analyze_code_churn writes", () => {
  test("a summary in a few lines", async () => {
    const { text } = await written(await makeHistory(STEPS), "summary");
    expect(text.split("\n")).toEqual([
      "Churn of . in the last 30 days (since 2031-04-06): 3 commits, 2 files changed.",
      "Most churn (score: 0.6 · commits + 0.4 · lines, each as a share of the maximum):",
      "  1.000  src/a.ts  3 commits, +14 -0, 2 authors, last 2031-05-03",
      "  0.971  src/b.ts  3 commits, +11 -2, 2 authors, last 2031-05-03",
      "Change together:",
      "  src/a.ts + src/b.ts  3 commits, 100 %",
      "Bus factor 1: Ada 89 %.",
      "Last change: 2 files within 7 days.",
    ]);
  });

  test("one of anything as one", async () => {
    const root = await makeHistory([
      { on: "2031-05-06", put: { "a.ts": 1 } },
      { on: "2031-05-06", put: { "b.ts": 1 }, branch: "side", from: "main" },
      { on: "2031-05-06", drop: ["a.ts"], put: { "c.ts": 5 } },
      { on: "2031-05-06", merge: "side", drop: ["b.ts"] },
    ]);
    const { text } = await written(root, "summary", { period_days: 1, exclude_authors: ["Eve"] });
    expect(text.split("\n")).toEqual([
      "Churn of . in the last day (since 2031-05-05): 3 commits, 1 file changed, 2 more deleted.",
      "Ignored commits: 1 merge. Include all commits to count merges, bots and bulk changes.",
      "Most churn (score: 0.6 · commits + 0.4 · lines, each as a share of the maximum):",
      "  1.000  c.ts  1 commit, +5 -0, 1 author, last 2031-05-06",
      "Bus factor 1: Ada 100 %.",
      "Last change: 1 file within 7 days.",
    ]);
    expect((await written(root, "markdown", { period_days: 1 })).text).toContain(
      "\nThe last day (since 2031-05-05): 3 commits, 1 file changed, 2 more deleted.\n",
    );
  });

  test("the same structured content with every format", async () => {
    const root = await makeHistory(STEPS);
    const { text, structured } = await written(root, "json");
    expect(JSON.parse(text)).toEqual(structured);
    for (const format of ["summary", "markdown", "csv"])
      expect((await written(root, format)).structured).toEqual(structured);
  });

  test("CSV as RFC 4180 has it, without formulas", async () => {
    const root = await makeHistory([
      {
        on: "2031-05-01",
        put: { "=1+1": 4, "@types/a.ts": 3, 'say "hi", you.ts': 2, '"two\\nlines"': 1 },
      },
    ]);
    expect((await written(root, "csv")).text).toBe(
      [
        "file_path,commits,additions,deletions,churn_score,unique_authors,last_modified",
        "'=1+1,1,4,0,1.000,1,2031-05-01",
        "'@types/a.ts,1,3,0,0.900,1,2031-05-01",
        '"say ""hi"", you.ts",1,2,0,0.800,1,2031-05-01',
        '"two\nlines",1,1,0,0.700,1,2031-05-01',
        "",
      ].join("\r\n"),
    );
  });

  test("Markdown with ten rows, in which a name marks nothing up", async () => {
    const names = Array.from({ length: 12 }, (_, at) => [`f${at}.ts`, 20 - at]);
    const odd = { "a|b_[c](d)`e`<f>.ts": 30, '"x\\ny"': 29 };
    const root = await makeHistory([{ on: "2031-05-01", put: { ...odd, ...Object.fromEntries(names) } }]);
    const { text } = await written(root, "markdown");
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    expect(rows).toHaveLength(12);
    expect(rows.slice(0, 5)).toEqual([
      "| File | Commits | Added | Deleted | Score | Authors | Last change |",
      "|---|---:|---:|---:|---:|---:|---|",
      "| a\\|b\\_\\[c\\](d)\\`e\\`\\<f\\>.ts | 1 | 30 | 0 | 1.000 | 1 | 2031-05-01 |",
      "| x\u{FFFD}y | 1 | 29 | 0 | 0.987 | 1 | 2031-05-01 |",
      "| f0.ts | 1 | 20 | 0 | 0.867 | 1 | 2031-05-01 |",
    ]);
    expect(text).toContain("\nBus factor 1: Ada 100 %.\n");
  });

  test("a page of files, and where the next one starts", async () => {
    const names = Array.from({ length: 7 }, (_, at) => [`f${at}.ts`, 9 - at]);
    const root = await makeHistory([{ on: "2031-05-01", put: Object.fromEntries(names) }]);
    const first = await churnOf(root, { limit: 3 });
    expect([first.files.map(({ path }) => path), first.next_cursor]).toEqual([["f0.ts", "f1.ts", "f2.ts"], "3"]);
    const last = await churnOf(root, { limit: 3, offset: 6 });
    expect([last.files.map(({ path }) => path), last.next_cursor]).toEqual([["f6.ts"], undefined]);
    expect(first.summary.total_files_changed).toBe(7);
  });

  test("no more than fits into a result, whatever the names are like", async () => {
    const long = (at: number): string => `${String(at).padStart(3, "0")}/${`${"x".repeat(200)}/`.repeat(9)}f.ts`;
    const put = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [long(at), 40 - at]));
    const again = Object.fromEntries(Object.keys(put).map((name) => [name, lines(50, name)]));
    const root = await makeHistory([1, 2, 3].map((day) => ({ on: `2031-05-0${day}`, put: day === 2 ? again : put })));
    for (const format of ["json", "csv", "markdown", "summary"]) {
      const { text, structured } = await written(root, format, { limit: 500 });
      expect(Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(40_000);
      expect(Buffer.byteLength(text)).toBeLessThan(40_000);
      expect(structured).toMatchObject({ next_cursor: "11" });
    }
  });
});
