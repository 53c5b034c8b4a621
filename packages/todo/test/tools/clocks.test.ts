import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { type Bench, everyDatabase, textOf } from "../kit.js";

/** The line of a task that was changed on a machine whose clock is ahead. */
async function fromAhead({ call }: Bench, change: JsonObject): Promise<string> {
  const text = textOf(await call("export_tasks"), "text");
  return JSON.stringify({
    ...(JSON.parse(text) as JsonObject),
    updated_at: "2099-01-01T00:00:00.000Z",
    ...change,
  });
}

everyDatabase((open) => {
  const changes: readonly (readonly [string, (bench: Bench, id: string) => Promise<unknown>, JsonObject])[] = [
    ["changed", ({ call }, id) => call("update_task", { id, status: "completed", result: "mine" }), { result: "mine" }],
    ["claimed", ({ call }, id) => call("claim_task", { id, actor: "ann" }), { claimed_by: "ann" }],
    [
      "given back",
      async ({ call }, id) => {
        await call("claim_task", { id, actor: "ann" });
        await call("release_task", { id, actor: "ann" });
      },
      { claimed_by: null },
    ],
    [
      "deleted and brought back",
      async ({ call }, id) => {
        await call("delete_task", { id });
        await call("undo_last_task");
      },
      { description: "theirs" },
    ],
    [
      "taken back",
      async ({ call }, id) => {
        await call("update_task", { id, description: "mine" });
        await call("undo_last_task");
      },
      { description: "theirs" },
    ],
  ];
  test.each(changes)(
    "a task of a clock that is ahead and that is %s here was changed here last",
    async (...[, act, left]) => {
      const bench = await open();
      const id = await bench.make("shared");
      const line = await fromAhead(bench, { description: "theirs" });
      expect(await bench.call("import_tasks", { text: line })).toMatchObject({ updated: 1 });
      expect(await bench.call("get_task", { id })).toMatchObject({ updated_at: "2099-01-01T00:00:00.000Z" });
      await act(bench, id);
      expect(await bench.call("import_tasks", { text: line })).toMatchObject({ updated: 0, kept: 1 });
      const task = await bench.call("get_task", { id });
      expect(task).toMatchObject(left);
      expect(textOf(task, "updated_at") > "2099-01-01T00:00:00.000Z").toBe(true);
    },
  );

  test("a line that replaces a newer task gets a newer time, and importing it again changes nothing", async () => {
    const { call, clock, make } = await open();
    const id = await make("first");
    const text = textOf(await call("export_tasks"), "text");
    clock.pass(10);
    await call("update_task", { id, description: "second" });
    const second = textOf(await call("export_tasks"), "text");
    expect(await call("import_tasks", { text, on_conflict: "replace" })).toMatchObject({ updated: 1 });
    expect(await call("import_tasks", { text, on_conflict: "replace" })).toMatchObject({ updated: 0, unchanged: 1 });
    expect(await call("import_tasks", { text: second })).toMatchObject({ kept: 1 });
    expect(await call("get_task", { id })).toMatchObject({ description: "first", version: 3 });
  });

  test("the maximum time is rejected", async () => {
    const bench = await open();
    await bench.make("shared");
    const line = await fromAhead(bench, { updated_at: "9999-12-31T23:59:59.999Z" });
    expect((await bench.fail("import_tasks", { text: line })).text).toContain("invalid updated_at");
  });
});
