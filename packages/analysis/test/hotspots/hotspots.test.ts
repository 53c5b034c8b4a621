import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { hasGit, makeRepository } from "../../../workstation/test/git/repository.js";
import { openBench } from "../kit.js";

/** Its cognitive complexity is 20: 14 for the first loop, 6 for what follows. */
const BILL = `export function bill(orders, rates) {
  let sum = 0;
  for (const order of orders) { // 1
    if (order.paid) continue; // 2
    for (const item of order.items) { // 2
      if (item.count > 0 && item.price > 0) { // 3 + 1
        if (rates[item.kind]) { // 4
          sum += item.price * rates[item.kind];
        } else { // 1
          sum += item.price;
        }
      }
    }
  }
  if (sum > 100) { // 1
    for (const rate of Object.values(rates)) { // 2
      if (rate > sum) return rate; // 3
    }
  }
  return sum;
}
export const twice = (orders) => 2 * bill(orders, {});
`;
const PLAIN = "export const plain = (a) => (a ? 1 : 2);\n";
const FILES = {
  "src/bill.ts": BILL,
  "src/old.ts": BILL.replaceAll("bill", "old"),
  "src/plain.ts": PLAIN,
  "tests/bill.test.ts": 'import { bill } from "../src/bill.js";\nbill([], {});\n',
};

/** As far back as a period can go. */
const EVER = 3650;

/** Two commits of four change the bill, three the plain file, one the old one; the second bill is Bob's. */
async function makeHistory() {
  const repository = await makeRepository();
  await repository.commit("first", FILES);
  await repository.put({ "src/bill.ts": BILL.replace("> 100", "> 200"), "src/plain.ts": `${PLAIN}// b\n` });
  repository.git("add", "--all");
  repository.git("commit", "--quiet", "--author=Bob <bob@example.com>", "--message=second");
  await repository.commit("third", { "src/plain.ts": `${PLAIN}// c\n` });
  return repository;
}

test("without history files are ranked by complexity, and it is said", async () => {
  const { call } = await openBench({ files: FILES });
  const { basis, total, files, remarks, briefs } = await call("analyze_hotspots", { functions: 1 });
  expect({ basis, total }).toEqual({ basis: "complexity", total: 3 });
  expect(files).toEqual([
    {
      path: "src/bill.ts",
      language: "typescript",
      lines: 22,
      code_lines: 22,
      functions: 2,
      complexity: 20,
      complexity_score: 0.2857,
      churn: 0,
      commits: 0,
      score: 28.57,
      authors: [],
      bus_factor: 0,
    },
    expect.objectContaining({ path: "src/old.ts", score: 28.57 }),
    expect.objectContaining({ path: "src/plain.ts", complexity: 1, score: 1.96 }),
  ]);
  expect(remarks).toEqual([
    expect.stringContaining("Ranked by complexity alone, because there is no history. Cannot read"),
  ]);
  expect(briefs).toMatchObject([{ path: "src/bill.ts", function: "bill", weight: 20, authors: [] }]);
});

test("the brief of a function says what to extract first, who calls it, and which tests touch it", async () => {
  const { call } = await openBench({ files: FILES });
  const { briefs } = await call("analyze_hotspots", { functions: 1 });
  const [brief] = briefs as JsonObject[];
  expect(brief).toMatchObject({ line: 1, end_line: 21, cyclomatic: 10, cognitive: 20, nesting: 4, parameters: 2 });
  expect(brief?.["steps"]).toEqual([
    {
      what: 'the "for"',
      line: 5,
      end_line: 13,
      takes: 11,
      becomes: 8,
      leaves: 9,
      advice: 'Extract lines 5–13 (the "for"): removes 11 of 20, 9 remain; the new function has 8.',
    },
  ]);
  expect(brief?.["increments"]).toEqual([
    { line: 3, adds: 1, reason: "for" },
    { line: 4, adds: 2, reason: "if" },
    { line: 5, adds: 2, reason: "for" },
    { line: 6, adds: 3, reason: "if" },
    { line: 6, adds: 1, reason: "&&" },
    { line: 7, adds: 4, reason: "if" },
    { line: 9, adds: 1, reason: "else" },
    { line: 15, adds: 1, reason: "if" },
    { line: 16, adds: 2, reason: "for" },
    { line: 17, adds: 3, reason: "if" },
  ]);
  expect(brief?.["reasons"]).toEqual([
    { reason: "if", times: 5, adds: 13 },
    { reason: "for", times: 3, adds: 5 },
    { reason: "&&", times: 1, adds: 1 },
    { reason: "else", times: 1, adds: 1 },
  ]);
  expect(brief?.["callers"]).toEqual([{ caller: "twice", line: 22 }]);
  expect(brief?.["tests"]).toEqual([{ path: "tests/bill.test.ts", by: "imports and calls" }]);
});

test("what a step promises is what is measured after it", async () => {
  const lines = BILL.split("\n");
  const extracted = ["function each(order, rates, add) {", ...lines.slice(4, 13), "}"];
  const rest = [...lines.slice(0, 4), "each(order, rates);", ...lines.slice(13)];
  const { call } = await openBench({ files: { "a.ts": [...extracted, ...rest].join("\n") } });
  const { briefs } = await call("analyze_hotspots", { functions: 5 });
  expect((briefs as JsonObject[]).map((brief) => [brief["function"], brief["cognitive"]])).toEqual([
    ["bill", 9],
    ["each", 8],
  ]);
});

test.skipIf(!hasGit)("a file that changes often goes before one that is as complex", async () => {
  const { root } = await makeHistory();
  const { call } = await openBench({ root });
  const { basis, files, remarks, is_shallow } = await call("analyze_hotspots", { period_days: EVER, functions: 2 });
  expect({ basis, remarks, is_shallow }).toEqual({ basis: "complexity and churn", remarks: [], is_shallow: false });
  // Most commits: 3 of plain.ts. Most lines: 24 of bill.ts, which has 22 and one line changed.
  expect(files).toMatchObject([
    // 0.6 · 2/3 + 0.4 · 24/24 = 0.8; 100 · 20/70 · 0.8
    { path: "src/bill.ts", commits: 2, churn: 0.8, score: 22.86, bus_factor: 1, last_modified: "2024-01-02" },
    // 0.6 · 1/3 + 0.4 · 22/24 = 0.5667; 100 · 20/70 · 0.5667
    { path: "src/old.ts", commits: 1, churn: 0.5667, score: 16.19 },
    // 0.6 · 3/3 + 0.4 · 4/24 = 0.6667; 100 · 1/51 · 0.6667
    { path: "src/plain.ts", commits: 3, churn: 0.6667, score: 1.31 },
  ]);
  expect((files as JsonObject[])[0]?.["authors"]).toEqual([
    { name: "Ada", share: 0.5 },
    { name: "Bob", share: 0.5 },
  ]);
});

test.skipIf(!hasGit)("the brief of a function says who wrote it and when", async () => {
  const { root } = await makeHistory();
  const { call } = await openBench({ root });
  const { briefs } = await call("analyze_hotspots", { period_days: EVER, functions: 1 });
  expect(briefs).toMatchObject([
    {
      path: "src/bill.ts",
      function: "bill",
      weight: 16,
      authors: [
        { name: "Ada", share: 0.952 },
        { name: "Bob", share: 0.048 },
      ],
      last_change: "2024-01-02",
      recent_lines: 21,
    },
  ]);
});

test.skipIf(!hasGit)("where nothing has changed in the period, complexity decides and it is said", async () => {
  const { root } = await makeHistory();
  const { call } = await openBench({ root });
  const { basis, remarks, files, briefs } = await call("analyze_hotspots", { period_days: 1, functions: 1 });
  expect(basis).toBe("complexity");
  expect(remarks).toEqual([
    "Ranked by complexity alone, because nothing changed in the last day. Use a longer period.",
  ]);
  expect(files).toMatchObject([{ score: 28.57 }, { score: 28.57 }, { score: 1.96 }]);
  expect(briefs).toMatchObject([{ last_change: "2024-01-02", recent_lines: 0 }]);
});

test.skipIf(!hasGit)("a shallow clone is said to be one", async () => {
  const origin = await makeHistory();
  const { root } = await openBench();
  origin.git("clone", "--quiet", "--depth=1", `file://${origin.root}`, `${root}/clone`);
  const { call } = await openBench({ root: `${root}/clone` });
  const { is_shallow, remarks } = await call("analyze_hotspots", { period_days: EVER, functions: 1 });
  expect(is_shallow).toBe(true);
  expect(remarks).toEqual([
    "The clone is shallow: changes before its first commit are missing. Run git fetch --unshallow to get them.",
  ]);
});

test.skipIf(!hasGit)(
  "files that change together with that of a function are named, also in a part of the repository",
  async () => {
    const { root, commit } = await makeHistory();
    for (const mark of ["d", "e", "f"])
      await commit(mark, { "src/bill.ts": `${BILL}// ${mark}\n`, "src/old.ts": `${FILES["src/old.ts"]}// ${mark}\n` });
    const { call } = await openBench({ root });
    const { files, briefs } = await call("analyze_hotspots", { project_path: "src", period_days: EVER, functions: 1 });
    expect(files).toMatchObject([
      { path: "bill.ts", commits: 5 },
      { path: "old.ts", commits: 4 },
      { path: "plain.ts", commits: 3 },
    ]);
    expect(briefs).toMatchObject([{ path: "bill.ts", coupled: [{ path: "old.ts", degree: 100 }] }]);
    const alone = await call("analyze_hotspots", { project_path: "src/old.ts", period_days: EVER });
    expect(alone["files"]).toMatchObject([{ path: "old.ts", commits: 4, churn: 1, score: 28.57 }]);
  },
);

test("top, functions and globs narrow the result", async () => {
  const { call } = await openBench({ files: FILES });
  const { total, files, briefs } = await call("analyze_hotspots", { top: 1, functions: 0, exclude: ["src/bill.ts"] });
  expect(total).toBe(2);
  expect(files).toMatchObject([{ path: "src/old.ts" }]);
  expect(briefs).toEqual([]);
});

test("tests are ranked only where nothing else is there", async () => {
  const { call } = await openBench({ files: { "tests/a.test.ts": PLAIN } });
  expect((await call("analyze_hotspots"))["files"]).toMatchObject([{ path: "tests/a.test.ts", complexity: 1 }]);
});

test.each([
  ["summary", "1. src/bill.ts: score 28.57 (complexity 20, 22 code lines)\n"],
  ["markdown", "| 1 | src/bill.ts | 28.57 | 20 | – | 0 | 22 | 0 |  |\n"],
  ["json", '"basis":"complexity"'],
])("the format %s is the text of the result", async (format, text) => {
  const { client } = await openBench({ files: FILES });
  expect(textOf(await client.callTool("analyze_hotspots", { format }))).toContain(text);
});

test("a result keeps to its size, and says what it has left out", async () => {
  const long = Array.from({ length: 60 }, (_, index) => `if (a${index}) b(${index});`).join("\n");
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `${"deep/".repeat(20)}file${index}.ts`,
      `function f${index}() {\n${long}\n}\n`,
    ]),
  );
  const { client } = await openBench({ files });
  const result = await client.callTool("analyze_hotspots", { functions: 20, top: 100 });
  expect(result["isError"]).not.toBe(true);
  expect((result["structuredContent"] as JsonObject)["left_out"]).toMatch(
    /^Left out to limit the size: \d+ briefs\. Analyze fewer files to see them\.$/,
  );
});

test("an empty project has no hotspots", async () => {
  const { client } = await openBench();
  expect(textOf(await client.callTool("analyze_hotspots", {}))).toMatch(/^No files to rank\.\n/);
});
