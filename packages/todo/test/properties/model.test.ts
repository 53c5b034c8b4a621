import { ToolError } from "@toolwright/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addBlocker, removeBlocker } from "../../src/tasks/blockers.js";
import { createTask, deleteTask, updateTask } from "../../src/tasks/edit-tasks.js";
import { listTasks } from "../../src/tasks/list-tasks.js";
import { STATUSES } from "../../src/tasks/task.js";
import { undoLast } from "../../src/tasks/undo-last.js";
import type { TodoContext } from "../../src/todo-context.js";
import { everyDatabase } from "../kit.js";
import { readAll, replay } from "../store/replay.js";
import { Model } from "./model.js";

const index = fc.nat(30);
const step = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constant("create"), priority: fc.integer({ min: 1, max: 5 }), one: index }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("move"),
      one: index,
      status: fc.constantFrom(...STATUSES),
      why: fc.boolean(),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ do: fc.constant("block"), one: index, other: index }), weight: 5 },
  { arbitrary: fc.record({ do: fc.constant("unblock"), one: index, other: index }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("delete"), one: index, why: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("undo") }), weight: 3 },
);

interface Step {
  readonly do: string;
  readonly priority?: number;
  readonly one?: number;
  readonly other?: number;
  readonly status?: (typeof STATUSES)[number];
  readonly why?: boolean;
}

/** Returns whether an operation succeeded. A rejection is not a failure of the test. */
async function isDone(deed: Promise<unknown>): Promise<boolean> {
  try {
    await deed;
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.code !== "UNAVAILABLE") return false;
    throw error;
  }
}

/** Applies a step to the model and to the database. Returns whether each of them allowed it. */
async function take(todo: TodoContext, model: Model, wish: Step): Promise<readonly [boolean, boolean]> {
  const { ids } = model;
  const at = (place = 0): string => ids[place % ids.length] ?? "";
  const { priority = 3, status = "pending", why = false } = wish;
  if (wish.do === "undo") return [await isDone(undoLast(todo, {})), model.undo()];
  if (wish.do === "create" || ids.length === 0) {
    // Every third task is a subtask.
    const parent = ids.length > 0 && (wish.one ?? 0) % 3 === 0 ? at(wish.one) : undefined;
    const { id } = await createTask(todo, { description: "x", priority, parent_id: parent });
    model.create(id, priority, parent);
    return [true, true];
  }
  const [one, other] = [at(wish.one), at(wish.other)];
  const pair = { task_id: one, blocked_by_id: other };
  if (wish.do === "move")
    return [
      await isDone(updateTask(todo, { id: one, status, reason: why ? "because" : undefined })),
      model.move(one, status, why),
    ];
  if (wish.do === "block") return [await isDone(addBlocker(todo, pair)), model.block(one, other)];
  if (wish.do === "unblock") return [await isDone(removeBlocker(todo, pair)), model.unblock(one, other)];
  return [await isDone(deleteTask(todo, { id: one, cascade: why })), model.remove(one, why)];
}

everyDatabase((open, kind) => {
  test("tasks behave like a simple model for random operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { todo } = await open();
        const model = new Model();
        for (const wish of steps) {
          const [isAllowed, shouldBe] = await take(todo, model, wish);
          expect({ wish, isAllowed }).toEqual({ wish, isAllowed: shouldBe });
          const { tasks, total } = await listTasks(todo, { limit: 500 });
          expect(tasks.map((task) => `${task.id} ${task.status} ${task.blocked} ${task.ready}`)).toEqual(model.list());
          expect(total).toBe(model.ids.length);
          const queue = await listTasks(todo, { limit: 500, ready_only: true });
          expect(queue.tasks.map(({ id }) => id)).toEqual(model.ready());
        }
        const { tables, events } = await readAll(await todo.store());
        expect(replay(events)).toEqual(tables);
        await todo.close();
      }),
      { numRuns: kind === "sqlite" ? 40 : 5 },
    );
  }, 60_000);
});
