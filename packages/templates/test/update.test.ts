import { rm } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import type { TemplateSource } from "../src/format/template.js";
import { type Bench, makeFolder, openBench } from "./kit.js";

const name = { name: "project_name", type: "string", description: "The name.", required: true } as const;
const greeting = { name: "greeting", type: "string", description: "Said first.", default: "hello" } as const;
const template = (category: string, body: string, filename = category): TemplateSource => ({
  category,
  toolchain: "go",
  variant: "cli",
  description: "x",
  filename,
  parameters: [name, greeting],
  body,
});

const OLD = "one\n{{ greeting }}\nthree\nfour\nfive\nsix\nseven\n";
const NEWER = "one\n{{ greeting }}\nthree\nfour\nfive\nsix\nSEVEN of {{ project_name }}\n";

/** A project of the old template, and the server after an upgrade. */
async function upgraded(now: readonly TemplateSource[], old = [template("a", OLD)]): Promise<Bench> {
  const root = await makeFolder();
  const first = await openBench({ root, catalogue: old });
  const templates = old.map(({ category }) => category);
  await first.call("scaffold_project", {
    toolchain: "go",
    templates,
    parameters: { project_name: "demo" },
    write: true,
  });
  return openBench({ root, catalogue: now });
}

const update = (bench: Bench, more: JsonObject = {}) => bench.call("update_project", { target: "demo", ...more });

test("a file that the user left alone becomes what the newer template makes", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  expect(await update(bench)).toEqual({
    files: [{ path: "demo/a", status: "updated" }],
    errors: [],
    written: ["demo/a"],
  });
  expect(await bench.read("demo/a")).toBe("one\nhello\nthree\nfour\nfive\nsix\nSEVEN of demo\n");
  expect(await update(bench)).toEqual({ files: [{ path: "demo/a", status: "unchanged" }], errors: [], written: [] });
});

test("changes of the user and of the template are put together", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  await bench.put("demo/a", "ONE\nhello\nthree\nfour\nfive\nsix\nseven\n");
  expect(await update(bench)).toMatchObject({ files: [{ status: "merged" }] });
  expect(await bench.read("demo/a")).toBe("ONE\nhello\nthree\nfour\nfive\nsix\nSEVEN of demo\n");
});

test("where both changed the same lines both stand there, marked, and the next update leaves it alone", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  await bench.put("demo/a", "one\nhello\nthree\nfour\nfive\nsix\nmine\n");
  expect(await update(bench)).toMatchObject({ files: [{ path: "demo/a", status: "conflict", conflicts: 1 }] });
  const marked =
    "one\nhello\nthree\nfour\nfive\nsix\n<<<<<<< yours\nmine\n=======\nSEVEN of demo\n>>>>>>> toolwright template://a/go/cli\n";
  expect(await bench.read("demo/a")).toBe(marked);
  expect(await update(bench)).toMatchObject({ files: [{ status: "unchanged" }], written: [] });
  expect(await bench.read("demo/a")).toBe(marked);
});

test("a file whose conflicts are not settled is left as it is, and updated when they are", async () => {
  const bench = await upgraded([template("a", OLD)]);
  await bench.put("demo/a", "one\nmine\nthree\nfour\nfive\nsix\nseven\n");
  const files = [{ path: "demo/a", status: "conflict", conflicts: 1 }];
  expect(await update(bench, { parameters: { greeting: "two" } })).toEqual({ files, errors: [], written: ["demo/a"] });
  const marked = await bench.read("demo/a");
  expect(await update(bench, { parameters: { greeting: "three" } })).toEqual({
    files: [{ path: "demo/a", status: "left", conflicts: 1 }],
    errors: [],
    written: [],
  });
  expect(await bench.read("demo/a")).toBe(marked);
  await bench.put("demo/a", "one\ntwo\nthree\nfour\nfive\nsix\nMINE\n");
  expect(await update(bench)).toMatchObject({ files: [{ status: "merged" }] });
  expect(await bench.read("demo/a")).toBe("one\nthree\nthree\nfour\nfive\nsix\nMINE\n");
});

test("other parameters are merged in and remembered", async () => {
  const bench = await upgraded([template("a", OLD)]);
  await bench.put("demo/a", "one\nhello\nthree\nfour\nfive\nsix\nmine\n");
  expect(await update(bench, { parameters: { greeting: "good day" } })).toMatchObject({
    files: [{ status: "merged" }],
  });
  expect(await bench.read("demo/a")).toBe("one\ngood day\nthree\nfour\nfive\nsix\nmine\n");
  expect(JSON.parse((await bench.read("demo/.toolwright-answers.json")) ?? "").parameters).toEqual({
    project_name: "demo",
    greeting: "good day",
  });
});

test("a dry run shows the diff and changes nothing", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  const before = await bench.read("demo/.toolwright-answers.json");
  const { diff, written } = await update(bench, { dry_run: true });
  expect(diff).toContain("-seven\n+SEVEN of demo\n");
  expect(written).toEqual([]);
  expect(await bench.read("demo/a")).toContain("seven");
  expect(await bench.read("demo/.toolwright-answers.json")).toBe(before);
});

test("a file that the user removed stays away, and one that the templates no longer make stays there", async () => {
  const old = [template("a", OLD), template("b", OLD)];
  const bench = await upgraded([template("a", NEWER), template("b", NEWER, "c")], old);
  await rm(path.join(bench.root, "demo/a"));
  expect(await update(bench)).toMatchObject({
    files: [
      { path: "demo/a", status: "removed" },
      { path: "demo/c", status: "added" },
      { path: "demo/b", status: "left" },
    ],
    written: ["demo/c"],
  });
  expect([await bench.read("demo/a"), await bench.read("demo/b")]).toEqual([
    undefined,
    OLD.replace("{{ greeting }}", "hello"),
  ]);
});

test("a template that has gone is an error, and its file is left alone", async () => {
  const bench = await upgraded([template("b", NEWER)]);
  expect(await update(bench)).toMatchObject({
    files: [],
    errors: [{ template: "template://a/go/cli", code: "TEMPLATE_NOT_FOUND" }],
  });
  expect(await bench.read("demo/a")).toContain("seven");
});

test("other line ends are no change of the user's, and stay", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  await bench.put("demo/a", "one\r\nhello\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven\r\n");
  expect(await update(bench)).toMatchObject({ files: [{ status: "updated" }] });
  expect(await bench.read("demo/a")).toBe("one\r\nhello\r\nthree\r\nfour\r\nfive\r\nsix\r\nSEVEN of demo\r\n");
});

test("a file in the way of a new one is merged with it, not replaced", async () => {
  const bench = await upgraded([template("a", NEWER, "new")]);
  await bench.put("demo/new", "mine\n");
  expect(await update(bench)).toMatchObject({ files: [{ path: "demo/new", status: "conflict" }, { status: "left" }] });
  expect(await bench.read("demo/new")).toContain("mine\n");
});

test("a folder without answers, or with answers that were changed by hand, is not guessed at", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  expect((await bench.fail("update_project", { target: "elsewhere" })).code).toBe("NOT_FOUND");
  const text = (await bench.read("demo/.toolwright-answers.json")) ?? "";
  for (const wrong of ["{", text.replace("seven", "eight"), text.replace('"a": {', '"../a": {'), "[]", "null"]) {
    await bench.put("demo/.toolwright-answers.json", wrong);
    expect((await bench.fail("update_project", { target: "demo" })).code).toBe("PARSE_FAILED");
  }
  expect(await bench.read("demo/a")).toContain("seven");
});

test("mistyped parameters are told of", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  const { errors } = await update(bench, { parameters: { greting: "x" } });
  expect(errors).toMatchObject([{ template: "*", error: expect.stringContaining("did you mean greeting?") }]);
});

test("parameters that are refused change nothing, and are not remembered", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  const before = await bench.read("demo/.toolwright-answers.json");
  for (const parameters of [{ greeting: 5 }, { greting: "x" }]) {
    expect(await update(bench, { parameters })).toMatchObject({ files: [], written: [], errors: [{}] });
    expect(await bench.read("demo/.toolwright-answers.json")).toBe(before);
  }
  expect(await update(bench)).toMatchObject({ files: [{ status: "updated" }], errors: [] });
});

test("each file keeps the moment in which it was first made, whatever is made beside it later", async () => {
  const catalogue = ["a", "b"].map((category) => template(category, "{{ current_year }}\n"));
  const root = await makeFolder();
  const scaffold = async (year: string, ...templates: string[]): Promise<Bench> => {
    const bench = await openBench({ root, catalogue, now: new Date(`${year}-01-01T00:00:00.000Z`) });
    const wish = { toolchain: "go", templates, parameters: { project_name: "demo" }, write: true };
    await bench.call("scaffold_project", wish);
    return bench;
  };
  await scaffold("2031", "a");
  const bench = await scaffold("2035", "b");
  const unchanged = { files: [{ status: "unchanged" }, { status: "unchanged" }], errors: [], written: [] };
  expect(await update(bench)).toMatchObject(unchanged);
  expect([await bench.read("demo/a"), await bench.read("demo/b")]).toEqual(["2031\n", "2035\n"]);
  expect(await update(bench, { parameters: { greeting: "x" } })).toMatchObject(unchanged);
});

test("a moment that cannot be read is no answer", async () => {
  const bench = await upgraded([template("a", NEWER)]);
  const text = (await bench.read("demo/.toolwright-answers.json")) ?? "";
  await bench.put("demo/.toolwright-answers.json", text.replace('"template":', '"made_at": "then", "template":'));
  expect((await bench.fail("update_project", { target: "demo" })).code).toBe("PARSE_FAILED");
});
