import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { TASK_FIELDS, toTask } from "./find-task.js";
import { countReady } from "./list-tasks.js";
import { STATUSES, type Status, type Task } from "./task.js";

/** One column of the board. */
interface Column {
  readonly status: Status;
  readonly total: number;
  /** Open ones the most urgent first, closed ones the latest first. */
  readonly tasks: readonly Task[];
}

/** All tasks by their state. */
export interface Board {
  readonly columns: readonly Column[];
  readonly ready: number;
  readonly blocked: number;
  /** The place of the last event: who has seen it has seen all of this. */
  readonly seq: number;
}

/** Shows the tasks by their state, so many of each. */
export async function board(desk: Desk, limit: number): Promise<Board> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
    const columns: Column[] = [];
    for (const status of STATUSES) columns.push(await column(sql, status, limit, at));
    const blocked = await sql.get(
      "SELECT count(*) AS total FROM tasks WHERE status IN ('pending', 'in_progress') AND open_blockers > 0",
    );
    const newest = await sql.get("SELECT max(seq) AS seq FROM events");
    return {
      columns,
      ready: await countReady(sql, at),
      blocked: Number(blocked?.["total"]),
      seq: Number(newest?.["seq"] ?? 0),
    };
  });
}

async function column(sql: Sql, status: Status, limit: number, at: string): Promise<Column> {
  const order =
    status === "completed" || status === "failed" ? "t.completed_at DESC, t.id DESC" : "t.priority, t.id DESC";
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE t.status = ? ORDER BY ${order} LIMIT ?`,
    status,
    limit,
  );
  const counted = await sql.get("SELECT count(*) AS total FROM tasks WHERE status = ?", status);
  return { status, total: Number(counted?.["total"]), tasks: rows.map((row) => toTask(row, at)) };
}
