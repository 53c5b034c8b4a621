import { rename, rm } from "node:fs/promises";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { makeRepository } from "../../../workstation/test/git/repository.js";
import { openBench } from "../kit.js";
import { branches, nested } from "./sources.js";

const TOOL = "analyze_complexity";
type Entries = readonly JsonObject[];

const CALM = "export const calm = () => 1;\n";

async function compare(root: string, args: JsonObject = {}): Promise<JsonObject> {
  const bench = await openBench({ root });
  const result = await bench.call(TOOL, { baseline: "main", ...args });
  return result["baseline"] as JsonObject;
}

const worseOf = ({ worse }: JsonObject) =>
  (worse as Entries).map((each) => [each["file"], each["function"], each["metric"], each["was"], each["is"]]);

test("reports worse, better, new and removed functions one by one", async () => {
  const repository = await makeRepository();
  const commit = await repository.commit("start", {
    "a.ts": branches("grows", 3) + branches("shrinks", 5) + branches("stays", 12),
    "gone.ts": branches("old", 2) + CALM,
    "same.ts": branches("large", 30),
  });
  await repository.put({
    "a.ts": `// moved down\n${branches("stays", 12)}${branches("grows", 11)}${branches("shrinks", 4)}`,
    "new.ts": branches("fresh", 25),
  });
  await rm(repository.path("gone.ts"));
  const { revision, commit: hash, better, removed, new_violations, ...told } = await compare(repository.root);
  expect([revision, hash, better, removed]).toEqual(["main", commit, 1, 2]);
  expect(worseOf(told)).toEqual([
    ["a.ts", "grows", "cyclomatic", 4, 12],
    ["a.ts", "grows", "cognitive", 3, 11],
  ]);
  // Of the function that was large before, nothing is new.
  expect((new_violations as Entries).map((each) => [each["function"], each["rule"], each["severity"]])).toEqual([
    ["fresh", "cyclomatic-complexity", "error"],
    ["fresh", "cognitive-complexity", "warning"],
    ["grows", "cyclomatic-complexity", "warning"],
  ]);
});

test("nothing is worse where nothing has changed", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "a.ts": branches("large", 30) });
  expect(await compare(repository.root)).toMatchObject({
    worse: [],
    worse_total: 0,
    better: 0,
    removed: 0,
    new_violations: [],
    new_violations_total: 0,
  });
});

test("a renamed file is followed, be it into the folder that is looked at", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "src/keep.ts": CALM, "old/stack.ts": branches("push", 8) + branches("pop", 12) });
  repository.git("mv", "old/stack.ts", "src/heap.ts");
  await repository.put({ "src/heap.ts": branches("push", 9) + branches("pop", 12) });
  const told = await compare(repository.root, { project_path: "src" });
  expect(worseOf(told)).toEqual([
    ["src/heap.ts", "push", "cyclomatic", 9, 10],
    ["src/heap.ts", "push", "cognitive", 8, 9],
  ]);
  expect([told["new_violations"], told["removed"]]).toEqual([[], 0]);
});

test("a violation that becomes an error is new, and each says how it stands", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "a.ts": branches("one", 12) + branches("two", 12) + branches("three", 12) });
  await repository.put({ "a.ts": branches("one", 21) + branches("two", 13) + branches("three", 12) });
  const bench = await openBench({ root: repository.root });
  const { violations } = await bench.call(TOOL, { baseline: "main", max_cognitive: 100 });
  expect((violations as Entries).map((each) => [each["function"], each["baseline_state"]])).toEqual([
    ["one", "new"],
    ["two", "updated"],
    ["three", "unchanged"],
  ]);
});

test("hostile names, many files and files that were not a text file are compared like others", async () => {
  const repository = await makeRepository();
  const names = ["-a.ts", "line\nbreak.ts", "日本.ts", 'quo"te.ts'];
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`many/f${at}.ts`, branches("f", 2)]));
  await repository.commit("start", {
    ...Object.fromEntries(names.map((name) => [name, branches("f", 2)])),
    ...many,
    "bin.ts": Uint8Array.of(0, 1, 2, 10, 3),
  });
  await repository.put({
    ...Object.fromEntries([...names, ...Object.keys(many)].map((name) => [name, branches("f", 3)])),
    "bin.ts": nested("f", 2),
  });
  const bench = await openBench({ root: repository.root });
  const { baseline, skipped } = await bench.call(TOOL, { baseline: "main" });
  expect((baseline as JsonObject)["worse_total"]).toBe(2 * 74);
  expect(skipped).toEqual([{ path: "bin.ts", reason: "its version in the baseline cannot be read" }]);
});

test("does not report functions of a hidden file", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "secret.ts": branches("hidden", 9), "src/calm.ts": CALM });
  repository.git("mv", "secret.ts", "src/open.ts");
  const bench = await openBench({ root: repository.root, hidden: ["secret.ts"] });
  const { baseline } = await bench.call(TOOL, { baseline: "main", max_cyclomatic: 5, max_cognitive: 100 });
  const fresh = (baseline as JsonObject)["new_violations"] as Entries;
  expect(fresh.map((each) => each["function"])).toEqual(["hidden"]);
  expect((baseline as JsonObject)["worse"]).toEqual([]);
});

test("a commit that is not there, and a folder without a repository, are refused in words", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "a.ts": CALM });
  const bench = await openBench({ root: repository.root });
  expect(await bench.fail(TOOL, { baseline: "mian" })).toMatchObject({
    code: "NOT_FOUND",
    text: 'Cannot find the commit "mian": no branch, tag or commit has that name. Look at the branches or at the log for one.',
  });
  expect((await bench.fail(TOOL, { baseline: "--output=x" })).code).toBe("INVALID_ARGUMENT");
  await rename(repository.path(".git"), repository.path("git"));
  expect(await bench.fail(TOOL, { baseline: "main" })).toMatchObject({
    code: "NOT_FOUND",
    text: 'Cannot use the repository of ".": it is not in a git repository. Give a folder that is, or make one with git init and commit.',
  });
});

test("follows a file that was moved without git mv, so that moving hides nothing", async () => {
  const repository = await makeRepository();
  const rest = branches("pop", 12) + branches("size", 3);
  await repository.commit("start", { "src/keep.ts": CALM, "old/stack.ts": branches("push", 8) + rest, "z.ts": CALM });
  await rm(repository.path("old/stack.ts"));
  await repository.put({ "src/heap.ts": branches("push", 9) + rest, "src/other.ts": nested("other", 3) });
  const told = await compare(repository.root, { project_path: "src" });
  expect(worseOf(told)).toEqual([
    ["src/heap.ts", "push", "cyclomatic", 9, 10],
    ["src/heap.ts", "push", "cognitive", 8, 9],
  ]);
  expect([told["worse_functions"], told["new_violations"], told["removed"]]).toEqual([1, [], 0]);
  // What was there before and is as it was is no news in the whole project either.
  expect((await compare(repository.root))["new_violations"]).toEqual([]);
});

test("a renamed function is the same one, not a new one", async () => {
  const repository = await makeRepository();
  await repository.commit("start", { "a.ts": branches("load", 25) });
  await repository.put({ "a.ts": branches("read", 25) });
  expect(await compare(repository.root)).toMatchObject({ new_violations: [], removed: 0, worse: [], better: 0 });
});
