import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findCycles } from "../../src/tasks/cycles.js";
import { openBench } from "../kit.js";

/** Counts the turns of the event loop while something runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const done = new AbortController();
  const count = async (): Promise<void> => {
    for (; !done.signal.aborted; turns += 1) await setImmediate();
  };
  void count();
  await work().finally(() => done.abort());
  return turns;
}

const idOf = (index: number): string => `task_${String(index).padStart(20, "0")}`;

/** Lines of an import, in which each task has a parent and a blocker: the one before it. */
const chainOf = (length: number): string =>
  Array.from({ length }, (_, index) => {
    const at = "2031-01-01T00:00:00.000Z";
    const above = index === 0 ? {} : { parent_id: idOf(index - 1), blocked_by: [idOf(index - 1)] };
    return JSON.stringify({ id: idOf(index), description: "a", created_at: at, updated_at: at, ...above });
  }).join("\n");

test("an import of a chain of 15,000 tasks takes linear time, and lets others be served", async () => {
  const { call } = await openBench();
  let result: unknown;
  const turns = await turnsDuring(async () => {
    result = await call("import_tasks", { text: chainOf(15_000) });
  });
  expect(result).toMatchObject({ created: 15_000 });
  expect(turns).toBeGreaterThan(10);
}, 40_000);

test("an undo of a cascade of 4,000 tasks takes linear time, and lets others be served", async () => {
  const { call } = await openBench();
  await call("import_tasks", { text: chainOf(4000) });
  await call("delete_task", { id: idOf(0), cascade: true });
  const turns = await turnsDuring(() => call("undo_last_task"));
  expect(turns).toBeGreaterThan(5);
  expect(await call("get_task", { id: idOf(3999) })).toMatchObject({ parent_id: idOf(3998) });
}, 40_000);

test("an import names the first of many invalid lines, and the tasks that close a cycle", async () => {
  const { fail } = await openBench();
  await expect(fail("import_tasks", { text: "a\n".repeat(500_000) })).resolves.toMatchObject({
    text: expect.stringContaining("; and 980 more.") as string,
  });
  const closed = chainOf(3).replace(`"description":"a"`, `"description":"a","blocked_by":["${idOf(2)}"]`);
  await expect(fail("import_tasks", { text: closed })).resolves.toMatchObject({
    text: expect.stringContaining(`line 1: ${idOf(0)} would close a cycle`) as string,
  });
});

test("tasks on a cycle are those that reach themselves", async () => {
  const links = fc.array(fc.uniqueArray(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(links, async (graph) => {
      const linksOf = (id: string): readonly string[] => (graph[Number(id)] ?? []).map(String);
      const reachesItself = (id: string): boolean => {
        const seen = new Set(linksOf(id));
        for (const each of seen) for (const next of linksOf(each)) seen.add(next);
        return seen.has(id);
      };
      const ids = graph.map((_, index) => String(index));
      expect([...(await findCycles(ids, linksOf))].sort()).toEqual(ids.filter(reachesItself));
    }),
  );
});
