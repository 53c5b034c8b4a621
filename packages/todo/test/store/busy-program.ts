import { ToolError } from "@toolwright/engine";
import { createFilePolicy } from "@toolwright/kit/files";
import { addBlocker, removeBlocker } from "../../src/tasks/blockers.js";
import { claimTask } from "../../src/tasks/claims.js";
import { createTask, deleteTask, updateTask } from "../../src/tasks/edit-tasks.js";
import { listTasks } from "../../src/tasks/list-tasks.js";
import { searchTasks } from "../../src/tasks/search-tasks.js";
import { STATUSES } from "../../src/tasks/task.js";
import { undoLast } from "../../src/tasks/undo-last.js";
import { TodoContext } from "../../src/todo-context.js";

// Runs operations on a database as fast as possible, and prints a line after each one: "done" with the name of the written event,
// or "other" if nothing was written.
const [database = "", name = "", count = "0"] = process.argv.slice(2);
const todo = new TodoContext(
  { database, priority: 3, leaseSeconds: 900, commands: [] },
  { stateFolder: "/nowhere", files: createFilePolicy({}), now: () => new Date(), log: () => undefined },
);
let known: readonly string[] = [];

const below = (most: number): number => Math.floor(Math.random() * most);
const some = (): string => known[below(known.length)] ?? "task_none";

/** An existing blocker is not written again, so this operation returns no name. */
async function tie(actor: string): Promise<"other"> {
  await addBlocker(todo, { task_id: some(), blocked_by_id: some(), actor });
  return "other";
}

async function look(): Promise<void> {
  const { tasks } = await listTasks(todo, { limit: 60 });
  known = tasks.map(({ id }) => id);
}

function change(actor: string): Promise<unknown> {
  const kind = below(100);
  if (kind < 35 || known.length < 10)
    return createTask(todo, { description: `Written by ${actor}`, priority: 1 + below(5), actor });
  if (kind < 65) {
    const status = STATUSES[below(4)];
    return updateTask(todo, { id: some(), context: actor, status, reason: "because", actor });
  }
  if (kind < 75) return tie(actor);
  if (kind < 80) return removeBlocker(todo, { task_id: some(), blocked_by_id: some(), actor });
  if (kind < 87) return claimTask(todo, { actor, lease_s: 1 });
  if (kind < 95) return deleteTask(todo, { id: some(), cascade: true, actor });
  return undoLast(todo, { actor });
}

async function act(actor: string): Promise<string> {
  if (below(100) < 20) {
    await (below(2) === 0 ? look() : searchTasks(todo, { query: "written", limit: 5 }));
    return "other";
  }
  try {
    return (await change(actor)) === "other" ? "other" : `done ${actor}`;
  } catch (error) {
    const isExpected = error instanceof ToolError && error.code !== "UNAVAILABLE";
    if (!isExpected) throw error;
    return "other";
  }
}

for (let index = 0; index < Number(count); index++) {
  if (index % 20 === 0) await look();
  process.stdout.write(`${await act(`${name}.${index}`)}\n`);
}
await todo.close();
