import type { Sql } from "@toolwright/kit/storage";
import { toTaskEvent } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { findTask } from "./find-task.js";
import type { TaskEvent } from "./task.js";

/** Something that has happened, with what it changed. */
export interface HistoryEntry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string | null;
  readonly kind: TaskEvent["kind"];
  readonly task_id: string;
  /** The fields that are no longer as they were. */
  readonly changes: Readonly<Record<string, { readonly was: unknown; readonly is: unknown }>>;
  readonly reason: string | null;
  readonly deed: string;
  readonly undoes: string | null;
}

/** Whose history is wanted. */
export interface HistoryQuery {
  /** One task, also one that is gone, by its whole id; undefined = all of them. */
  readonly id?: string | undefined;
  readonly limit: number;
  /** Only what happened before this place in the order. */
  readonly before?: number | undefined;
}

/** What has happened, the newest first. */
export async function taskHistory(
  todo: TodoContext,
  { id, limit, before }: HistoryQuery,
): Promise<{ readonly events: readonly HistoryEntry[]; readonly next_before?: number }> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const whose = id === undefined || (await isKnown(sql, id)) ? id : (await findTask(sql, id, at)).id;
    const events = await historyOf(sql, whose, limit + 1, before);
    const last = events[limit - 1];
    return { events: events.slice(0, limit), ...(events.length > limit && last && { next_before: last.seq }) };
  });
}

/** The same inside a transaction. */
export async function historyOf(
  sql: Sql,
  id: string | undefined,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<readonly HistoryEntry[]> {
  const whose = id === undefined ? [] : [id];
  const condition = id === undefined ? "" : " AND task_id = ?";
  const text = `SELECT * FROM events WHERE seq < ?${condition} ORDER BY seq DESC LIMIT ?`;
  return (await sql.all(text, before, ...whose, limit)).map((row) => toEntry(toTaskEvent(row)));
}

/** Whether anything has ever happened to a task of this id: it may be gone. */
const isKnown = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.get("SELECT 1 AS found FROM events WHERE task_id = ? LIMIT 1", id)) !== undefined;

/** These go along with every change, and say nothing. */
const SILENT = new Set(["version", "updated_at"]);

/** The names of the fields in which two forms of a task are not the same. */
export function differences(before: TaskEvent["before"], after: TaskEvent["after"]): readonly string[] {
  const [was, is] = [{ ...before }, { ...after }] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...was, ...is }).filter(
    (name) => !SILENT.has(name) && JSON.stringify(was[name] ?? null) !== JSON.stringify(is[name] ?? null),
  );
}

/** What an event says of its task. */
export function toEntry({ before, after, ...event }: TaskEvent): HistoryEntry {
  const [was, is] = [{ ...before }, { ...after }] as [Record<string, unknown>, Record<string, unknown>];
  const names = before === null || after === null ? [] : differences(before, after);
  const changes = Object.fromEntries(names.map((name) => [name, { was: was[name], is: is[name] }]));
  const blocker = { was: was["blocked_by_id"] ?? null, is: is["blocked_by_id"] ?? null };
  return { ...event, changes: blocker.was === blocker.is ? changes : { ...changes, blocked_by: blocker } };
}

/** What has changed in a task since it had a version, in words. */
export async function changesSince(sql: Sql, id: string, version: number): Promise<readonly string[]> {
  const rows = await sql.all("SELECT * FROM events WHERE task_id = ? ORDER BY seq DESC LIMIT 20", id);
  return rows
    .map(toTaskEvent)
    .filter(({ after }) => after !== null && "version" in after && after.version > version)
    .toReversed()
    .map((event) => {
      const names = Object.keys(toEntry(event).changes);
      return `${event.kind} by ${event.actor ?? "somebody"}${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
    });
}
