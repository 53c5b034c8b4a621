import type { Sql, SqlRow } from "@toolwright/kit/storage";
import { TASK_COLUMNS, toTaskRecord } from "../store/rows.js";
import { ambiguousId, taskNotFound } from "./errors.js";
import type { Task } from "./task.js";

/** The columns of a task `t`, and whether it waits for another. */
export const TASK_FIELDS = `${TASK_COLUMNS.map((column) => `t.${column}`).join(", ")}, t.open_blockers`;

/** A task as callers see it at a moment. */
export function toTask(row: SqlRow, at: string): Task {
  const task = toTaskRecord(row);
  const blocked = Number(row["open_blockers"]) > 0;
  const isLeft = task.lease_until !== null && task.lease_until <= at;
  const isOpen =
    task.status === "pending" ? task.lease_until === null || isLeft : task.status === "in_progress" && isLeft;
  return { ...task, blocked, ready: isOpen && !blocked };
}

/** Several ids are enough to say that an id is not one. */
const MOST_SHOWN = 5;

/**
 * Finds a task by its id, or by the beginning or the end of it where no other task has the same. Throws where there is none, or
 * where there are several.
 */
export async function findTask(sql: Sql, given: string, at: string): Promise<Task> {
  const word = given.trim().toLowerCase();
  const start = word.startsWith("task_") ? word : `task_${word}`;
  const bare = start.slice("task_".length);
  if (!/^[\da-z]{1,20}$/.test(bare)) throw taskNotFound(given);
  const rows = await fitting(sql, "t.id >= ? AND t.id < ?", start, `${start}~`);
  // A whole id is meant as one, though others may begin with it.
  if (rows[0]?.["id"] === start) return toTask(rows[0], at);
  const found = rows.length > 0 || bare.length < 3 ? rows : await fitting(sql, "t.id LIKE ?", `%${bare}`);
  const [first, ...others] = found;
  if (first === undefined) throw taskNotFound(given);
  if (others.length > 0)
    throw ambiguousId(
      given,
      found.map((row) => String(row["id"])),
    );
  return toTask(first, at);
}

/** The ids that begin as somebody has typed, the newest first. */
export async function idsLike(sql: Sql, typed: string, limit: number): Promise<readonly string[]> {
  const word = typed.trim().toLowerCase();
  const start = "task_".startsWith(word) ? "task_" : word.startsWith("task_") ? word : `task_${word}`;
  const text = "SELECT id FROM tasks WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?";
  return (await sql.all(text, start, `${start}~`, limit)).map((row) => String(row["id"]));
}

const fitting = (sql: Sql, condition: string, ...values: string[]): Promise<SqlRow[]> =>
  sql.all(`SELECT ${TASK_FIELDS} FROM tasks t WHERE ${condition} ORDER BY t.id LIMIT ${MOST_SHOWN}`, ...values);
