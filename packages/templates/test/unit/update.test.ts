import { rm } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import type { TemplateSource } from "../../src/format/template.js";
import { makeFolder, openTestServer, type TestServer } from "../kit.js";

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
async function upgraded(now: readonly TemplateSource[], old = [template("a", OLD)]): Promise<TestServer> {
  const root = await makeFolder();
  const first = await openTestServer({ root, catalogue: old });
  const templates = old.map(({ category }) => category);
  await first.call("scaffold_project", {
    toolchain: "go",
    templates,
    parameters: { project_name: "demo" },
    write: true,
  });
  return openTestServer({ root, catalogue: now });
}

const update = (server: TestServer, more: JsonObject = {}) =>
  server.call("update_project", { target: "demo", ...more });

test("a file without changes of the user becomes what the newer template renders", async () => {
  const server = await upgraded([template("a", NEWER)]);
  expect(await update(server)).toEqual({
    files: [{ path: "demo/a", status: "updated" }],
    errors: [],
    written: ["demo/a"],
  });
  expect(await server.read("demo/a")).toBe("one\nhello\nthree\nfour\nfive\nsix\nSEVEN of demo\n");
  expect(await update(server)).toEqual({ files: [{ path: "demo/a", status: "unchanged" }], errors: [], written: [] });
});

test("changes of the user and of the template are merged", async () => {
  const server = await upgraded([template("a", NEWER)]);
  await server.put("demo/a", "ONE\nhello\nthree\nfour\nfive\nsix\nseven\n");
  expect(await update(server)).toMatchObject({ files: [{ status: "merged" }] });
  expect(await server.read("demo/a")).toBe("ONE\nhello\nthree\nfour\nfive\nsix\nSEVEN of demo\n");
});

test("a conflict is marked in the file, and the next update leaves the file alone", async () => {
  const server = await upgraded([template("a", NEWER)]);
  await server.put("demo/a", "one\nhello\nthree\nfour\nfive\nsix\nmine\n");
  expect(await update(server)).toMatchObject({ files: [{ path: "demo/a", status: "conflict", conflicts: 1 }] });
  const marked =
    "one\nhello\nthree\nfour\nfive\nsix\n<<<<<<< yours\nmine\n=======\nSEVEN of demo\n>>>>>>> toolwright template://a/go/cli\n";
  expect(await server.read("demo/a")).toBe(marked);
  expect(await update(server)).toMatchObject({ files: [{ status: "unchanged" }], written: [] });
  expect(await server.read("demo/a")).toBe(marked);
});

test("a file with unresolved conflicts is left alone, and updated when they are resolved", async () => {
  const server = await upgraded([template("a", OLD)]);
  await server.put("demo/a", "one\nmine\nthree\nfour\nfive\nsix\nseven\n");
  const files = [{ path: "demo/a", status: "conflict", conflicts: 1 }];
  expect(await update(server, { parameters: { greeting: "two" } })).toEqual({ files, errors: [], written: ["demo/a"] });
  const marked = await server.read("demo/a");
  expect(await update(server, { parameters: { greeting: "three" } })).toEqual({
    files: [{ path: "demo/a", status: "left", conflicts: 1 }],
    errors: [],
    written: [],
  });
  expect(await server.read("demo/a")).toBe(marked);
  await server.put("demo/a", "one\ntwo\nthree\nfour\nfive\nsix\nMINE\n");
  expect(await update(server)).toMatchObject({ files: [{ status: "merged" }] });
  expect(await server.read("demo/a")).toBe("one\nthree\nthree\nfour\nfive\nsix\nMINE\n");
});

test("other parameters are merged and stored", async () => {
  const server = await upgraded([template("a", OLD)]);
  await server.put("demo/a", "one\nhello\nthree\nfour\nfive\nsix\nmine\n");
  expect(await update(server, { parameters: { greeting: "good day" } })).toMatchObject({
    files: [{ status: "merged" }],
  });
  expect(await server.read("demo/a")).toBe("one\ngood day\nthree\nfour\nfive\nsix\nmine\n");
  expect(JSON.parse((await server.read("demo/.toolwright-answers.json")) ?? "").parameters).toEqual({
    project_name: "demo",
    greeting: "good day",
  });
});

test("a dry run shows the diff and changes nothing", async () => {
  const server = await upgraded([template("a", NEWER)]);
  const before = await server.read("demo/.toolwright-answers.json");
  const { diff, written } = await update(server, { dry_run: true });
  expect(diff).toContain("-seven\n+SEVEN of demo\n");
  expect(written).toEqual([]);
  expect(await server.read("demo/a")).toContain("seven");
  expect(await server.read("demo/.toolwright-answers.json")).toBe(before);
});

test("a file that the user deleted is not restored, and one that no template renders any more is kept", async () => {
  const old = [template("a", OLD), template("b", OLD)];
  const server = await upgraded([template("a", NEWER), template("b", NEWER, "c")], old);
  await rm(path.join(server.root, "demo/a"));
  expect(await update(server)).toMatchObject({
    files: [
      { path: "demo/a", status: "removed" },
      { path: "demo/c", status: "added" },
      { path: "demo/b", status: "left" },
    ],
    written: ["demo/c"],
  });
  expect([await server.read("demo/a"), await server.read("demo/b")]).toEqual([
    undefined,
    OLD.replace("{{ greeting }}", "hello"),
  ]);
});

test("a template that no longer exists is an error, and its file is left alone", async () => {
  const server = await upgraded([template("b", NEWER)]);
  expect(await update(server)).toMatchObject({
    files: [],
    errors: [{ template: "template://a/go/cli", code: "TEMPLATE_NOT_FOUND" }],
  });
  expect(await server.read("demo/a")).toContain("seven");
});

test("other line ends are not a change, and are kept", async () => {
  const server = await upgraded([template("a", NEWER)]);
  await server.put("demo/a", "one\r\nhello\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven\r\n");
  expect(await update(server)).toMatchObject({ files: [{ status: "updated" }] });
  expect(await server.read("demo/a")).toBe("one\r\nhello\r\nthree\r\nfour\r\nfive\r\nsix\r\nSEVEN of demo\r\n");
});

test("an existing file is merged with a new one, not replaced", async () => {
  const server = await upgraded([template("a", NEWER, "new")]);
  await server.put("demo/new", "mine\n");
  expect(await update(server)).toMatchObject({ files: [{ path: "demo/new", status: "conflict" }, { status: "left" }] });
  expect(await server.read("demo/new")).toContain("mine\n");
});

test("a folder without answers, or with invalid ones, is rejected", async () => {
  const server = await upgraded([template("a", NEWER)]);
  expect((await server.fail("update_project", { target: "elsewhere" })).code).toBe("NOT_FOUND");
  const text = (await server.read("demo/.toolwright-answers.json")) ?? "";
  for (const wrong of ["{", text.replace("seven", "eight"), text.replace('"a": {', '"../a": {'), "[]", "null"]) {
    await server.put("demo/.toolwright-answers.json", wrong);
    expect((await server.fail("update_project", { target: "demo" })).code).toBe("PARSE_FAILED");
  }
  expect(await server.read("demo/a")).toContain("seven");
});

test("mistyped parameters are reported", async () => {
  const server = await upgraded([template("a", NEWER)]);
  const { errors } = await update(server, { parameters: { greting: "x" } });
  expect(errors).toMatchObject([{ template: "*", error: expect.stringContaining("did you mean greeting?") }]);
});

test("rejected parameters change nothing, and are not stored", async () => {
  const server = await upgraded([template("a", NEWER)]);
  const before = await server.read("demo/.toolwright-answers.json");
  for (const parameters of [{ greeting: 5 }, { greting: "x" }]) {
    expect(await update(server, { parameters })).toMatchObject({ files: [], written: [], errors: [{}] });
    expect(await server.read("demo/.toolwright-answers.json")).toBe(before);
  }
  expect(await update(server)).toMatchObject({ files: [{ status: "updated" }], errors: [] });
});

test("each file keeps the time of its first rendering", async () => {
  const catalogue = ["a", "b"].map((category) => template(category, "{{ current_year }}\n"));
  const root = await makeFolder();
  const scaffold = async (year: string, ...templates: string[]): Promise<TestServer> => {
    const server = await openTestServer({ root, catalogue, now: new Date(`${year}-01-01T00:00:00.000Z`) });
    const wish = { toolchain: "go", templates, parameters: { project_name: "demo" }, write: true };
    await server.call("scaffold_project", wish);
    return server;
  };
  await scaffold("2031", "a");
  const server = await scaffold("2035", "b");
  const unchanged = { files: [{ status: "unchanged" }, { status: "unchanged" }], errors: [], written: [] };
  expect(await update(server)).toMatchObject(unchanged);
  expect([await server.read("demo/a"), await server.read("demo/b")]).toEqual(["2031\n", "2035\n"]);
  expect(await update(server, { parameters: { greeting: "x" } })).toMatchObject(unchanged);
});

test("an answers file with an invalid time is rejected", async () => {
  const server = await upgraded([template("a", NEWER)]);
  const text = (await server.read("demo/.toolwright-answers.json")) ?? "";
  await server.put("demo/.toolwright-answers.json", text.replace('"template":', '"made_at": "then", "template":'));
  expect((await server.fail("update_project", { target: "demo" })).code).toBe("PARSE_FAILED");
});
