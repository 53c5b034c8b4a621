import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { hasGit, makeRepository } from "../../../workstation/test/git/repository.js";
import { openBench } from "../kit.js";

/** A function of a given cyclomatic and cognitive complexity. */
const branches = (name: string, count: number): string =>
  `export function ${name}(a) {\n${"  if (a) go();\n".repeat(count)}}\n`;

/** Twelve lines that no other file has unless it is given the same word. */
const block = (word: string): string =>
  `export function ${word}(list, wanted) {
  const found = [];
  for (const entry of list) {
    if (entry.${word} === wanted) {
      found.push({ name: entry.name, at: entry.at + 1 });
    } else if (entry.next !== undefined) {
      found.push(...walk(entry.next, wanted, entry.depth * 2));
    }
  }
  const sorted = found.toSorted((one, other) => one.at - other.at);
  return { first: sorted[0], last: sorted.at(-1), count: sorted.length };
}
`;

const checkOf = (gate: JsonObject, name: string): JsonObject | undefined =>
  (gate["checks"] as JsonObject[]).find((check) => check["name"] === name);

test("a project that keeps to its limits passes, and each check says so", async () => {
  const { call } = await openBench({ files: { "a.ts": branches("f", 3) } });
  const gate = await call("quality_gate");
  expect(gate["passed"]).toBe(true);
  expect(gate["text"]).toBe("Passed: all 4 checks of 1 file.");
  expect(gate["checks"]).toEqual([
    {
      name: "max_cyclomatic",
      passed: true,
      value: 4,
      limit: 20,
      worst: [{ path: "a.ts", line: 1, name: "f", value: 4 }],
      reason: "None of 1 function has a cyclomatic complexity above 20.",
    },
    {
      name: "max_cognitive",
      passed: true,
      value: 3,
      limit: 30,
      worst: [{ path: "a.ts", line: 1, name: "f", value: 3 }],
      reason: "None of 1 function has a cognitive complexity above 30.",
    },
    {
      name: "max_duplication",
      passed: true,
      value: 0,
      limit: 5,
      worst: [],
      reason: "0 % of the lines (0 of 5) are duplicated; the limit is 5 %.",
    },
    { name: "unparsed_files", passed: true, value: 0, limit: 0, worst: [], reason: "Every file could be read." },
  ]);
});

test("a function above a limit fails the gate, and the text says what to do next", async () => {
  const { client } = await openBench({ files: { "a.ts": branches("f", 3), "b.ts": branches("g", 5) } });
  const result = await client.callTool("quality_gate", { max_cyclomatic: 5, max_duplication: 100 });
  const gate = result["structuredContent"] as JsonObject;
  expect(gate["passed"]).toBe(false);
  expect(checkOf(gate, "max_cyclomatic")).toEqual({
    name: "max_cyclomatic",
    passed: false,
    value: 6,
    limit: 5,
    worst: [{ path: "b.ts", line: 1, name: "g", value: 6 }],
    reason: "1 of 2 functions has a cyclomatic complexity above 5.",
    advice: "Split g in b.ts:1 first. A hotspot analysis shows what to extract.",
  });
  expect(textOf(result)).toBe(
    "Failed: 1 of 4 checks of 2 files. max_cyclomatic: 1 of 2 functions has a cyclomatic complexity above 5. Split g in b.ts:1 first. A hotspot analysis shows what to extract.",
  );
});

test("a value at its limit passes", async () => {
  const { call } = await openBench({ files: { "a.ts": branches("f", 3) } });
  expect((await call("quality_gate", { max_cyclomatic: 4, max_cognitive: 3 }))["passed"]).toBe(true);
  expect((await call("quality_gate", { max_cyclomatic: 4, max_cognitive: 2 }))["passed"]).toBe(false);
});

test("lines that are there twice fail the gate", async () => {
  const { call } = await openBench({ files: { "a.ts": block("size"), "b.ts": block("size") } });
  const gate = await call("quality_gate");
  expect(checkOf(gate, "max_duplication")).toMatchObject({
    passed: false,
    value: 100,
    limit: 5,
    worst: [{ path: "a.ts", line: 1, name: "2 copies", value: 12 }],
    advice: "Replace the copies of the 12 lines at a.ts:1 by one function.",
  });
  expect((await call("quality_gate", { max_duplication: 100 }))["passed"]).toBe(true);
});

test("a file that cannot be parsed fails the gate unless it is left out", async () => {
  const { call } = await openBench({ files: { "a.ts": branches("f", 1), "b.ts": "function (\n" } });
  const gate = await call("quality_gate");
  expect(checkOf(gate, "unparsed_files")).toMatchObject({
    passed: false,
    value: 1,
    limit: 0,
    worst: [{ path: "b.ts", line: 1 }],
    reason: "1 file could not be read completely.",
  });
  expect((await call("quality_gate", { exclude: ["b.ts"] }))["passed"]).toBe(true);
});

test("notes and hotspots are checked where a limit is given", async () => {
  const files = { "a.ts": `// FIXME: it is wrong\n// TODO: more\n${branches("f", 10)}` };
  const { call } = await openBench({ files });
  const gate = await call("quality_gate", { max_severe_notes: 0, max_hotspot: 10 });
  expect(checkOf(gate, "max_severe_notes")).toMatchObject({
    passed: false,
    value: 1,
    limit: 0,
    worst: [{ path: "a.ts", line: 1, name: "FIXME", value: 1 }],
    reason: "1 to-do comment of high or critical severity; the limit is 0.",
  });
  // 100 · 10 / 60
  expect(checkOf(gate, "max_hotspot")).toMatchObject({
    passed: false,
    value: 16.67,
    limit: 10,
    worst: [{ path: "a.ts", value: 16.67 }],
    reason: "The hottest file has a score of 16.67 by complexity alone, because there is no history; the limit is 10.",
  });
  expect((await call("quality_gate", { max_severe_notes: 1, max_hotspot: 17 }))["passed"]).toBe(true);
});

test.skipIf(!hasGit)("with a baseline no function may be worse, and what was too complex may stay", async () => {
  const repository = await makeRepository();
  await repository.commit("first", { "a.ts": branches("f", 30), "b.ts": branches("g", 3) });
  const { call } = await openBench({ root: repository.root });
  const limits = { max_cyclomatic: 10, max_cognitive: 10, max_duplication: 100 };
  expect((await call("quality_gate", limits))["passed"]).toBe(false);
  const kept = await call("quality_gate", { ...limits, baseline: "HEAD" });
  expect(checkOf(kept, "baseline")).toMatchObject({
    passed: true,
    value: 0,
    reason: "No function is worse than in HEAD.",
  });
  expect(kept["passed"]).toBe(true);
  await repository.put({ "a.ts": branches("f", 31), "c.ts": branches("h", 12) });
  const gate = await call("quality_gate", { ...limits, baseline: "HEAD" });
  expect(checkOf(gate, "baseline")).toMatchObject({
    passed: false,
    value: 1,
    limit: 0,
    worst: [
      { path: "a.ts", line: 1, name: "f: cyclomatic 31 → 32", value: 1 },
      { path: "a.ts", line: 1, name: "f: cognitive 30 → 31", value: 1 },
    ],
    reason: "1 function is worse than in HEAD.",
    advice: "Reduce the cyclomatic complexity of f in a.ts:1 from 32 to 31 again.",
  });
  expect(checkOf(gate, "max_cyclomatic")).toMatchObject({
    passed: false,
    value: 13,
    worst: [{ path: "c.ts" }],
    reason: "1 of 3 functions has a cyclomatic complexity above 10, not counting 1 that did in the baseline.",
  });
});

test.skipIf(!hasGit)("a baseline that is not there is refused", async () => {
  const repository = await makeRepository();
  await repository.commit("first", { "a.ts": branches("f", 1) });
  const { fail } = await openBench({ root: repository.root });
  expect((await fail("quality_gate", { baseline: "nowhere" })).code).toBe("NOT_FOUND");
});

test.each([{}, { include: ["*.tx"] }])("a gate that has nothing to look at with %j does not pass", async (args) => {
  const { fail } = await openBench({ files: "include" in args ? { "a.ts": branches("f", 1) } : {} });
  expect(await fail("quality_gate", args)).toMatchObject({
    code: "NOT_FOUND",
    text: 'Cannot check ".": no source file is selected. Check the path, include and exclude.',
  });
});
