import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import { TASK_COLUMNS, toTaskEvent, toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { hasBlocker, pathBetween } from "./blockers.js";
import { notNow } from "./errors.js";
import { pathAbove } from "./get-task.js";
import { differences, type HistoryEntry, toEntry } from "./history.js";
import type { Blocker, TaskEvent, TaskRecord } from "./task.js";
import { next } from "./task-changes.js";

/** Whose last deed is taken back. */
export interface UndoOptions {
  /** Only what this actor did; undefined = whoever did the last thing. */
  readonly by?: string | undefined;
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** What was taken back. */
export interface Undone {
  readonly undone: readonly HistoryEntry[];
}

/** Takes back the last deed that was not taken back yet; where later ones have touched the same, it changes nothing. */
export async function undoLast(todo: TodoContext, options: UndoOptions): Promise<Undone> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const events = await lastDeed(sql, options.by);
    const [first] = events;
    if (first === undefined)
      throw notNow("undo", `there is nothing${options.by === undefined ? "" : ` of ${options.by}`} left to take back.`);
    const deed = new ChangeSet(sql, { ...attribution, undoes: first.deed });
    for (const event of events.toReversed()) await takeBack(sql, deed, event, attribution.at);
    return { undone: events.map(toEntry) };
  });
}

/** Undoing is no deed that is undone: else the second undo would only take back the first. */
async function lastDeed(sql: Sql, by: string | undefined): Promise<readonly TaskEvent[]> {
  const whose = by === undefined ? [] : [by];
  const row = await sql.get(
    `SELECT e.deed FROM events e WHERE e.undoes IS NULL ${by === undefined ? "" : "AND e.actor = ?"}
     AND NOT EXISTS (SELECT 1 FROM events u WHERE u.undoes = e.deed) ORDER BY e.seq DESC LIMIT 1`,
    ...whose,
  );
  if (row === undefined) return [];
  return (await sql.all("SELECT * FROM events WHERE deed = ? ORDER BY seq", row["deed"] ?? null)).map(toTaskEvent);
}

async function takeBack(sql: Sql, deed: ChangeSet, event: TaskEvent, at: string): Promise<void> {
  if (event.kind === "blocker_added" || event.kind === "blocker_removed") return turnBlocker(sql, deed, event);
  const current = await recordOf(sql, event.task_id);
  const [before, after] = [event.before, event.after] as [TaskRecord | null, TaskRecord | null];
  // Versions only go up, so a change that was itself taken back has left another one.
  const isAsLeft = (current === null) === (after === null) && differences(current, after).length === 0;
  if (!isAsLeft) throw await touchedLater(sql, event);
  if (before === null) return current === null ? undefined : removeAgain(sql, deed, current, event);
  await refuseParent(sql, before, event);
  if (current === null) return deed.insert(next(before, at));
  const { version, updated_at } = current;
  return deed.replace(current, next({ ...before, version, updated_at }, at));
}

async function recordOf(sql: Sql, id: string): Promise<TaskRecord | null> {
  const row = await sql.get(`SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id = ?`, id);
  return row === undefined ? null : toTaskRecord(row);
}

/** A new task goes again only while nobody has tied anything to it. */
async function removeAgain(sql: Sql, deed: ChangeSet, task: TaskRecord, event: TaskEvent): Promise<void> {
  const tied =
    (await sql.get("SELECT id FROM tasks WHERE parent_id = ? LIMIT 1", task.id)) ??
    (await sql.get(
      "SELECT task_id AS id FROM blockers WHERE task_id = ? OR blocked_by_id = ? LIMIT 1",
      task.id,
      task.id,
    ));
  if (tied !== undefined) throw await touchedLater(sql, event);
  return deed.remove(task);
}

/** The parent that a task had may be gone, or lie below it by now. */
async function refuseParent(sql: Sql, { id, parent_id: parent }: TaskRecord, event: TaskEvent): Promise<void> {
  if (parent === null) return;
  const isThere = (await recordOf(sql, parent)) !== null;
  if (!isThere || (await pathAbove(sql, parent)).includes(id)) throw await touchedLater(sql, event);
}

async function turnBlocker(sql: Sql, deed: ChangeSet, event: TaskEvent): Promise<void> {
  const blocker = (event.after ?? event.before) as Blocker;
  const isThere = await hasBlocker(sql, blocker);
  if (isThere !== (event.after !== null)) throw await touchedLater(sql, event);
  if (isThere) return deed.removeBlocker(blocker);
  const { task_id: task, blocked_by_id: by } = blocker;
  const areBoth = (await recordOf(sql, task)) !== null && (await recordOf(sql, by)) !== null;
  if (!areBoth || (await pathBetween(sql, by, task)) !== undefined) throw await touchedLater(sql, event);
  return deed.addBlocker(blocker);
}

/** Says what came after: it was done to the task itself, or to one that is tied to it. */
async function touchedLater(sql: Sql, { seq, task_id: id, before, after }: TaskEvent): Promise<Error> {
  const ids = new Set([before, after].flatMap((one) => [id, one && "blocked_by_id" in one ? one.blocked_by_id : id]));
  const ties = [...ids].map(() => "task_id = ? OR before LIKE ? OR after LIKE ?").join(" OR ");
  const later = await sql.all(
    `SELECT * FROM events WHERE seq > ? AND (${ties}) ORDER BY seq DESC LIMIT 5`,
    seq,
    ...[...ids].flatMap((one) => [one, `%"${one}"%`, `%"${one}"%`]),
  );
  const words = later
    .map(toTaskEvent)
    .map(({ task_id: task, kind, actor, at }) => `${task} ${kind} by ${actor ?? "somebody"} at ${at}`);
  return notNow(
    `undo what was done to ${id}`,
    `later deeds touched the same: ${words.join("; ")}. task_history shows all of it; change it with update_task.`,
  );
}
