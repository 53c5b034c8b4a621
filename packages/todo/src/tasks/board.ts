import type { Sql } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { TASK_FIELDS, toTask } from "./find-task.js";
import { countReady } from "./list-tasks.js";
import { STATUSES, type Status, type Task } from "./task.js";
import { isClosed } from "./task-changes.js";

/** A column of the board. */
interface Column {
  readonly status: Status;
  readonly total: number;
  /** Open tasks by urgency, closed ones latest first. */
  readonly tasks: readonly Task[];
}

/** Tasks by state. */
export interface Board {
  readonly columns: readonly Column[];
  readonly ready: number;
  readonly blocked: number;
  /** The last event that the board includes. */
  readonly seq: number;
}

/** Reads tasks by state, at most `limit` of each. */
export async function board(todo: TodoContext, limit: number): Promise<Board> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const columns: Column[] = [];
    for (const status of STATUSES) columns.push(await readColumn(sql, status, limit, at));
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

async function readColumn(sql: Sql, status: Status, limit: number, at: string): Promise<Column> {
  const order = isClosed(status) ? "t.completed_at DESC, t.id DESC" : "t.priority, t.id DESC";
  const rows = await sql.all(
    `SELECT ${TASK_FIELDS} FROM tasks t WHERE t.status = ? ORDER BY ${order} LIMIT ?`,
    status,
    limit,
  );
  const counted = await sql.get("SELECT count(*) AS total FROM tasks WHERE status = ?", status);
  return { status, total: Number(counted?.["total"]), tasks: rows.map((row) => toTask(row, at)) };
}

/** The activity of one day. */
export interface Day {
  /** YYYY-MM-DD, in UTC. */
  readonly day: string;
  readonly created: number;
  readonly completed: number;
  readonly events: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts the activity of each of the last days, oldest first. Imported tasks count on the day of their import. */
export async function activity(todo: TodoContext, days: number): Promise<readonly Day[]> {
  const last = Date.parse(todo.now());
  const names = Array.from({ length: days }, (_, index) => dayOf(last - (days - 1 - index) * DAY_MS));
  const store = await todo.store();
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT substr(at, 1, 10) AS day, count(*) AS events,
       sum(CASE WHEN kind IN ('created', 'imported') AND before IS NULL THEN 1 ELSE 0 END) AS created,
       sum(CASE WHEN kind IN ('updated', 'checked', 'imported') AND after LIKE '%"status":"completed"%'
         AND (before IS NULL OR before NOT LIKE '%"status":"completed"%') THEN 1 ELSE 0 END) AS completed
       FROM events WHERE at >= ? GROUP BY substr(at, 1, 10)`,
      names[0] ?? "",
    ),
  );
  const known = new Map(rows.map((row) => [String(row["day"]), row]));
  return names.map((day) => {
    const row = known.get(day);
    const count = (column: string): number => Number(row?.[column] ?? 0);
    return { day, created: count("created"), completed: count("completed"), events: count("events") };
  });
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
