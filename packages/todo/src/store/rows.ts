import type { SqlRow, SqlValue } from "@toolwright/kit/storage";
import type { Blocker, DoneCondition, Status, TaskEvent, TaskRecord } from "../tasks/task.js";

/** The columns of a task, in the order in which they are written. */
export const TASK_COLUMNS = [
  "id",
  "parent_id",
  "description",
  "context",
  "priority",
  "status",
  "result",
  "done_when",
  "version",
  "created_at",
  "started_at",
  "completed_at",
  "updated_at",
  "created_by",
  "claimed_by",
  "lease_until",
] as const satisfies readonly (keyof TaskRecord)[];

/** Reads a task from a row. */
export function toTaskRecord(row: SqlRow): TaskRecord {
  const text = (column: string): string => String(row[column]);
  const textOrNull = (column: string): string | null => (row[column] === null ? null : text(column));
  const check = textOrNull("done_when");
  return {
    id: text("id"),
    parent_id: textOrNull("parent_id"),
    description: text("description"),
    context: text("context"),
    priority: Number(row["priority"]),
    status: text("status") as Status,
    result: textOrNull("result"),
    done_when: check === null ? null : (JSON.parse(check) as DoneCondition),
    version: Number(row["version"]),
    created_at: text("created_at"),
    started_at: textOrNull("started_at"),
    completed_at: textOrNull("completed_at"),
    updated_at: text("updated_at"),
    created_by: textOrNull("created_by"),
    claimed_by: textOrNull("claimed_by"),
    lease_until: textOrNull("lease_until"),
  };
}

/** The values of a task, in the order of `TASK_COLUMNS`. */
export const toTaskValues = (task: TaskRecord): SqlValue[] =>
  TASK_COLUMNS.map((column) => {
    const value = task[column];
    return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  });

/** Reads an event from a row. */
export const toTaskEvent = (row: SqlRow): TaskEvent => ({
  seq: Number(row["seq"]),
  at: String(row["at"]),
  actor: row["actor"] === null ? null : String(row["actor"]),
  change_id: String(row["deed"]),
  kind: row["kind"] as TaskEvent["kind"],
  task_id: String(row["task_id"]),
  before: fromJson(row["before"]),
  after: fromJson(row["after"]),
  reason: row["reason"] === null ? null : String(row["reason"]),
  undoes: row["undoes"] === null ? null : String(row["undoes"]),
});

const fromJson = (value: SqlValue | undefined): TaskRecord | Blocker | null =>
  typeof value === "string" ? (JSON.parse(value) as TaskRecord | Blocker) : null;
