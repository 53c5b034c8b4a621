import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "@toolwright/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bench, everyDatabase, makeFolder, textOf } from "../kit.js";

const run = promisify(execFile);

/** Exports all lines, page by page. */
async function exported({ call }: Pick<Bench, "call">): Promise<string> {
  let [text, after] = ["", undefined as string | undefined];
  do {
    const page: JsonObject = await call("export_tasks", after === undefined ? {} : { after });
    text += textOf(page, "text");
    after = (page["next"] as { after: string } | undefined)?.after;
  } while (after !== undefined);
  return text;
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((one) => !/^\s*$|\0/.test(one));
const task = fc.record({
  description: text,
  context: text,
  priority: fc.integer({ min: 1, max: 5 }),
  parent: fc.option(fc.nat(10)),
  waits: fc.uniqueArray(fc.nat(10), { maxLength: 3 }),
  isDone: fc.boolean(),
});

everyDatabase((open) => {
  test("an export that is imported elsewhere exports the same, and importing it again changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 8 }), async (tasks) => {
        const one = await open();
        const ids: string[] = [];
        for (const { description, context, priority, parent, waits, isDone } of tasks) {
          const above = parent === null ? undefined : ids[parent % Math.max(1, ids.length)];
          const blockers = [...new Set(waits.flatMap((place) => ids[place] ?? []))];
          const given = { context, priority, blocked_by: blockers, ...(above && { parent_id: above }) };
          const id = await one.make(description, given);
          ids.push(id);
          if (isDone) await one.call("update_task", { id, status: "completed", result: description });
        }
        const lines = await exported(one);
        const other = await open();
        const count = { created: tasks.length, updated: 0, unchanged: 0, kept: 0 };
        expect(await other.call("import_tasks", { text: lines, dry_run: true })).toEqual({ ...count, dry_run: true });
        expect(await exported(other)).toBe("");
        expect(await other.call("import_tasks", { text: lines })).toEqual({ ...count, dry_run: false });
        expect(await exported(other)).toBe(lines);
        const again = await other.call("import_tasks", { text: lines });
        expect(again).toEqual({ created: 0, updated: 0, unchanged: tasks.length, kept: 0, dry_run: false });
        await other.call("undo_last_task");
        expect(await exported(other)).toBe("");
        // The connections of all runs together exceed the limit of PostgreSQL.
        await Promise.all([one.close(), other.close()]);
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test("exports on two branches merge in git with merge=union, and can be imported", async () => {
    const folder = await makeFolder();
    const git = (...args: string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", ...args], {
        cwd: folder,
      });
    const file = path.join(folder, "tasks.jsonl");
    const save = async (bench: Bench, message: string): Promise<void> => {
      await writeFile(file, await exported(bench));
      await git("add", ".");
      await git("commit", "-qm", message);
    };
    const base = await open();
    const [a, b] = [await base.make("a"), await base.make("b")];
    await git("init", "-q");
    await writeFile(path.join(folder, ".gitattributes"), "*.jsonl merge=union\n");
    await save(base, "base");
    const lines = await readFile(file, "utf8");

    const branch = async (name: string, work: (bench: Bench) => Promise<unknown>): Promise<void> => {
      await git("checkout", "-qb", name, "main");
      const bench = await open();
      bench.clock.pass(100);
      await bench.call("import_tasks", { text: lines });
      await work(bench);
      await save(bench, name);
    };
    await branch("left", async (bench) => {
      await bench.call("update_task", { id: a, status: "completed", result: "left" });
      await bench.make("new on the left");
    });
    await branch("right", async (bench) => {
      bench.clock.pass(10);
      await bench.call("update_task", { id: b, priority: 1 });
      await bench.make("new on the right", { blocked_by: [b] });
    });
    await git("merge", "-q", "--no-edit", "left");

    const merged = await open();
    await merged.call("import_tasks", { text: await readFile(file, "utf8") });
    const { tasks } = await merged.call("list_tasks");
    expect((tasks as JsonObject[]).map(({ description, status, blocked }) => [description, status, blocked])).toEqual([
      ["b", "pending", false],
      ["new on the right", "pending", true],
      ["new on the left", "pending", false],
      ["a", "completed", false],
    ]);
  });

  test("invalid lines are reported, and nothing is imported", async () => {
    const { call, fail, make } = await open();
    const id = await make("there");
    const [line = ""] = (await exported({ call })).split("\n");
    const good = JSON.parse(line) as JsonObject;
    const write = (...changes: JsonObject[]): string =>
      changes.map((change) => JSON.stringify({ ...good, ...change })).join("\n");
    const wrong: readonly (readonly [string, string])[] = [
      ["{", "line 1: invalid JSON"],
      ["[]", "line 1: not a JSON object"],
      [`${write({})}\n<<<<<<< ours`, "line 2: merge conflict marker. Remove the markers"],
      [`${write({})}\n=======`, '"*.jsonl merge=union" in .gitattributes'],
      [write({ id: "nonsense" }), 'invalid id: "nonsense"'],
      [write({ status: "doing" }), 'invalid status: "doing"'],
      [write({ priority: 9 }), "invalid priority: 9"],
      [write({ surprise: 1 }), 'unknown field "surprise"'],
      [write({ description: "a\u0000b" }), "invalid description"],
      [write({ updated_at: "yesterday" }), "invalid updated_at"],
      [write({ parent_id: "task_none" }), "unknown task task_none"],
      [write({ blocked_by: [id] }), `${id} would close a cycle`],
      [
        write({ id: "task_x", parent_id: "task_y" }, { id: "task_y", parent_id: "task_x" }),
        "task_x would close a cycle",
      ],
      [write({ id: "task_x", blocked_by: ["task_y"] }, { id: "task_y", blocked_by: ["task_x"] }), "close a cycle"],
    ];
    for (const [given, message] of wrong) {
      const refused = await fail("import_tasks", { text: given });
      expect(refused.code).toBe("INVALID_ARGUMENT");
      expect(refused.text).toContain(message);
    }
    expect((await call("list_tasks"))["total"]).toBe(1);
  });

  test("the newer version of a task wins by default", async () => {
    const { call, clock, make } = await open();
    const id = await make("first form");
    const other = await make("other");
    const old = (await exported({ call })).split("\n")[0] ?? "";
    clock.pass(10);
    await call("update_task", { id, description: "second form" });
    expect(await call("import_tasks", { text: old })).toMatchObject({ kept: 1, updated: 0 });
    expect(await call("import_tasks", { text: old, on_conflict: "keep" })).toMatchObject({ kept: 1 });
    expect(await call("get_task", { id })).toMatchObject({ description: "second form", version: 2 });
    expect(await call("import_tasks", { text: old, on_conflict: "replace" })).toMatchObject({ updated: 1 });
    expect(await call("get_task", { id })).toMatchObject({ description: "first form", version: 3 });
    await call("add_blocker", { task_id: other, blocked_by_id: id });
    const stale = (await exported({ call })).replaceAll(/"blocked_by":\["[^"]*"\]/g, '"blocked_by":[]');
    expect(await call("import_tasks", { text: stale })).toMatchObject({ unchanged: 2 });
    expect(await call("get_task", { id: other })).toMatchObject({ blocked: true });
  });
});
