import type { Sql, SqlValue } from "@toolwright/kit/storage";
import { TASK_FIELDS, toTask } from "../tasks/find-task.js";
import { READY } from "../tasks/list-tasks.js";
import { STATUSES, type Status, type Task } from "../tasks/task.js";
import { isClosed } from "../tasks/task-changes.js";
import type { TodoContext } from "../todo-context.js";

/** What distinguishes open tasks besides their state. */
export const MARKS = ["ready", "blocked", "claimed"] as const;

/** Which tasks the board shows. */
export interface TaskFilter {
  /** Only this column. */
  readonly status: Status | undefined;
  readonly priority: number | undefined;
  readonly mark: (typeof MARKS)[number] | undefined;
  /** Only tasks whose description contains this text. */
  readonly text: string;
  /** Counted from 1. */
  readonly page: number;
}

/** A column of the board after filtering. */
export interface FilteredColumn {
  readonly status: Status;
  readonly total: number;
  readonly tasks: readonly Task[];
}

type Condition = readonly [text: string, ...values: SqlValue[]];

const BLOCKED = `EXISTS (SELECT 1 FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id
  WHERE b.task_id = t.id AND o.status <> 'completed') AND t.status IN ('pending', 'in_progress')`;

/** Reads the columns of the board, each with at most `limit` tasks. */
export async function filterBoard(
  todo: TodoContext,
  filter: TaskFilter,
  limit: number,
): Promise<readonly FilteredColumn[]> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const columns: FilteredColumn[] = [];
    for (const status of filter.status === undefined ? STATUSES : [filter.status])
      columns.push(await readColumn(sql, status, { filter, limit, at }));
    return columns;
  });
}

async function readColumn(
  sql: Sql,
  status: Status,
  { filter, limit, at }: { readonly filter: TaskFilter; readonly limit: number; readonly at: string },
): Promise<FilteredColumn> {
  const conditions: Condition[] = [["t.status = ?", status], ...conditionsOf(filter, at)];
  const where = conditions.map(([text]) => `(${text})`).join(" AND ");
  const values = conditions.flatMap(([, ...rest]) => rest);
  const order = isClosed(status) ? "t.completed_at DESC, t.id DESC" : "t.priority, t.id DESC";
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    ...values,
    limit,
    (filter.page - 1) * limit,
  );
  const counted = await sql.get(`SELECT count(*) AS total FROM tasks t WHERE ${where}`, ...values);
  return { status, total: Number(counted?.["total"]), tasks: rows.map((row) => toTask(row, at)) };
}

function conditionsOf({ priority, mark, text }: TaskFilter, at: string): Condition[] {
  return [
    ...(priority === undefined ? [] : [["t.priority = ?", priority] satisfies Condition]),
    ...(mark === "ready" ? [[READY, at] satisfies Condition] : []),
    ...(mark === "blocked" ? [[BLOCKED] satisfies Condition] : []),
    ...(mark === "claimed" ? [["t.lease_until > ?", at] satisfies Condition] : []),
    ...(text === "" ? [] : [["lower(t.description) LIKE ? ESCAPE '!'", likePattern(text)] satisfies Condition]),
  ];
}

const likePattern = (text: string): string => `%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`;
