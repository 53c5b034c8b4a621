import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openPlace } from "./run.js";

test("toolwright task keeps its tasks in the folder for state that the configuration names", () => {
  const { cwd, good, add } = openPlace();
  writeFileSync(path.join(cwd, "toolwright.config.json"), JSON.stringify({ state: "kept" }));
  const id = add("Anything");
  expect(good("list", "--quiet")).toBe(id);
  expect([existsSync(path.join(cwd, "kept/todo.db")), existsSync(path.join(cwd, "state"))]).toEqual([true, false]);
});

describe("the settings of the pack todo", () => {
  test("are those of the command line too; flags are stronger", () => {
    const { cwd, good, add } = openPlace();
    const settings = { database: "tasks.db", actor: "ada", priority: 2 };
    writeFileSync(path.join(cwd, "toolwright.config.json"), JSON.stringify({ packs: { todo: settings } }));
    const id = add("Anything");
    expect(JSON.parse(good("show", id, "--json"))).toMatchObject({ created_by: "ada", priority: 2 });
    expect(existsSync(path.join(cwd, "tasks.db"))).toBe(true);
    expect(JSON.parse(good("add", "More", "--actor", "grace", "--json"))).toMatchObject({ created_by: "grace" });
  });

  test("are checked", () => {
    const { task } = openPlace({ TOOLWRIGHT_PACKS_TODO: '{"priorty":2}' });
    expect(task(["list"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("priorty in TOOLWRIGHT_PACKS_TODO is unknown; did you mean priority?"),
    });
  });
});
