import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { cycle } from "./errors.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import type { Blocker, Task } from "./task.js";

/** That one task should wait for another, or no longer. */
export interface BlockerOptions extends Blocker {
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** Makes one task wait for another. Where it does already, nothing is written. */
export async function addBlocker(todo: TodoContext, options: BlockerOptions): Promise<Blocker> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const blocker = await findBoth(sql, options, attribution.at);
    const path = await pathBetween(sql, blocker.blocked_by_id, blocker.task_id);
    if (path !== undefined)
      throw cycle(`make ${blocker.task_id} wait for ${blocker.blocked_by_id}`, [blocker.task_id, ...path]);
    if (!(await hasBlocker(sql, blocker))) await new ChangeSet(sql, attribution).addBlocker(blocker);
    return blocker;
  });
}

/** Lets a task no longer wait for another. */
export async function removeBlocker(todo: TodoContext, options: BlockerOptions): Promise<Blocker> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const blocker = await findBoth(sql, options, attribution.at);
    if (!(await hasBlocker(sql, blocker)))
      throw new ToolError(`blocker not found: ${blocker.task_id} -> ${blocker.blocked_by_id}`, {
        code: "NOT_FOUND",
        details: { ...blocker },
      });
    await new ChangeSet(sql, attribution).removeBlocker(blocker);
    return blocker;
  });
}

/** Which tasks one waits for, or which wait for it. */
export interface BlockersQuery {
  readonly task_id: string;
  /** Also those that they wait for in turn. */
  readonly transitive?: boolean | undefined;
  readonly direction?: "blocked_by" | "blocking" | undefined;
}

/** The tasks that one waits for; the nearest first. */
export async function getBlockers(
  todo: TodoContext,
  options: BlockersQuery,
): Promise<{ readonly tasks: readonly Task[] }> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const start = await findTask(sql, options.task_id, at);
    const isForward = options.direction !== "blocking";
    const found = new Map<string, Task>();
    const open = [start.id];
    for (const id of open) {
      for (const task of await neighbours(sql, id, isForward, at)) {
        if (found.has(task.id)) continue;
        found.set(task.id, task);
        if (options.transitive === true) open.push(task.id);
      }
    }
    return { tasks: [...found.values()] };
  });
}

async function neighbours(sql: Sql, id: string, isForward: boolean, at: string): Promise<readonly Task[]> {
  const [near, far] = isForward ? ["task_id", "blocked_by_id"] : ["blocked_by_id", "task_id"];
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t JOIN blockers l ON l.${far} = t.id WHERE l.${near} = ? ORDER BY t.priority, t.id DESC`,
    id,
  );
  return rows.map((row) => toTask(row, at));
}

async function findBoth(sql: Sql, options: Blocker, at: string): Promise<Blocker> {
  const task = await findTask(sql, options.task_id, at);
  const other = await findTask(sql, options.blocked_by_id, at);
  return { task_id: task.id, blocked_by_id: other.id };
}

/** Whether one task waits for another. */
export const hasBlocker = async (sql: Sql, { task_id: task, blocked_by_id: by }: Blocker): Promise<boolean> =>
  (await sql.get("SELECT 1 AS found FROM blockers WHERE task_id = ? AND blocked_by_id = ?", task, by)) !== undefined;

/** How one task comes to wait for another, as a list of ids, the shortest way; undefined = it does not. */
export async function pathBetween(sql: Sql, from: string, to: string): Promise<readonly string[] | undefined> {
  const waits = new Map<string, string[]>();
  for (const row of await sql.all(ALL_BEHIND, from)) {
    const id = String(row["task_id"]);
    waits.set(id, [...(waits.get(id) ?? []), String(row["blocked_by_id"])]);
  }
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const [id] of cameFrom) {
    if (id === to) return pathTo(id, cameFrom);
    for (const next of waits.get(id) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return undefined;
}

/** Every blocker that can be reached from one task, asked for at once: long chains would be as many questions. */
const ALL_BEHIND = `WITH RECURSIVE behind (id) AS (
  SELECT id FROM tasks WHERE id = ? UNION SELECT b.blocked_by_id FROM blockers b JOIN behind f ON b.task_id = f.id)
  SELECT task_id, blocked_by_id FROM blockers WHERE task_id IN (SELECT id FROM behind) ORDER BY task_id, blocked_by_id`;

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.unshift(id);
  return path;
}
