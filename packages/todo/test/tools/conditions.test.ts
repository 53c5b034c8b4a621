import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { updateTask } from "../../src/tasks/edit-tasks.js";
import { everyDatabase, openBench, textOf } from "../kit.js";

const NODE = process.execPath;
/** The program of the tests, with the hash of an empty file. */
const EMPTY = "check.cjs#sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

everyDatabase((open, kind) => {
  /** A database file belongs to one machine. With a database server each machine has the project in another folder. */
  const isShared = kind === "postgres";

  test(`a done-condition ${isShared ? "is checked in the folder of the caller, because machines differ" : "belongs to the folder in which it was set"}`, async () => {
    const one = await open({ settings: { commands: [[NODE, EMPTY]] } });
    const file = await one.make("file", { done_when: { kind: "file_exists", path: "out.txt" } });
    const command = await one.make("command", { done_when: { kind: "command", command: [NODE, "check.cjs"] } });
    const other = await open({
      database: one.database,
      state: one.state,
      settings: { commands: [[NODE, EMPTY]] },
    });
    await writeFile(path.join(other.root, "out.txt"), "of another project");
    await writeFile(path.join(other.root, "check.cjs"), "");
    if (isShared) {
      expect(await other.call("check_task", { id: command })).toMatchObject({
        done: true,
        evidence: `${NODE} check.cjs in ${other.root} exited with 0`,
      });
      const { done, evidence } = await other.call("check_task", { id: file });
      expect([done, evidence]).toEqual([true, expect.stringContaining(path.join(other.root, "out.txt"))]);
      return;
    }
    expect((await other.fail("check_task", { id: file })).code).toBe("FORBIDDEN_PATH");
    expect((await other.fail("check_task", { id: command })).code).toBe("FORBIDDEN_PATH");
    await writeFile(path.join(one.root, "check.cjs"), "");
    const { evidence } = await one.call("check_task", { id: command });
    expect(evidence).toBe(`${NODE} check.cjs in ${one.root} exited with 0`);
    expect(await one.call("check_task", { id: file })).toMatchObject({
      done: false,
      evidence: `${path.join(one.root, "out.txt")} does not exist`,
    });
  });

  test("a stored relative path is resolved against the root, with complete evidence", async () => {
    const { call, todo, make, root } = await open({ settings: { commands: [[NODE, "-v"]] } });
    const id = await make("x");
    await updateTask(todo, { id, done_when: { kind: "file_exists", path: "out.txt" } });
    await writeFile(path.join(root, "out.txt"), "here");
    const { done, evidence } = await call("check_task", { id });
    expect([done, evidence]).toEqual([true, expect.stringMatching(/^\/.*\/out\.txt exists: a file of 4 bytes/)]);
    await updateTask(todo, { id, done_when: { kind: "command", command: [NODE, "-v"] } });
    expect(await call("check_task", { id })).toMatchObject({ done: true });
  });

  test("is adapted to another folder by export and import", async () => {
    const one = await open();
    await one.make("inside", { done_when: { kind: "file_exists", path: "dist/out.txt" } });
    await one.make("program", { done_when: { kind: "command", command: ["npm", "test"] } });
    await one.make("outside", { done_when: { kind: "file_exists", path: "/srv/out.txt" } });
    const text = textOf(await one.call("export_tasks"), "text");
    expect(text).toContain('"done_when":{"kind":"file_exists","path":"dist/out.txt"}');
    expect(text).not.toContain(one.root);
    expect(await one.call("import_tasks", { text })).toMatchObject({ unchanged: 3 });
    const other = await open();
    await other.call("import_tasks", { text });
    const { tasks } = await other.call("list_tasks");
    expect((tasks as JsonObject[]).map((task) => task["done_when"]).toReversed()).toEqual([
      { kind: "file_exists", path: isShared ? "dist/out.txt" : path.join(other.root, "dist/out.txt") },
      { kind: "command", command: ["npm", "test"], ...(!isShared && { cwd: other.root }) },
      { kind: "file_exists", path: "/srv/out.txt" },
    ]);
    expect(textOf(await other.call("export_tasks"), "text")).toBe(text);
  });
});

test("an invalid path is rejected; URIs and paths with links are accepted", async () => {
  const { call, fail, make, root } = await openBench();
  const check = (given: string): JsonObject => ({ description: "x", done_when: { kind: "file_exists", path: given } });
  expect((await fail("create_task", check("~/out.txt"))).text).toContain("~ is not expanded");
  await mkdir(path.join(root, "a b"));
  const id = await make("x", check(`file://${root}/a%20b`));
  expect(await call("check_task", { id })).toMatchObject({
    done: true,
    task: { done_when: { path: path.join(root, "a b") } },
  });
});

test.each([
  { kind: "x" },
  { kind: "command", argv: ["npm", "test"] },
  { kind: "command" },
  { kind: "file_exists", path: "x", command: ["y"] },
  { command: [] },
  { path: "" },
  {},
])("an invalid done_when %j is rejected", async (done_when) => {
  const { fail, make } = await openBench();
  const id = await make("there");
  for (const [name, more] of [
    ["create_task", { description: "A" }],
    ["update_task", { id }],
  ] as const)
    expect((await fail(name, { ...more, done_when })).text).toContain("done_when");
});

test("done_when is accepted with and without its kind", async () => {
  const { call, make } = await openBench();
  const command = ["npm", "test"];
  const id = await make("A", { done_when: { command } });
  const { done_when } = await call("get_task", { id });
  expect(done_when).toMatchObject({ kind: "command", command });
  expect(await call("update_task", { id, done_when: done_when as JsonObject })).toMatchObject({
    done_when,
    version: 1,
  });
});
