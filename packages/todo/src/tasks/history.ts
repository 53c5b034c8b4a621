import { invalidCursor } from "@toolwright/kit/pack";
import type { Sql } from "@toolwright/kit/storage";
import { toTaskEvent } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { findTask } from "./find-task.js";
import type { TaskEvent } from "./task.js";

/** An event, with the fields that it changed. */
export interface HistoryEntry extends Omit<TaskEvent, "before" | "after"> {
  readonly changes: Readonly<Record<string, { readonly was: unknown; readonly is: unknown }>>;
}

/** Which events to read. */
export interface HistoryQuery {
  /** One task; a deleted one by its whole id. Default: all tasks. */
  readonly id?: string | undefined;
  readonly limit: number;
  /** Continues after an earlier page. */
  readonly cursor?: string | undefined;
}

/** Reads events, newest first. */
export async function taskHistory(
  todo: TodoContext,
  { id, limit, cursor }: HistoryQuery,
): Promise<{ readonly events: readonly HistoryEntry[]; readonly next_cursor?: string }> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw invalidCursor(cursor);
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const task = id === undefined || (await hasEvents(sql, id)) ? id : (await findTask(sql, id, at)).id;
    const events = await readHistory(sql, task, limit + 1, cursor === undefined ? undefined : Number(cursor));
    const last = events[limit - 1];
    return { events: events.slice(0, limit), ...(events.length > limit && last && { next_cursor: String(last.seq) }) };
  });
}

/** Reads events in a transaction. `before` is the `seq` of the last event of the previous page. */
export async function readHistory(
  sql: Sql,
  id: string | undefined,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<readonly HistoryEntry[]> {
  const ids = id === undefined ? [] : [id];
  const condition = id === undefined ? "" : " AND task_id = ?";
  const text = `SELECT * FROM events WHERE seq < ?${condition} ORDER BY seq DESC LIMIT ?`;
  return (await sql.all(text, before, ...ids, limit)).map((row) => toEntry(toTaskEvent(row)));
}

/** Whether a task of this id exists or has existed. */
const hasEvents = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.get("SELECT 1 AS found FROM events WHERE task_id = ? LIMIT 1", id)) !== undefined;

/** These change with every update. */
const IGNORED = new Set(["version", "updated_at"]);

/** The names of the fields in which two states of a task differ. */
export function changedFields(before: TaskEvent["before"], after: TaskEvent["after"]): readonly string[] {
  const [was, is] = [{ ...before }, { ...after }] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...was, ...is }).filter(
    (name) => !IGNORED.has(name) && JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null),
  );
}

/** Compares the states before and after an event. */
export function toEntry({ before, after, ...event }: TaskEvent): HistoryEntry {
  const [was, is] = [{ ...before }, { ...after }] as [Record<string, unknown>, Record<string, unknown>];
  const names = before === null || after === null ? [] : changedFields(before, after);
  const changes = Object.fromEntries(names.map((name) => [name, { was: was[name], is: is[name] }]));
  const blocker = { was: was["blocked_by_id"] ?? null, is: is["blocked_by_id"] ?? null };
  return { ...event, changes: blocker.was === blocker.is ? changes : { ...changes, blocked_by: blocker } };
}

/** Describes the changes to a task since a version. */
export async function changesSince(sql: Sql, id: string, version: number): Promise<readonly string[]> {
  const rows = await sql.all("SELECT * FROM events WHERE task_id = ? ORDER BY seq DESC LIMIT 20", id);
  return rows
    .map(toTaskEvent)
    .filter(({ after }) => after !== null && "version" in after && after.version > version)
    .toReversed()
    .map((event) => {
      const names = Object.keys(toEntry(event).changes);
      return `${event.kind} by ${event.actor ?? "unknown"}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
    });
}
