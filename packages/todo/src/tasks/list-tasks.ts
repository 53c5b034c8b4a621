import { invalidCursor } from "@toolwright/kit/pack";
import type { Sql, SqlValue } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import type { Status, Task } from "./task.js";

/** Which tasks to list. */
export interface ListTasksQuery {
  readonly status?: Status | undefined;
  /** Only subtasks of this task. */
  readonly parent_id?: string | undefined;
  /** Only tasks that are ready, in the order in which they are claimed: of the same priority the oldest first. */
  readonly ready_only?: boolean | undefined;
  readonly limit: number;
  /** Continues after an earlier page. */
  readonly cursor?: string | undefined;
}

/** A page of tasks. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** How many tasks match in all; unknown for a search. */
  readonly total?: number;
  readonly next_cursor?: string;
}

/** Lists tasks by priority; of the same priority the newest first, or the oldest if `ready_only` is set. */
export async function listTasks(todo: TodoContext, query: ListTasksQuery): Promise<TaskPage & { total: number }> {
  const at = todo.now();
  const store = await todo.store();
  return store.read((sql) => readPage(sql, query, at));
}

/** The cursor of the page that begins after a task. */
export const cursorAfter = ({ priority, id }: Pick<Task, "priority" | "id">): string => `${priority}.${id}`;

/** The condition for tasks that are ready, including those whose lease has expired. */
export const READY = "t.to_start = 1 AND ((t.status = 'pending' AND t.lease_until IS NULL) OR t.lease_until <= ?)";

/** Counts the tasks that are ready. Each of the two counts uses an index. */
export async function countReady(sql: Sql, at: string): Promise<number> {
  const row = await sql.get(
    `SELECT (SELECT count(*) FROM tasks WHERE to_start = 1 AND status = 'pending' AND lease_until IS NULL)
     + (SELECT count(*) FROM tasks WHERE to_start = 1 AND status IN ('pending', 'in_progress') AND lease_until <= ?) AS total`,
    at,
  );
  return Number(row?.["total"]);
}

async function readPage(sql: Sql, query: ListTasksQuery, at: string): Promise<TaskPage & { total: number }> {
  const { status, parent_id: parent, ready_only: isReady = false, cursor, limit } = query;
  const conditions: [text: string, ...values: SqlValue[]][] = [];
  if (status !== undefined) conditions.push(["t.status = ?", status]);
  if (parent !== undefined) conditions.push(["t.parent_id = ?", (await findTask(sql, parent, at)).id]);
  if (isReady) conditions.push([READY, at]);
  const total = isReady && conditions.length === 1 ? await countReady(sql, at) : await count(sql, conditions);
  if (cursor !== undefined) {
    const { priority, id } = parseCursor(cursor);
    conditions.push([`(t.priority > ? OR (t.priority = ? AND t.id ${isReady ? ">" : "<"} ?))`, priority, priority, id]);
  }
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t ${where(conditions)} ORDER BY t.priority, t.id ${isReady ? "ASC" : "DESC"} LIMIT ?`,
    ...valuesOf(conditions),
    limit + 1,
  );
  const tasks = rows.slice(0, limit).map((row) => toTask(row, at));
  const last = tasks.at(-1);
  return { tasks, total, ...(rows.length > limit && last !== undefined && { next_cursor: cursorAfter(last) }) };
}

const count = async (sql: Sql, conditions: readonly (readonly SqlValue[])[]): Promise<number> =>
  Number(
    (await sql.get(`SELECT count(*) AS total FROM tasks t ${where(conditions)}`, ...valuesOf(conditions)))?.["total"],
  );

const where = (conditions: readonly (readonly SqlValue[])[]): string =>
  conditions.length === 0 ? "" : `WHERE ${conditions.map(([text]) => text).join(" AND ")}`;

const valuesOf = (conditions: readonly (readonly SqlValue[])[]): SqlValue[] =>
  conditions.flatMap(([, ...values]) => values);

function parseCursor(cursor: string): { readonly priority: number; readonly id: string } {
  const [found, priority, id = ""] = /^([1-5])\.(task_[\da-z]{1,20})$/.exec(cursor) ?? [];
  if (found === undefined) throw invalidCursor(cursor);
  return { priority: Number(priority), id };
}
