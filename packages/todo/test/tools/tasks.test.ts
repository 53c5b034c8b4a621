import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { type Bench, everyDatabase, textOf } from "../kit.js";

const listed = async ({ call }: Bench, args: JsonObject = {}): Promise<readonly string[]> =>
  ((await call("list_tasks", args))["tasks"] as JsonObject[]).map((task) => textOf(task, "description"));

everyDatabase((open) => {
  test("a new task is pending and ready, and its text is unchanged", async () => {
    const { call } = await open();
    const task = await call("create_task", { description: "Mend the parser", context: "line 7" });
    expect(task).toEqual({
      id: expect.stringMatching(/^task_[0-9a-z]{20}$/),
      parent_id: null,
      description: "Mend the parser",
      context: "line 7",
      priority: 3,
      status: "pending",
      result: null,
      done_when: null,
      version: 1,
      created_at: "2031-05-06T07:08:09.001Z",
      started_at: null,
      completed_at: null,
      updated_at: "2031-05-06T07:08:09.001Z",
      created_by: "toolwright-test",
      claimed_by: null,
      lease_until: null,
      blocked: false,
      ready: true,
    });
    expect(await call("get_task", { id: textOf(task, "id") })).toEqual(task);
  });

  test("lists are sorted by priority, then newest first, and pages continue without gaps", async () => {
    const bench = await open();
    for (const [name, priority] of [
      ["a", 3],
      ["b", 1],
      ["c", 3],
      ["d", 5],
      ["e", 1],
    ] as const)
      await bench.make(name, { priority });
    expect(await listed(bench)).toEqual(["e", "b", "c", "a", "d"]);
    const first = await bench.call("list_tasks", { limit: 2 });
    expect(first).toMatchObject({ tasks: [{ description: "e" }, { description: "b" }], total: 5 });
    const cursor = textOf(first, "next_cursor");
    const second = await bench.call("list_tasks", { limit: 2, cursor });
    expect(second).toMatchObject({ tasks: [{ description: "c" }, { description: "a" }] });
    const last = await bench.call("list_tasks", { limit: 2, cursor: textOf(second, "next_cursor") });
    expect(last).toMatchObject({ tasks: [{ description: "d" }], total: 5 });
    expect(last).not.toHaveProperty("next_cursor");
    expect((await bench.fail("list_tasks", { cursor: "nonsense" })).code).toBe("INVALID_ARGUMENT");
  });

  test("lists can be filtered, also to an empty list", async () => {
    const bench = await open();
    expect(await bench.call("list_tasks")).toEqual({ tasks: [], total: 0 });
    const parent = await bench.make("parent");
    const child = await bench.make("child", { parent_id: parent });
    await bench.make("waits", { blocked_by: [child] });
    await bench.call("update_task", { id: parent, status: "completed" });
    expect(await listed(bench, { parent_id: parent })).toEqual(["child"]);
    expect(await listed(bench, { status: "completed" })).toEqual(["parent"]);
    expect(await listed(bench, { status: "failed" })).toEqual([]);
    expect(await listed(bench, { ready_only: true })).toEqual(["child"]);
  });

  test("ids can be shortened as long as they are unique, and ambiguous ones are rejected", async () => {
    const bench = await open();
    const one = await bench.make("one");
    const other = await bench.make("other");
    for (const given of [one, one.slice("task_".length), one.slice(-6), one.toUpperCase(), ` ${one} `])
      expect(await bench.call("get_task", { id: given })).toMatchObject({ id: one });
    const both = await bench.fail("get_task", { id: one.slice(0, 10) });
    expect(both).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(both.text).toContain(`${one}, ${other} match`);
    for (const given of ["task_xyz", "", "%", "task_%", "'; DROP TABLE tasks", "task_\u0000"]) {
      const { code, text } = await bench.fail("get_task", { id: given });
      expect(code).toBe("NOT_FOUND");
      expect(text.startsWith(`task not found: ${given}`), text).toBe(true);
    }
  });

  test("a status change records its time, and a closed task is reopened only with a reason", async () => {
    const bench = await open();
    const id = await bench.make("work");
    const started = await bench.call("update_task", { id, status: "in_progress" });
    expect(started).toMatchObject({ status: "in_progress", version: 2, ready: false, completed_at: null });
    expect(started["started_at"]).toBe(started["updated_at"]);
    const done = await bench.call("update_task", { id, status: "completed", result: "it works" });
    expect(done).toMatchObject({ status: "completed", result: "it works", started_at: started["started_at"] });
    expect(done["completed_at"]).toBe(done["updated_at"]);
    const refused = await bench.fail("update_task", { id, status: "pending" });
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", details: { expected: "reason" } });
    const again = await bench.call("update_task", { id, status: "pending", reason: "it broke again" });
    expect(again).toMatchObject({ status: "pending", started_at: null, completed_at: null, result: null, version: 4 });
    const history = (await bench.call("task_history", { id }))["events"] as JsonObject[];
    expect(history[0]).toMatchObject({ kind: "updated", actor: "toolwright-test", reason: "it broke again" });
    expect(history[0]?.["changes"]).toMatchObject({ status: { was: "completed", is: "pending" } });
    expect(history.map(({ kind }) => kind)).toEqual(["updated", "updated", "updated", "created"]);
  });

  test("an outdated version is rejected with the changes since", async () => {
    const bench = await open();
    const id = await bench.make("work");
    await bench.call("update_task", { id, priority: 1, expected_version: 1 });
    const stale = await bench.fail("update_task", { id, context: "mine", expected_version: 1 });
    expect(stale).toMatchObject({ code: "CONFLICT", details: { expected: 1, got: 2 } });
    expect(stale.text).toContain("it has version 2, not 1. Changes since then: updated by toolwright-test (priority).");
    expect(await bench.call("get_task", { id })).toMatchObject({ context: "", version: 2 });
  });

  test("an update without changes is not written", async () => {
    const bench = await open();
    const id = await bench.make("work");
    expect(await bench.call("update_task", { id, priority: 3 })).toMatchObject({ version: 1 });
    expect((await bench.call("task_history"))["events"]).toHaveLength(1);
  });

  test("a parent is deleted only together with its subtasks", async () => {
    const bench = await open();
    const parent = await bench.make("parent");
    const child = await bench.make("child", { parent_id: parent });
    const grandchild = await bench.make("grandchild", { parent_id: child });
    const refused = await bench.fail("delete_task", { id: parent });
    expect(refused).toMatchObject({ code: "CONFLICT", details: { children: [child] } });
    expect(await bench.call("delete_task", { id: grandchild })).toEqual({ deleted: grandchild, also: [], total: 1 });
    expect(await bench.call("delete_task", { id: parent, cascade: true })).toEqual({
      deleted: parent,
      also: [child],
      total: 2,
    });
    expect(await listed(bench)).toEqual([]);
    expect((await bench.call("task_history", { id: child }))["events"]).toMatchObject([{ kind: "deleted" }, {}]);
  });

  test("a task cannot become a subtask of its own subtask", async () => {
    const bench = await open();
    const top = await bench.make("top");
    const low = await bench.make("low", { parent_id: await bench.make("middle", { parent_id: top }) });
    const refused = await bench.fail("update_task", { id: top, parent_id: low });
    expect(refused.code).toBe("CYCLE");
    expect((refused.details["path"] as string[]).at(0)).toBe(top);
    expect(refused.details["path"]).toHaveLength(4);
    expect(await bench.call("update_task", { id: low, parent_id: null })).toMatchObject({ parent_id: null });
    expect((await bench.fail("create_task", { description: "x", parent_id: "task_xyz" })).text).toContain(
      "task not found: task_xyz",
    );
  });

  test("a tree shows nested subtasks, and how many it omits", async () => {
    const bench = await open();
    const top = await bench.make("top");
    for (const name of ["one", "two", "three"]) await bench.make(name, { parent_id: top });
    await bench.make("alone");
    expect(await bench.call("task_tree", { id: top })).toMatchObject({
      trees: [{ id: top, children: [{ description: "one" }, { description: "two" }, { description: "three" }] }],
      total: 4,
      left_out: 0,
    });
    expect(await bench.call("task_tree", { limit: 3 })).toMatchObject({ total: 3, left_out: 2 });
    expect(await bench.call("task_tree", { depth: 0 })).toMatchObject({ total: 2 });
  });

  test("blockers are added once, rejected in cycles with the path, and removed", async () => {
    const bench = await open();
    const [a, b, c] = [await bench.make("a"), await bench.make("b"), await bench.make("c")];
    const pair = { task_id: a, blocked_by_id: b };
    expect(await bench.call("add_blocker", pair)).toEqual({ ...pair, status: "added" });
    expect(await bench.call("add_blocker", pair)).toEqual({ ...pair, status: "added" });
    await bench.call("add_blocker", { task_id: b, blocked_by_id: c });
    const circle = await bench.fail("add_blocker", { task_id: c, blocked_by_id: a });
    expect(circle).toMatchObject({ code: "CYCLE", details: { path: [c, a, b, c] } });
    expect(circle.text).toContain(`${c} → ${a} → ${b} → ${c}`);
    expect((await bench.fail("add_blocker", { task_id: a, blocked_by_id: a })).code).toBe("CYCLE");
    expect(await bench.call("get_blockers", { task_id: a })).toMatchObject({ tasks: [{ id: b }], total: 1 });
    expect(await bench.call("get_blockers", { task_id: a, transitive: true })).toMatchObject({
      tasks: [{ id: b }, { id: c }],
    });
    expect(await bench.call("get_blockers", { task_id: c, direction: "blocking" })).toMatchObject({
      tasks: [{ id: b }],
    });
    expect(await bench.call("remove_blocker", pair)).toEqual({ ...pair, status: "removed" });
    const gone = await bench.fail("remove_blocker", pair);
    expect(gone).toMatchObject({ code: "NOT_FOUND" });
    expect(gone.text.startsWith(`blocker not found: ${a} -> ${b}`)).toBe(true);
    expect((await bench.fail("get_blockers", { task_id: "task_xyz" })).text).toContain("task not found: task_xyz");
  });

  test("completing a blocked task succeeds with a warning", async () => {
    const bench = await open();
    const first = await bench.make("first");
    const second = await bench.make("second", { blocked_by: [first, first] });
    const early = await bench.call("update_task", { id: second, status: "completed" });
    expect(early["warnings"]).toEqual(["The task was completed although a task that blocks it is open."]);
    const view = await bench.call("get_task", { id: first, include: ["blockers", "history", "children"] });
    expect(view).toMatchObject({ blocking: [{ id: second }], blocked_by: [], children: [], history: [{}] });
  });
});
