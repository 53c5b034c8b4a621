import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import { TASK_COLUMNS, toTaskEvent, toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { hasBlocker } from "./blockers.js";
import { findCycles } from "./cycles.js";
import { conflict } from "./errors.js";
import { pathAbove } from "./get-task.js";
import { changedFields, type HistoryEntry, toEntry } from "./history.js";
import type { Blocker, TaskEvent, TaskRecord } from "./task.js";
import { nextVersion } from "./task-changes.js";

/** The options of `undoLast`. */
export interface UndoOptions {
  /** Undoes the last change of this actor. Default: the last change of anybody. */
  readonly by?: string | undefined;
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** Undoes the last change that was not undone yet. Fails without an effect if a later change touched the same tasks. */
export async function undoLast(
  todo: TodoContext,
  options: UndoOptions,
): Promise<{ readonly undone: readonly HistoryEntry[] }> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const events = await lastChangeSet(sql, options.by);
    const [first] = events;
    if (first === undefined)
      throw conflict("undo", options.by === undefined ? "there is no change." : `there is no change by ${options.by}.`);
    const changes = new ChangeSet(sql, { ...attribution, undoes: first.change_id });
    const blockers: TaskEvent[] = [];
    for (const event of events.toReversed()) {
      await undoEvent(sql, changes, event, attribution.at);
      if (event.kind === "blocker_removed") blockers.push(event);
    }
    await assertNoCycle(sql, blockers);
    return { undone: events.map(toEntry) };
  });
}

/** An undo is not undone itself: otherwise the second undo would only revert the first. */
async function lastChangeSet(sql: Sql, by: string | undefined): Promise<readonly TaskEvent[]> {
  const row = await sql.get(
    `SELECT e.deed FROM events e WHERE e.undoes IS NULL ${by === undefined ? "" : "AND e.actor = ?"}
     AND NOT EXISTS (SELECT 1 FROM events u WHERE u.undoes = e.deed) ORDER BY e.seq DESC LIMIT 1`,
    ...(by === undefined ? [] : [by]),
  );
  if (row === undefined) return [];
  return (await sql.all("SELECT * FROM events WHERE deed = ? ORDER BY seq", row["deed"] ?? null)).map(toTaskEvent);
}

async function undoEvent(sql: Sql, changes: ChangeSet, event: TaskEvent, at: string): Promise<void> {
  if (event.kind === "blocker_added" || event.kind === "blocker_removed") return undoBlocker(sql, changes, event);
  const current = await readRecord(sql, event.task_id);
  const [before, after] = [event.before, event.after] as [TaskRecord | null, TaskRecord | null];
  // The fields are compared and not the version, which also increases when a later change is undone.
  const isUnchanged = (current === null) === (after === null) && changedFields(current, after).length === 0;
  if (!isUnchanged) throw await changedLater(sql, event);
  if (before === null) return current === null ? undefined : removeCreated(sql, changes, current, event);
  await assertParent(sql, before, current, event);
  if (current === null) return changes.insert(nextVersion(before, at));
  const { version, updated_at } = current;
  return changes.replace(current, nextVersion({ ...before, version, updated_at }, at));
}

async function readRecord(sql: Sql, id: string): Promise<TaskRecord | null> {
  const row = await sql.get(`SELECT ${TASK_COLUMNS.join(", ")} FROM tasks WHERE id = ?`, id);
  return row === undefined ? null : toTaskRecord(row);
}

/** Removes a new task, unless it has subtasks or blockers by now. */
async function removeCreated(sql: Sql, changes: ChangeSet, task: TaskRecord, event: TaskEvent): Promise<void> {
  const related =
    (await sql.get("SELECT id FROM tasks WHERE parent_id = ? LIMIT 1", task.id)) ??
    (await sql.get(
      "SELECT task_id AS id FROM blockers WHERE task_id = ? OR blocked_by_id = ? LIMIT 1",
      task.id,
      task.id,
    ));
  if (related !== undefined) throw await changedLater(sql, event);
  return changes.remove(task);
}

/** The earlier parent may have been deleted, or be a subtask by now. A task that does not exist has no subtasks. */
async function assertParent(
  sql: Sql,
  { id, parent_id: parent }: TaskRecord,
  current: TaskRecord | null,
  event: TaskEvent,
): Promise<void> {
  if (parent === null || parent === current?.parent_id) return;
  const exists = (await readRecord(sql, parent)) !== null;
  const isSubtask = current !== null && (await pathAbove(sql, parent)).includes(id);
  if (!exists || isSubtask) throw await changedLater(sql, event);
}

async function undoBlocker(sql: Sql, changes: ChangeSet, event: TaskEvent): Promise<void> {
  const blocker = (event.after ?? event.before) as Blocker;
  const exists = await hasBlocker(sql, blocker);
  if (exists !== (event.after !== null)) throw await changedLater(sql, event);
  if (exists) return changes.removeBlocker(blocker);
  const { task_id: task, blocked_by_id: by } = blocker;
  const haveBoth = (await readRecord(sql, task)) !== null && (await readRecord(sql, by)) !== null;
  if (!haveBoth) throw await changedLater(sql, event);
  return changes.addBlocker(blocker);
}

/** Blockers that were added since may close a cycle with those that are restored. One search for all of them: they may be a chain. */
async function assertNoCycle(sql: Sql, restored: readonly TaskEvent[]): Promise<void> {
  const cycles = await findCycles(
    restored.map(({ task_id: id }) => id),
    async (id) =>
      (await sql.all("SELECT blocked_by_id AS id FROM blockers WHERE task_id = ?", id)).map((row) => String(row["id"])),
  );
  const closing = restored.find(({ task_id: id }) => cycles.has(id));
  if (closing !== undefined) throw await changedLater(sql, closing);
}

/** The error that names later changes to the same tasks. */
async function changedLater(sql: Sql, { seq, task_id: id, before, after }: TaskEvent): Promise<Error> {
  const ids = new Set(
    [before, after].flatMap((state) => [id, state && "blocked_by_id" in state ? state.blocked_by_id : id]),
  );
  const mentions = [...ids].map(() => "task_id = ? OR before LIKE ? OR after LIKE ?").join(" OR ");
  const later = await sql.all(
    `SELECT * FROM events WHERE seq > ? AND (${mentions}) ORDER BY seq DESC LIMIT 5`,
    seq,
    ...[...ids].flatMap((each) => [each, `%"${each}"%`, `%"${each}"%`]),
  );
  const descriptions = later
    .map(toTaskEvent)
    .map(({ task_id: task, kind, actor, at }) => `${task} ${kind} by ${actor ?? "unknown"} at ${at}`);
  return conflict(`undo the change of ${id}`, `there are later changes: ${descriptions.join("; ")}.`, {
    action: "see its history",
    tool: "task_history",
    arguments: { id },
  });
}
