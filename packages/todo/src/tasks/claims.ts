import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { claimedByOther, notNow } from "./errors.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { READY } from "./list-tasks.js";
import type { Task, TaskRecord } from "./task.js";
import { isClosed, moveTo, next } from "./task-changes.js";

/** Who takes which task, and for how long. */
export interface ClaimTaskOptions {
  /** Undefined = the most urgent one that is ready. */
  readonly id?: string | undefined;
  readonly actor: string;
  readonly lease_s?: number | undefined;
}

/** Takes a task, so that nobody else does. The same actor again makes the lease longer. */
export async function claimTask(todo: TodoContext, options: ClaimTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor);
  const store = await todo.store();
  return store.write(async (sql) => {
    const task =
      options.id === undefined
        ? await mostUrgent(sql, attribution.at)
        : await findTask(sql, options.id, attribution.at);
    const isOwn = task.claimed_by === options.actor;
    const isHeld = task.claimed_by !== null && task.lease_until !== null && task.lease_until > attribution.at;
    if (isHeld && !isOwn) throw claimedByOther(task);
    if (isClosed(task.status)) throw notNow(`claim ${task.id}`, `it is ${task.status}. Take another one.`);
    if (task.blocked && !isOwn)
      throw notNow(`claim ${task.id}`, "it waits for other tasks. Take one of those; get_blockers shows them.");
    const seconds = options.lease_s ?? todo.settings.lease_s;
    const until = new Date(Date.parse(attribution.at) + seconds * 1000).toISOString();
    const before = toRecord(task);
    const after = {
      ...moveTo(before, "in_progress", attribution.at, undefined),
      claimed_by: options.actor,
      lease_until: until,
    };
    await new ChangeSet(sql, attribution).replace(before, next(after, attribution.at), "claimed");
    return findTask(sql, task.id, attribution.at);
  });
}

/** Who gives which task back. */
export interface ReleaseTaskOptions {
  readonly id: string;
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** Gives a task back, so that others can take it. */
export async function releaseTask(todo: TodoContext, options: ReleaseTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const task = await findTask(sql, options.id, attribution.at);
    if (task.claimed_by === null) throw notNow(`release ${task.id}`, "nobody has claimed it.");
    const isOver = task.lease_until !== null && task.lease_until <= attribution.at;
    if (task.claimed_by !== options.actor && !isOver)
      throw notNow(`release ${task.id}`, `${task.claimed_by} has it until ${task.lease_until}, not ${options.actor}.`);
    const before = toRecord(task);
    await new ChangeSet(sql, attribution).replace(
      before,
      next(moveTo(before, "pending", attribution.at, undefined), attribution.at),
      "released",
    );
    return findTask(sql, task.id, attribution.at);
  });
}

async function mostUrgent(sql: Sql, at: string): Promise<Task> {
  const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${READY} ORDER BY t.priority, t.id LIMIT 1`;
  const row = await sql.get(text, at);
  if (row === undefined)
    throw notNow("claim a task", "none is ready: all are done, claimed, or wait for others. list_tasks shows them.");
  return toTask(row, at);
}

/** A task as it is kept. */
export const toRecord = ({ blocked: _blocked, ready: _ready, ...record }: Task): TaskRecord => record;
