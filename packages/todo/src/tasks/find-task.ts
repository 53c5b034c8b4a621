import type { Sql, SqlRow } from "@toolwright/kit/storage";
import { TASK_COLUMNS, toTaskRecord } from "../store/rows.js";
import { ambiguousId, taskNotFound } from "./errors.js";
import type { Task } from "./task.js";

/** The columns of a task `t`, for `toTask`. */
export const TASK_FIELDS = `${TASK_COLUMNS.map((column) => `t.${column}`).join(", ")}, t.open_blockers`;

/** Reads a task from a row, as callers see it at a moment. */
export function toTask(row: SqlRow, at: string): Task {
  const task = toTaskRecord(row);
  const blocked = Number(row["open_blockers"]) > 0;
  const hasExpired = task.lease_until !== null && task.lease_until <= at;
  const isAvailable =
    task.status === "pending" ? task.lease_until === null || hasExpired : task.status === "in_progress" && hasExpired;
  return { ...task, blocked, ready: isAvailable && !blocked };
}

/** How many matches the error for an ambiguous id names. */
const MAX_MATCHES = 5;

/**
 * Finds a task by its id, or by the beginning or the end of the id if no other task has the same. Throws a `ToolError` if there is
 * no such task, or if there are several.
 */
export async function findTask(sql: Sql, id: string, at: string): Promise<Task> {
  const lower = id.trim().toLowerCase();
  const start = lower.startsWith("task_") ? lower : `task_${lower}`;
  const bare = start.slice("task_".length);
  if (!/^[\da-z]{1,20}$/.test(bare)) throw taskNotFound(id);
  const byStart = await findMatches(sql, "t.id >= ? AND t.id < ?", start, `${start}~`);
  // A whole id is not ambiguous, even if other ids begin with it.
  if (byStart[0]?.["id"] === start) return toTask(byStart[0], at);
  const found = byStart.length > 0 || bare.length < 3 ? byStart : await findMatches(sql, "t.id LIKE ?", `%${bare}`);
  const [first, ...others] = found;
  if (first === undefined) throw taskNotFound(id);
  if (others.length > 0)
    throw ambiguousId(
      id,
      found.map((row) => String(row["id"])),
    );
  return toTask(first, at);
}

/** The ids that begin with what somebody has typed, newest first. */
export async function completeTaskId(sql: Sql, typed: string, limit: number): Promise<readonly string[]> {
  const lower = typed.trim().toLowerCase();
  const start = "task_".startsWith(lower) ? "task_" : lower.startsWith("task_") ? lower : `task_${lower}`;
  const text = "SELECT id FROM tasks WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?";
  return (await sql.all(text, start, `${start}~`, limit)).map((row) => String(row["id"]));
}

const findMatches = (sql: Sql, condition: string, ...values: string[]): Promise<SqlRow[]> =>
  sql.all(`SELECT ${TASK_FIELDS} FROM tasks t WHERE ${condition} ORDER BY t.id LIMIT ${MAX_MATCHES}`, ...values);
