import { ToolError } from "@toolwright/engine";
import type { Sql, SqlValue } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import type { Status, Task } from "./task.js";

/** Which tasks are wanted. */
export interface ListTasksQuery {
  readonly status?: Status | undefined;
  /** Only the children of this one. */
  readonly parent_id?: string | undefined;
  readonly ready_only?: boolean | undefined;
  /** Of equals the oldest first, which is the order in which they are claimed. */
  readonly oldest_first?: boolean | undefined;
  readonly limit: number;
  /** Where an earlier page has ended. */
  readonly cursor?: string | undefined;
}

/** A page of tasks: the most urgent first, of equals the newest. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** How many there are in all. */
  readonly total: number;
  readonly next_cursor?: string;
}

/** Lists tasks. */
export async function listTasks(todo: TodoContext, options: ListTasksQuery): Promise<TaskPage> {
  const at = todo.now();
  const store = await todo.store();
  return store.read((sql) => pageOf(sql, options, at));
}

/** The tasks that somebody could start now; among them those whose claimer has let the lease run out. */
export const READY = "t.to_start = 1 AND ((t.status = 'pending' AND t.lease_until IS NULL) OR t.lease_until <= ?)";

/** How many tasks somebody could start now; each half of it is counted in an index alone. */
export async function countReady(sql: Sql, at: string): Promise<number> {
  const row = await sql.get(
    `SELECT (SELECT count(*) FROM tasks WHERE to_start = 1 AND status = 'pending' AND lease_until IS NULL)
     + (SELECT count(*) FROM tasks WHERE to_start = 1 AND status IN ('pending', 'in_progress') AND lease_until <= ?) AS total`,
    at,
  );
  return Number(row?.["total"]);
}

async function pageOf(sql: Sql, options: ListTasksQuery, at: string): Promise<TaskPage> {
  const conditions: [text: string, ...values: SqlValue[]][] = [];
  if (options.status !== undefined) conditions.push(["t.status = ?", options.status]);
  if (options.parent_id !== undefined)
    conditions.push(["t.parent_id = ?", (await findTask(sql, options.parent_id, at)).id]);
  if (options.ready_only === true) conditions.push([READY, at]);
  const isAllReady = options.ready_only === true && conditions.length === 1;
  const total = isAllReady ? await countReady(sql, at) : await count(sql, conditions);
  if (options.cursor !== undefined) {
    const { priority, id } = readCursor(options.cursor);
    conditions.push([
      `(t.priority > ? OR (t.priority = ? AND t.id ${options.oldest_first === true ? ">" : "<"} ?))`,
      priority,
      priority,
      id,
    ]);
  }
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t ${where(conditions)} ORDER BY t.priority, t.id ${options.oldest_first === true ? "ASC" : "DESC"} LIMIT ?`,
    ...valuesOf(conditions),
    options.limit + 1,
  );
  const tasks = rows.slice(0, options.limit).map((row) => toTask(row, at));
  const last = tasks.at(-1);
  return {
    tasks,
    total,
    ...(rows.length > options.limit && last !== undefined && { next_cursor: cursorAt(last) }),
  };
}

const count = async (sql: Sql, conditions: readonly (readonly SqlValue[])[]): Promise<number> =>
  Number(
    (await sql.get(`SELECT count(*) AS total FROM tasks t ${where(conditions)}`, ...valuesOf(conditions)))?.["total"],
  );

const where = (conditions: readonly (readonly SqlValue[])[]): string =>
  conditions.length === 0 ? "" : `WHERE ${conditions.map(([text]) => text).join(" AND ")}`;

const valuesOf = (conditions: readonly (readonly SqlValue[])[]): SqlValue[] =>
  conditions.flatMap(([, ...values]) => values);

function readCursor(cursor: string): { readonly priority: number; readonly id: string } {
  const [found, priority, id = ""] = /^([1-5])\.(task_[\da-z]{1,20})$/.exec(cursor) ?? [];
  if (found === undefined)
    throw new ToolError("Cannot go on from this cursor: give next_cursor as the page before has given it.", {
      code: "INVALID_ARGUMENT",
      details: { cursor },
    });
  return { priority: Number(priority), id };
}

/** What to give for the page behind a task. */
export const cursorAt = ({ priority, id }: Pick<Task, "priority" | "id">): string => `${priority}.${id}`;
