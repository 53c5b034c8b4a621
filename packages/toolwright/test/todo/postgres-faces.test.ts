import { writeFileSync } from "node:fs";
import path from "node:path";
import { addBlocker } from "@toolwright/todo/tasks/blockers.js";
import { createTask, updateTask } from "@toolwright/todo/tasks/edit-tasks.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noPostgres, type PostgresServer, startPostgres } from "../../../todo/test/postgres.js";
import { openPlace, short } from "./command-line/run.js";
import { mainOf, openSite, textOf } from "./dashboard/kit.js";

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

const makeDatabase = async (): Promise<string> => (await postgres?.makeDatabase()) ?? "";

describe.skipIf(noPostgres !== undefined)("tasks in PostgreSQL", () => {
  test("are there for the command line: taken down, tied, searched, undone, carried elsewhere", async () => {
    const { cwd, good, add } = openPlace();
    const database = await makeDatabase();
    writeFileSync(path.join(cwd, "toolwright.json"), JSON.stringify({ packs: { todo: { database } } }));
    const first = add("Lay the foundation", "-p", "1");
    const second = add("Build the house", "--after", short(first));
    expect(good("list", "--quiet").split("\n")).toEqual([first, second]);
    expect(good("next", "--quiet")).toBe(first);
    expect(good("search", "houses", "--quiet")).toBe(second);
    expect(good("history", second).split("\n").slice(1, 2)[0]).toContain(`blocker added, blocked_by none → ${first}`);
    good("unblock", second, first);
    good("undo");
    expect(good("tree").split("\n")).toHaveLength(2);
    const lines = good("export");
    const elsewhere = openPlace();
    expect(elsewhere.task(["import", "-"], `${lines}\n`)).toMatchObject({ status: 0 });
    expect(elsewhere.good("list", "--quiet").split("\n")).toEqual([first, second]);
    good("done", first, "--result", "Dry");
    expect(good("next", "--quiet")).toBe(second);
    good("rm", second, "--yes");
    expect(JSON.parse(good("list", "--all", "--json"))).toMatchObject({ tasks: [{ id: first, result: "Dry" }] });
  });

  test("are there for the dashboard: every page shows them", async () => {
    const { todo, get } = await openSite({ settings: { database: await makeDatabase() } });
    const first = await createTask(todo, { description: "lay the foundation", priority: 1 });
    const second = await createTask(todo, { description: "build the house", parent_id: first.id });
    await addBlocker(todo, { task_id: second.id, blocked_by_id: first.id });
    await updateTask(todo, { id: first.id, status: "in_progress" });
    const shown = async (place: string): Promise<string> => {
      const answer = await get(place);
      expect(answer.status).toBe(200);
      return textOf(mainOf(await answer.text()));
    };
    expect(await shown("/tasks")).toContain("2 tasks · 0 ready · 1 blocked");
    expect(await shown("/tasks?mark=blocked")).toContain("build the house");
    expect(await shown(`/tasks/${second.id}`)).toContain("lay the foundation");
    expect(await shown("/tasks/graph")).toContain("build the house");
    expect(await shown("/tasks/activity")).toContain("blocker added");
    expect(await shown("/tasks/search?q=houses")).toContain("build the house");
  });
});
