import { describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { openBench } from "../kit.js";
import { LIMIT, PATHS, TOTAL, WEIGHT } from "./sources.js";

const IMPORTS = Array.from({ length: 30 }, (_, index) => `import { name${index} } from "./module-${index}.js";\n`).join(
  "",
);
const LICENSE = `/*\n${" * Permission is hereby granted to whoever reads this far.\n".repeat(20)} */\n`;

describe("analyze_duplicates", () => {
  test("finds an exact copy in another file, with its lines", async () => {
    const { call } = await openBench({ files: { "a.ts": `${PATHS}\n${TOTAL}`, "b.ts": TOTAL } });
    const found = await call("analyze_duplicates");
    expect(found["groups"]).toEqual([
      {
        kind: "exact",
        tokens: 85,
        lines: 9,
        copies: [
          { path: "a.ts", line: 15, end_line: 23 },
          { path: "b.ts", line: 1, end_line: 9 },
        ],
      },
    ]);
    expect(found).toMatchObject({ total: 1, files: 2, lines: 29, duplicated_lines: 18, percent: 62.07 });
  });

  test("finds a copy in which names and literals were changed", async () => {
    const { call } = await openBench({ files: { "a.ts": TOTAL, "b.ts": `${PATHS}${WEIGHT}` } });
    expect((await call("analyze_duplicates"))["groups"]).toEqual([
      {
        kind: "renamed",
        tokens: 85,
        lines: 9,
        copies: [
          { path: "a.ts", line: 1, end_line: 9 },
          { path: "b.ts", line: 14, end_line: 22 },
        ],
      },
    ]);
  });

  test("finds copies within one file, and puts all copies into one group", async () => {
    const { call } = await openBench({ files: { "a.ts": `${TOTAL}${PATHS}${WEIGHT}`, "b.ts": TOTAL } });
    const { groups } = await call("analyze_duplicates");
    expect(groups).toMatchObject([
      {
        kind: "renamed",
        copies: [
          { path: "a.ts", line: 1 },
          { path: "a.ts", line: 23 },
          { path: "b.ts", line: 1 },
        ],
      },
    ]);
  });

  test("finds two files that are the same in full, also where a third has a part of them", async () => {
    const other = LIMIT.replace("sum = sum / 2", "sum = list.length / 2")
      .replaceAll("sum", "total")
      .replaceAll("list", "prices");
    const { call, client } = await openBench({ files: { "a.ts": LIMIT, "b.ts": LIMIT, "d.ts": other } });
    const found = await call("analyze_duplicates");
    expect(found["groups"]).toMatchObject([
      { kind: "renamed", exact_copies: 2, lines: 11, copies: [{ path: "a.ts" }, { path: "b.ts" }, { path: "d.ts" }] },
      {
        kind: "exact",
        lines: 14,
        copies: [
          { path: "a.ts", line: 1, end_line: 14 },
          { path: "b.ts", line: 1, end_line: 14 },
        ],
      },
    ]);
    expect(found).toMatchObject({ lines: 42, duplicated_lines: 39, percent: 92.86 });
    expect(textOf(await client.callTool("analyze_duplicates", {}))).toContain(
      "\nrenamed (2 of them exact), 3 × 11 lines, ",
    );
  });

  test("a name that stands now for one and now for another is no renaming", async () => {
    const mixed = WEIGHT.replace("of parcels", "of loss").replace("kilos += load", "load += kilos");
    const { call } = await openBench({ files: { "a.ts": TOTAL, "b.ts": mixed } });
    expect((await call("analyze_duplicates"))["total"]).toBe(0);
  });

  test("imports, comments and tables of values do not count", async () => {
    const rows = (start: number) =>
      Array.from(
        { length: 40 },
        (_, index) => `  { id: ${start + index}, name: "n${start * index}", on: true },\n`,
      ).join("");
    const files = {
      "a.ts": `${LICENSE}${IMPORTS}export const one = [\n${rows(1)}];\n`,
      "b.ts": `${LICENSE}${IMPORTS}export const two = [\n${rows(7000)}];\n`,
    };
    const { call } = await openBench({ files });
    expect(await call("analyze_duplicates")).toMatchObject({ total: 0, duplicated_lines: 0, percent: 0 });
  });

  test("different code has no copies, and neither has an empty folder", async () => {
    const { call, put } = await openBench();
    expect(await call("analyze_duplicates")).toMatchObject({ total: 0, files: 0, percent: 0 });
    await put("a.ts", TOTAL);
    await put("b.ts", PATHS);
    expect(await call("analyze_duplicates")).toMatchObject({ total: 0, files: 2, percent: 0 });
  });

  test("min_lines and min_tokens decide what is a copy", async () => {
    const { call } = await openBench({ files: { "a.ts": TOTAL, "b.ts": TOTAL } });
    expect((await call("analyze_duplicates", { min_tokens: 85, min_lines: 9 }))["total"]).toBe(1);
    expect((await call("analyze_duplicates", { min_tokens: 86 }))["total"]).toBe(0);
    expect((await call("analyze_duplicates", { min_lines: 10 }))["total"]).toBe(0);
  });

  test("generated files and what exclude names are left out", async () => {
    const files = { "a.ts": TOTAL, "b.ts": `// @generated\n${TOTAL}`, "old/c.ts": TOTAL };
    const { call } = await openBench({ files });
    const found = await call("analyze_duplicates", { exclude: ["old/**"] });
    expect(found).toMatchObject({ total: 0, files: 1 });
  });

  test.each([
    [
      "py",
      "def f(a, b):\n    out = []\n    for x in a:\n        if x > b and x != 3:\n            out.append(x * 2)\n        else:\n            out.append([x, b])\n    return sorted(out, key=lambda e: e)\n",
    ],
    [
      "go",
      "func f(a []int, b int) int {\n\ts := 0\n\tfor _, x := range a {\n\t\tif x > b && x != 3 {\n\t\t\ts += x * 2\n\t\t} else {\n\t\t\ts -= g(x, b)\n\t\t}\n\t}\n\treturn s\n}\n",
    ],
    [
      "rb",
      "def f(a, b)\n  out = []\n  a.each do |x|\n    if x > b && x != 3\n      out.push(x * 2)\n    else\n      out.push([x, b], a[0], b + 1)\n    end\n  end\n  out.sort\nend\n",
    ],
  ])("finds copies in .%s files", async (end, source) => {
    const before = end === "go" ? "package p\n" : "";
    const { call } = await openBench({ files: { [`a.${end}`]: before + source, [`b.${end}`]: before + source } });
    const { groups } = await call("analyze_duplicates", { min_tokens: 30 });
    expect(groups).toMatchObject([{ kind: "exact", copies: [{ path: `a.${end}` }, { path: `b.${end}` }] }]);
  });

  test("a file that is only half written is compared as far as it goes", async () => {
    const { call } = await openBench({ files: { "a.ts": TOTAL, "b.ts": `${TOTAL}\nexport function broken( {{{ "` } });
    expect((await call("analyze_duplicates"))["groups"]).toMatchObject([{ kind: "exact", lines: 9 }]);
  });

  test("the largest groups come first, and the rest on the next page", async () => {
    const files = { "a.ts": TOTAL, "b.ts": TOTAL, "c.ts": PATHS, "d.ts": PATHS, "e.ts": PATHS };
    const { call } = await openBench({ files });
    const first = await call("analyze_duplicates", { limit: 1 });
    expect(first).toMatchObject({ total: 2, next_cursor: "1", groups: [{ lines: 13, copies: [{}, {}, {}] }] });
    const second = await call("analyze_duplicates", { limit: 1, offset: 1 });
    expect(second).toMatchObject({ total: 2, groups: [{ lines: 9, copies: [{}, {}] }] });
    expect(second).not.toHaveProperty("next");
  });

  test("the text is in the format that was asked for", async () => {
    const { client, fail } = await openBench({ files: { "a|b.ts": TOTAL, "c.ts": TOTAL } });
    const textIn = async (format: string) => textOf(await client.callTool("analyze_duplicates", { format }));
    expect(await textIn("summary")).toBe(
      "1 group of copies in 2 files: 18 of 18 lines (100 %) are in a copy.\nexact, 2 × 9 lines, 85 tokens: a|b.ts:1-9, c.ts:1-9",
    );
    expect(await textIn("markdown")).toContain("| exact | 9 | 85 | 2 | a\\|b.ts:1-9<br>c.ts:1-9 |");
    expect(JSON.parse(await textIn("json"))).toMatchObject({ total: 1 });
    expect((await fail("analyze_duplicates", { format: "xml" })).text).toContain("markdown");
  });

  test("of very many copies the first are named", async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.ts`, TOTAL]));
    const { call } = await openBench({ files });
    const { groups } = await call("analyze_duplicates");
    expect(groups).toMatchObject([{ more_copies: 10 }]);
    expect((groups as { copies: unknown[] }[])[0]?.copies).toHaveLength(20);
  });
});
