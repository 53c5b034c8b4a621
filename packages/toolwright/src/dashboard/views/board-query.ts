import type { Sql, SqlValue } from "@toolwright/kit/storage";
import { TASK_FIELDS, toTask } from "@toolwright/todo/tasks/find-task.js";
import { READY } from "@toolwright/todo/tasks/list-tasks.js";
import { STATUSES, type Status, type Task } from "@toolwright/todo/tasks/task.js";
import { isClosed } from "@toolwright/todo/tasks/task-changes.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";

/** What open tasks can be told apart by, beside their state. */
export const MARKS = ["ready", "blocked", "claimed"] as const;

/** Which tasks a board shows. */
export interface Filter {
  /** Only this column. */
  readonly status: Status | undefined;
  readonly priority: number | undefined;
  readonly mark: (typeof MARKS)[number] | undefined;
  /** Only tasks with this in their description. */
  readonly text: string;
  /** The first page is 1. */
  readonly page: number;
}

/** One column of a board, as the filter leaves it. */
export interface FilteredColumn {
  readonly status: Status;
  readonly total: number;
  readonly tasks: readonly Task[];
}

type Condition = readonly [text: string, ...values: SqlValue[]];

const BLOCKED = `EXISTS (SELECT 1 FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id
  WHERE b.task_id = t.id AND o.status <> 'completed') AND t.status IN ('pending', 'in_progress')`;

/** Brings so many tasks of each column. */
export async function filterBoard(desk: Desk, filter: Filter, limit: number): Promise<readonly FilteredColumn[]> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
    const columns: FilteredColumn[] = [];
    for (const status of filter.status === undefined ? STATUSES : [filter.status])
      columns.push(await columnOf(sql, status, filter, limit, at));
    return columns;
  });
}

async function columnOf(sql: Sql, status: Status, filter: Filter, limit: number, at: string): Promise<FilteredColumn> {
  const conditions: Condition[] = [["t.status = ?", status], ...conditionsOf(filter, at)];
  const where = conditions.map(([text]) => `(${text})`).join(" AND ");
  const values = conditions.flatMap(([, ...given]) => given);
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

function conditionsOf({ priority, mark, text }: Filter, at: string): Condition[] {
  return [
    ...(priority === undefined ? [] : [["t.priority = ?", priority] satisfies Condition]),
    ...(mark === "ready" ? [[READY, at] satisfies Condition] : []),
    ...(mark === "blocked" ? [[BLOCKED] satisfies Condition] : []),
    ...(mark === "claimed" ? [["t.lease_until > ?", at] satisfies Condition] : []),
    ...(text === "" ? [] : [["lower(t.description) LIKE ? ESCAPE '!'", pattern(text)] satisfies Condition]),
  ];
}

const pattern = (text: string): string => `%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`;
