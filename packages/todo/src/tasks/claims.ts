import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { Deed } from "../store/deed.js";
import { claimedByOther, notNow } from "./faults.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { READY } from "./list-tasks.js";
import { next } from "./next-version.js";
import { isClosed, moveTo } from "./status.js";
import type { Task, TaskRecord } from "./task.js";

/** Who takes which task, and for how long. */
export interface ClaimWish {
  /** Undefined = the most urgent one that is ready. */
  readonly id?: string | undefined;
  readonly actor: string;
  readonly lease_s?: number | undefined;
}

/** Takes a task, so that nobody else does. The same actor again makes the lease longer. */
export async function claimTask(desk: Desk, wish: ClaimWish): Promise<Task> {
  const doer = desk.doer(wish.actor);
  const ledger = await desk.ledger();
  return ledger.write(async (sql) => {
    const task = wish.id === undefined ? await mostUrgent(sql, doer.at) : await findTask(sql, wish.id, doer.at);
    const isOwn = task.claimed_by === wish.actor;
    const isHeld = task.claimed_by !== null && task.lease_until !== null && task.lease_until > doer.at;
    if (isHeld && !isOwn) throw claimedByOther(task);
    if (isClosed(task.status)) throw notNow(`claim ${task.id}`, `it is ${task.status}. Take another one.`);
    if (task.blocked && !isOwn)
      throw notNow(`claim ${task.id}`, "it waits for other tasks. Take one of those; get_blockers shows them.");
    const seconds = wish.lease_s ?? desk.settings.lease_s;
    const until = new Date(Date.parse(doer.at) + seconds * 1000).toISOString();
    const before = toRecord(task);
    const after = { ...moveTo(before, "in_progress", doer.at, undefined), claimed_by: wish.actor, lease_until: until };
    await new Deed(sql, doer).replace(before, next(after, doer.at), "claimed");
    return findTask(sql, task.id, doer.at);
  });
}

/** Who gives which task back. */
export interface ReleaseWish {
  readonly id: string;
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** Gives a task back, so that others can take it. */
export async function releaseTask(desk: Desk, wish: ReleaseWish): Promise<Task> {
  const doer = desk.doer(wish.actor, wish.reason);
  const ledger = await desk.ledger();
  return ledger.write(async (sql) => {
    const task = await findTask(sql, wish.id, doer.at);
    if (task.claimed_by === null) throw notNow(`release ${task.id}`, "nobody has claimed it.");
    const isOver = task.lease_until !== null && task.lease_until <= doer.at;
    if (task.claimed_by !== wish.actor && !isOver)
      throw notNow(`release ${task.id}`, `${task.claimed_by} has it until ${task.lease_until}, not ${wish.actor}.`);
    const before = toRecord(task);
    await new Deed(sql, doer).replace(before, next(moveTo(before, "pending", doer.at, undefined), doer.at), "released");
    return findTask(sql, task.id, doer.at);
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
