import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { cycleError } from "./errors.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import type { Blocker, Task } from "./task.js";

/** The options of `addBlocker` and `removeBlocker`. */
export interface BlockerOptions extends Blocker {
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** Blocks one task by another until that one is completed. If it does already, nothing is written. */
export async function addBlocker(todo: TodoContext, options: BlockerOptions): Promise<Blocker> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const blocker = await findBoth(sql, options, attribution.at);
    const path = await pathBetween(sql, blocker.blocked_by_id, blocker.task_id);
    if (path !== undefined)
      throw cycleError(`block ${blocker.task_id} by ${blocker.blocked_by_id}`, [blocker.task_id, ...path]);
    if (!(await hasBlocker(sql, blocker))) await new ChangeSet(sql, attribution).addBlocker(blocker);
    return blocker;
  });
}

/** Removes a blocker. */
export async function removeBlocker(todo: TodoContext, options: BlockerOptions): Promise<Blocker> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const blocker = await findBoth(sql, options, attribution.at);
    if (!(await hasBlocker(sql, blocker)))
      throw new ToolError(`blocker not found: ${blocker.task_id} -> ${blocker.blocked_by_id}`, {
        code: "NOT_FOUND",
        hint: { action: "list its blockers", tool: "get_blockers", arguments: { task_id: blocker.task_id } },
        details: { ...blocker },
      });
    await new ChangeSet(sql, attribution).removeBlocker(blocker);
    return blocker;
  });
}

/** The options of `getBlockers`. */
export interface BlockersQuery {
  readonly task_id: string;
  /** Follows the links further, to the blockers of blockers. */
  readonly transitive?: boolean | undefined;
  /** `blocking`: the tasks that the task blocks. */
  readonly direction?: "blocked_by" | "blocking" | undefined;
}

/** The tasks that block one task, nearest first. */
export async function getBlockers(
  todo: TodoContext,
  { task_id: id, transitive = false, direction = "blocked_by" }: BlockersQuery,
): Promise<{ readonly tasks: readonly Task[] }> {
  const at = todo.now();
  const [from, to] = direction === "blocking" ? ["blocked_by_id", "task_id"] : ["task_id", "blocked_by_id"];
  const text = `SELECT ${TASK_FIELDS} FROM tasks t JOIN blockers l ON l.${to} = t.id WHERE l.${from} = ? ORDER BY t.priority, t.id DESC`;
  const store = await todo.store();
  return store.read(async (sql) => {
    const found = new Map<string, Task>();
    const open = [(await findTask(sql, id, at)).id];
    for (const each of open) {
      for (const task of (await sql.all(text, each)).map((row) => toTask(row, at))) {
        if (found.has(task.id)) continue;
        found.set(task.id, task);
        if (transitive) open.push(task.id);
      }
    }
    return { tasks: [...found.values()] };
  });
}

async function findBoth(sql: Sql, options: Blocker, at: string): Promise<Blocker> {
  const task = await findTask(sql, options.task_id, at);
  const other = await findTask(sql, options.blocked_by_id, at);
  return { task_id: task.id, blocked_by_id: other.id };
}

/** Whether one task blocks another. */
export const hasBlocker = async (sql: Sql, { task_id: task, blocked_by_id: by }: Blocker): Promise<boolean> =>
  (await sql.get("SELECT 1 AS found FROM blockers WHERE task_id = ? AND blocked_by_id = ?", task, by)) !== undefined;

/** The shortest path from one task over its blockers to another, as ids; undefined = there is none. */
async function pathBetween(sql: Sql, from: string, to: string): Promise<readonly string[] | undefined> {
  const blockersOf = new Map<string, string[]>();
  for (const row of await sql.all(ALL_BLOCKERS, from)) {
    const id = String(row["task_id"]);
    const blockers = blockersOf.get(id);
    if (blockers === undefined) blockersOf.set(id, [String(row["blocked_by_id"])]);
    else blockers.push(String(row["blocked_by_id"]));
  }
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const [id] of cameFrom) {
    if (id === to) return pathTo(id, cameFrom);
    for (const next of blockersOf.get(id) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return undefined;
}

/** Every blocker that is reachable from one task. One query, because a long chain would need as many. */
const ALL_BLOCKERS = `WITH RECURSIVE reached (id) AS (
  SELECT id FROM tasks WHERE id = ? UNION SELECT b.blocked_by_id FROM blockers b JOIN reached r ON b.task_id = r.id)
  SELECT task_id, blocked_by_id FROM blockers WHERE task_id IN (SELECT id FROM reached) ORDER BY task_id, blocked_by_id`;

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.push(id);
  return path.reverse();
}
