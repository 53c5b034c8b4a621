import type { JsonObject } from "@toolwright/engine";
import { getEncoding } from "js-tiktoken";
import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { openBench } from "../kit.js";
import { branches, nested } from "./sources.js";

type Entries = readonly JsonObject[];
const TOOL = "analyze_complexity";

const FILES = {
  "src/flat.ts": branches("flat", 11) + branches("flatter", 10),
  "src/worst.ts": branches("worst", 20) + nested("deep", 6),
  "src/calm.ts": "export const calm = () => 1;\n",
  "lib/tool.py": "def tool(a):\n    return a\n",
};

test("a function is a warning or an error only above the thresholds", async () => {
  const bench = await openBench({ files: FILES });
  const { violations } = await bench.call(TOOL);
  expect(
    (violations as Entries).map((each) => [
      each["severity"],
      each["function"],
      each["rule"],
      each["value"],
      each["threshold"],
    ]),
  ).toEqual([
    ["error", "worst", "cyclomatic-complexity", 21, 20],
    ["warning", "deep", "cognitive-complexity", 21, 15],
    ["warning", "worst", "cognitive-complexity", 20, 15],
    ["warning", "flat", "cyclomatic-complexity", 12, 10],
    ["warning", "flatter", "cyclomatic-complexity", 11, 10],
  ]);
});

test("given thresholds are honoured on both sides", async () => {
  const bench = await openBench({ files: FILES });
  const rows = async (args: JsonObject) =>
    ((await bench.call(TOOL, args))["violations"] as Entries).map((each) => [
      each["severity"],
      each["function"],
      each["value"],
      each["threshold"],
    ]);
  expect(await rows({ max_cyclomatic: 12, max_cognitive: 100 })).toEqual([
    ["error", "worst", 21, 12],
    ["warning", "flat", 12, 9],
    ["warning", "flatter", 11, 9],
  ]);
  expect(await rows({ max_cyclomatic: 21, max_cognitive: 21 })).toEqual([
    ["warning", "worst", 21, 15],
    ["warning", "deep", 21, 15],
    ["warning", "worst", 20, 15],
  ]);
  expect(await rows({ max_cyclomatic: 100, max_cognitive: 100 })).toEqual([]);
});

test("the summary has medians, the 90 percent mark, what it costs, and the languages", async () => {
  const bench = await openBench({ files: FILES });
  const { summary, hotspots, left_out, skipped } = await bench.call(TOOL);
  expect(summary).toMatchObject({
    total_files: 4,
    total_functions: 6,
    median_cyclomatic: 9,
    p90_cyclomatic: 21,
    max_cyclomatic: 21,
    median_cognitive: 10.5,
    p90_cognitive: 21,
    max_cognitive: 21,
    errors: 1,
    warnings: 4,
    // (21 - 20) · 30 min, and (6 + 5 + 2 + 1) · 15 min.
    technical_debt_hours: 4,
    languages: [
      { language: "typescript", files: 3, functions: 5 },
      { language: "python", files: 1, functions: 1 },
    ],
  });
  expect(
    (hotspots as Entries).map((each) => [each["function"], each["cyclomatic"], each["line"], each["end_line"]]),
  ).toEqual([
    ["worst", 21, 1, 23],
    ["flat", 12, 1, 14],
    ["flatter", 11, 15, 27],
  ]);
  expect([left_out, skipped]).toEqual([{ generated: 0, vendored: 0 }, []]);
});

test("files are ranked by the formula of the source document, only where a ranking is wanted", async () => {
  const bench = await openBench({ files: FILES });
  expect((await bench.call(TOOL, { top_files: 0 }))["top_files"]).toBe(undefined);
  const { requested, returned, rankings } = (await bench.call(TOOL, { top_files: 2 }))["top_files"] as JsonObject;
  expect([requested, returned]).toEqual([2, 2]);
  expect(rankings).toEqual([
    // 0.4 · 21 / 50 · 100 + 0.4 · 20.5 + 0.2 · 2 / 100 · 50
    {
      rank: 1,
      file: "src/worst.ts",
      function_count: 2,
      max_cyclomatic: 21,
      avg_cognitive: 20.5,
      halstead_effort: expect.any(Number),
      total_score: 25.2,
    },
    {
      rank: 2,
      file: "src/flat.ts",
      function_count: 2,
      max_cyclomatic: 12,
      avg_cognitive: 10.5,
      halstead_effort: expect.any(Number),
      total_score: 14,
    },
  ]);
});

test("explaining lists what each line adds, up to the value", async () => {
  const bench = await openBench({ files: { "a.ts": nested("deep", 3) } });
  const { violations } = await bench.call(TOOL, { explain: true, max_cognitive: 4, max_cyclomatic: 10 });
  expect((violations as Entries)[0]?.["increments"]).toEqual([
    { line: 2, adds: 1, reason: "if" },
    { line: 2, adds: 2, reason: "if", nesting: 1 },
    { line: 2, adds: 3, reason: "if", nesting: 2 },
  ]);
  expect((await bench.call(TOOL, { max_cognitive: 4 }))["violations"]).toEqual([
    expect.not.objectContaining({ increments: expect.anything() }),
  ]);
});

test("the full format has every function with all that was measured, page by page", async () => {
  const bench = await openBench({ files: FILES });
  const first = await bench.call(TOOL, { format: "full", limit: 4, explain: true });
  expect((first["functions"] as Entries).map((each) => [each["file"], each["name"]])).toEqual([
    ["lib/tool.py", "tool"],
    ["src/calm.ts", "calm"],
    ["src/flat.ts", "flat"],
    ["src/flat.ts", "flatter"],
  ]);
  expect((first["functions"] as Entries)[0]).toMatchObject({
    line: 1,
    end_line: 2,
    cyclomatic: 1,
    cognitive: 0,
    nesting: 0,
    parameters: 1,
    lines: 2,
    code_lines: 2,
    halstead: { operands: 3 },
    increments: [],
  });
  // Those of the functions on this page, no others.
  expect((first["violations"] as Entries).map((each) => each["function"])).toEqual(["flat", "flatter"]);
  expect([first["next_cursor"], first["violations_total"]]).toEqual(["4", 5]);
  const second = await bench.call(TOOL, { format: "full", limit: 4, offset: 4 });
  expect((second["functions"] as Entries).map((each) => each["name"])).toEqual(["worst", "deep"]);
  expect(second["next_cursor"]).toBe(undefined);
});

test("what does not fit comes with the next call, and nothing twice", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `f${String(at).padStart(2, "0")}.ts`,
      branches(`f${at}`, 12) + branches(`g${at}`, 13),
    ]),
  );
  const bench = await openBench({ files });
  for (const format of ["json", "summary", "markdown", "sarif"]) {
    const seen: unknown[] = [];
    let args: JsonObject = { format, limit: 500, explain: true };
    for (let calls = 0; calls < 60; calls++) {
      const result = await bench.client.callTool(TOOL, args);
      expect([format, textOf(result).length < 64 * 1024, result["isError"]]).toEqual([format, true, false]);
      const page = result["structuredContent"] as JsonObject;
      expect(JSON.stringify(page).length).toBeLessThan(40_000);
      seen.push(...(page["violations"] as Entries).map((each) => each["function"]));
      const cursor = page["next_cursor"];
      if (cursor === undefined) break;
      args = { ...args, cursor };
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen.length).toBe(120);
  }
});

test("a toolchain narrows to its languages, and an unknown one is refused with those there are", async () => {
  const bench = await openBench({ files: FILES });
  const total = async (toolchain: string) =>
    ((await bench.call(TOOL, { toolchain }))["summary"] as JsonObject)["total_files"];
  expect([await total("auto"), await total("python-uv"), await total("deno"), await total("rust")]).toEqual([
    4, 1, 3, 0,
  ]);
  const failed = await bench.fail(TOOL, { toolchain: "pyhton" });
  expect(failed.code).toBe("INVALID_ARGUMENT");
  expect(failed.text).toMatch(/^Unknown toolchain "pyhton"\. Did you mean "python"\? Known are auto, typescript, /);
});

test.each([
  ["C#", "csharp", "a.cs", "class A { int F() { return 1; } }\n"],
  ["c++", "cpp", "a.cpp", "int f() { return 1; }\n"],
  ["golang", "go", "a.go", "package a\n\nfunc f() int { return 1 }\n"],
  ["py", "python", "a.py", "def f():\n    return 1\n"],
])("%s is another name of %s", async (toolchain, language, file, source) => {
  const bench = await openBench({ files: { [file]: source, "b.ts": "export const b = () => 1;\n" } });
  const { languages } = (await bench.call(TOOL, { toolchain }))["summary"] as JsonObject;
  expect(languages).toEqual([{ language, files: 1, functions: 1 }]);
});

test.each([{ include: ["*.tx"] }, { toolchain: "rust" }, { format: "markdown", exclude: ["**"] }])(
  "that nothing was measured with %j is said, and not that all is well",
  async (args) => {
    const bench = await openBench({ files: FILES });
    const result = await bench.client.callTool(TOOL, args);
    const remark = "No source file was found. Check the path, include, exclude and the toolchain.";
    expect((result["structuredContent"] as JsonObject)["remark"]).toBe(remark);
    expect(textOf(result)).toContain(remark);
    expect(textOf(result)).not.toContain("No function is above");
  },
);

test("a page of the full format is as long as its limit, as far as a result has room", async () => {
  const bench = await openBench({
    files: { "a.ts": Array.from({ length: 70 }, (_, at) => nested(`f${at}`, 3)).join("") },
  });
  const sizes = async (args: JsonObject) => {
    const result = await bench.client.callTool(TOOL, { format: "full", ...args });
    const page = result["structuredContent"] as JsonObject;
    expect(JSON.stringify(page).length).toBeLessThan(38_000);
    return [(page["functions"] as Entries).length, page["next_cursor"]];
  };
  expect(await sizes({ limit: 60 })).toEqual([60, "60"]);
  const [explained] = await sizes({ limit: 60, explain: true });
  expect(explained).toBeGreaterThan(35);
});

test("the listing of the tool has no more than 300 tokens", async () => {
  const { client } = await openBench();
  const { tools } = (await client.request("tools/list", {})) as { tools: JsonObject[] };
  const { name, description, inputSchema } = tools.find((each) => each["name"] === TOOL) ?? {};
  const text = JSON.stringify({ name, description, inputSchema });
  expect(getEncoding("cl100k_base").encode(text).length).toBeLessThanOrEqual(300);
});

test("files that cannot be read whole are listed, never dropped", async () => {
  const bench = await openBench({
    files: {
      "half.ts": "export function a() {}\n\nfunction b( {\n",
      "bin.ts": Uint8Array.of(0, 1, 2),
      "gen.min.js": "a",
    },
  });
  const { skipped, skipped_total, left_out, summary } = await bench.call(TOOL);
  expect(skipped).toEqual([
    { path: "bin.ts", reason: "not a text file" },
    { path: "half.ts", line: 3, reason: "syntax error in line 3; the rest of the file is measured" },
  ]);
  expect([skipped_total, left_out]).toEqual([2, { generated: 1, vendored: 0 }]);
  expect((summary as JsonObject)["total_files"]).toBe(1);
  expect(((await bench.call(TOOL, { all: true }))["summary"] as JsonObject)["total_files"]).toBe(2);
  await bench.put("sub/bin.ts", Uint8Array.of(0, 1, 2));
  // The path is one that other tools take.
  expect((await bench.call(TOOL, { project_path: "sub" }))["skipped"]).toEqual([
    { path: "sub/bin.ts", reason: "not a text file" },
  ]);
});

test("what cannot be analysed is refused in words", async () => {
  const bench = await openBench({ files: FILES });
  expect((await bench.fail(TOOL, { project_path: "nowhere" })).code).toBe("NOT_FOUND");
  expect((await bench.fail(TOOL, { project_path: "../.." })).code).toBe("FORBIDDEN_PATH");
  expect((await bench.fail(TOOL, { format: "xml" })).text).toContain("sarif");
});
