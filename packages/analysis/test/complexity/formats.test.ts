import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { makeRepository } from "../../../workstation/test/git/repository.js";
import { openBench } from "../kit.js";
import { branches, nested } from "./sources.js";

const TOOL = "analyze_complexity";
const FILES = { "src/a b.ts": branches("worst", 20), "bin.ts": Uint8Array.of(0, 1), "x.min.js": "" };

async function write(args: JsonObject, files: Readonly<Record<string, string | Uint8Array>> = FILES): Promise<string> {
  const bench = await openBench({ files });
  return textOf(await bench.client.callTool(TOOL, args));
}

test("a summary is a few lines", async () => {
  expect(await write({ max_cognitive: 30, top_files: 1 })).toBe(
    [
      "1 function in 1 file (TypeScript 1).",
      "Cyclomatic: median 21, 90 % up to 21, max 21.",
      "Cognitive: median 20, 90 % up to 20, max 20.",
      "1 error, 0 warnings, 0.5 hours of technical debt.",
      "",
      "Violations (1 of 1):",
      "  error src/a b.ts:1 worst has a cyclomatic complexity of 21, above 20.",
      "",
      "Files by score:",
      "  1. src/a b.ts 24.9 (functions 1, max cyclomatic 21, average cognitive 20)",
      "",
      "Left out: 1 generated and 0 vendored files.",
      "Skipped or only partly measured: 1 file.",
      "  bin.ts: not a text file",
    ].join("\n"),
  );
});

test("Markdown has tables, and names in them cannot break out", async () => {
  const text = await write(
    { format: "markdown", explain: true, max_cognitive: 2 },
    { "a|b`\n<x>.ts": nested("deep", 2) },
  );
  expect(text).toBe(
    [
      "# Complexity",
      "",
      "1 function in 1 file (TypeScript 1). 1 error, 0 warnings, 0.5 hours of technical debt.",
      "",
      "| Metric | Median | 90 % | Max |",
      "| --- | --- | --- | --- |",
      "| Cyclomatic | 3 | 3 | 3 |",
      "| Cognitive | 3 | 3 | 3 |",
      "",
      "## Violations (1 of 1)",
      "",
      "| Severity | Function | Location | Metric | Value | Threshold |",
      "| --- | --- | --- | --- | --- | --- |",
      String.raw`| error | ${"`deep`"} | ${"`` a\\|b`\\u000a<x>.ts:1 ``"} | cognitive | 3 | 2 |`,
      "",
      String.raw`### ${"`deep`"} in ${"`` a\\|b`\\u000a<x>.ts:1 ``"}: cognitive-complexity`,
      "",
      "| Line | Adds | Reason |",
      "| --- | --- | --- |",
      "| 2 | +1 | `if` |",
      "| 2 | +2 | `if` |",
      "",
    ].join("\n"),
  );
});

test("signs that turn a line round or hide in it are written out", async () => {
  const text = await write({ max_cyclomatic: 2 }, { "a\u202Est.\u200B.ts": branches("f", 3) });
  expect(text).toContain("error a\\u202est.\\u200b.ts:1 f has");
});

test("JSON is the structured content", async () => {
  const bench = await openBench({ files: FILES });
  const result = await bench.client.callTool(TOOL, { format: "json" });
  expect(JSON.parse(textOf(result))).toEqual(result["structuredContent"]);
});

test("every format has the same structured content", async () => {
  const bench = await openBench({ files: FILES });
  const contents = [];
  await bench.call(TOOL);
  for (const format of ["summary", "json", "sarif", "markdown"]) {
    const { summary, ...rest } = await bench.call(TOOL, { format });
    const { files_read: _read, files_known: _known, ...numbers } = summary as JsonObject;
    contents.push({ numbers, ...rest });
  }
  expect(contents).toEqual(Array(4).fill(contents[0]));
});

test("SARIF 2.1.0 has rules, levels, relative URIs and fingerprints that outlive moved lines", async () => {
  const bench = await openBench({ files: FILES });
  const sarif = async () =>
    JSON.parse(textOf(await bench.client.callTool(TOOL, { format: "sarif", max_cognitive: 100 })));
  const log = await sarif();
  const [run] = log.runs;
  expect([log.version, log.$schema]).toEqual(["2.1.0", "https://json.schemastore.org/sarif-2.1.0.json"]);
  expect(run.tool.driver.name).toBe("toolwright");
  expect(run.tool.driver.rules.map((rule: JsonObject) => rule["id"])).toEqual([
    "cyclomatic-complexity",
    "cognitive-complexity",
  ]);
  expect(run.tool.driver.rules.every((rule: { help: { text: string } }) => rule.help.text.length > 100)).toBe(true);
  expect(run.results).toEqual([
    {
      ruleId: "cyclomatic-complexity",
      ruleIndex: 0,
      level: "error",
      message: { text: "worst has a cyclomatic complexity of 21, above 20." },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "src/a%20b.ts", uriBaseId: "SRCROOT" },
            region: { startLine: 1, endLine: 23 },
          },
          logicalLocations: [{ fullyQualifiedName: "worst", kind: "function" }],
        },
      ],
      partialFingerprints: { "function/v1": expect.stringMatching(/^[0-9a-f]{32}$/) },
      properties: { value: 21, threshold: 20 },
    },
  ]);
  await bench.put("src/a b.ts", `// one more line\n\n${branches("worst", 22)}`);
  const [later] = (await sarif()).runs[0].results;
  expect(later.locations[0].physicalLocation.region.startLine).toBe(3);
  expect(later.partialFingerprints).toEqual(run.results[0].partialFingerprints);
});

test("SARIF says how results stand against a baseline", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "a.ts": branches("old", 25) });
  await repository.put({ "b.ts": branches("new", 25) });
  const bench = await openBench({ root: repository.root });
  const result = await bench.client.callTool(TOOL, { format: "sarif", baseline: "main", max_cognitive: 100 });
  const { results } = JSON.parse(textOf(result)).runs[0];
  expect(results.map((each: JsonObject) => each["baselineState"])).toEqual(["unchanged", "new"]);
});
