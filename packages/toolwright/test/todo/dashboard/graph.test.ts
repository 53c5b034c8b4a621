import { expect, test } from "vitest";
import { openSite, type Site, textOf } from "./kit.js";

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Stores tasks and which of them block which, without the work of creating each. */
async function fill({ todo }: Site, count: number, pairs: Iterable<readonly [blocker: number, task: number]>) {
  const store = await todo.store();
  await store.write(async (sql) => {
    await sql.run("DROP TRIGGER waits_for_one_more");
    for (let number = 0; number < count; number += 1)
      await sql.run(
        `INSERT INTO tasks (id, description, context, priority, status, version, created_at, updated_at)
         VALUES (?, ?, '', 3, 'pending', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
        idOf(number),
        `task ${number}`,
      );
    for (const [blocker, task] of pairs)
      await sql.run("INSERT INTO blockers (task_id, blocked_by_id) VALUES (?, ?)", idOf(task), idOf(blocker));
  });
}

function* chain(count: number): Generator<[number, number]> {
  for (let task = 1; task < count; task += 1) yield [task - 1, task];
}

/** Each task blocks all later ones. */
function* everyPair(count: number): Generator<[number, number]> {
  for (let task = 1; task < count; task += 1) for (let blocker = 0; blocker < task; blocker += 1) yield [blocker, task];
}

test.each([
  ["15,400 tasks in a row", 15_400, chain(15_400)],
  ["15,400 tasks in pairs", 15_400, [...chain(15_400)].filter(([blocker]) => blocker % 2 === 0)],
  ["a task that blocks 15,399", 15_400, [...chain(15_400)].map(([, task]) => [0, task] as const)],
  ["200 tasks of which each blocks all later ones", 200, everyPair(200)],
])(
  "the graph of many tasks is drawn in part: %s",
  async (_name, count, pairs) => {
    const site = await openSite();
    await fill(site, count, pairs);
    const response = await site.get("/tasks/graph");
    const page = await response.text();
    expect([response.status, textOf(page).slice(0, 300)]).toEqual([200, expect.stringContaining("more not shown")]);
    expect(page.match(/class="node /g)).toHaveLength(150);
    expect(page.length).toBeLessThan(1_000_000);
  },
  60_000,
);
