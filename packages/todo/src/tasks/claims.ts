import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import { ChangeSet } from "../store/change-set.js";
import type { TodoContext } from "../todo-context.js";
import { claimedByOther, conflict } from "./errors.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { READY } from "./list-tasks.js";
import { type Task, toRecord } from "./task.js";
import { isClosed, nextVersion, withStatus } from "./task-changes.js";

/** The options of `claimTask`. */
export interface ClaimTaskOptions {
  /** Default: the most urgent task that is ready. */
  readonly id?: string | undefined;
  readonly actor: string;
  readonly lease_s?: number | undefined;
}

const MAX_LEASE_S = 86_400;

/** Reserves a task for one actor and starts it. The same actor can claim it again to extend the lease. */
export async function claimTask(todo: TodoContext, options: ClaimTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor);
  const { at } = attribution;
  const store = await todo.store();
  return store.write(async (sql) => {
    const task = options.id === undefined ? await mostUrgent(sql, at) : await findTask(sql, options.id, at);
    const isOwn = task.claimed_by === options.actor;
    const isHeld = task.claimed_by !== null && task.lease_until !== null && task.lease_until > at;
    if (isHeld && !isOwn) throw claimedByOther(task);
    if (isClosed(task.status))
      throw conflict(`claim ${task.id}`, `it is ${task.status}.`, {
        action: "list the tasks that are ready",
        tool: "list_tasks",
        arguments: { ready_only: true },
      });
    if (task.blocked && !isOwn)
      throw conflict(`claim ${task.id}`, "it is blocked by other tasks.", {
        action: "see which tasks block it",
        tool: "get_blockers",
        arguments: { task_id: task.id },
      });
    const seconds = options.lease_s ?? todo.settings.leaseSeconds;
    if (seconds > MAX_LEASE_S)
      throw new ToolError(`A lease lasts at most ${MAX_LEASE_S} seconds.`, {
        code: "INVALID_ARGUMENT",
        details: { argument: "lease_s", expected: MAX_LEASE_S, got: seconds },
      });
    const until = new Date(Date.parse(at) + seconds * 1000).toISOString();
    const before = toRecord(task);
    const after = {
      ...withStatus(before, "in_progress", at, undefined),
      claimed_by: options.actor,
      lease_until: until,
    };
    await new ChangeSet(sql, attribution).replace(before, nextVersion(after, at), "claimed");
    return findTask(sql, task.id, at);
  });
}

/** The options of `releaseTask`. */
export interface ReleaseTaskOptions {
  readonly id: string;
  readonly actor: string;
  readonly reason?: string | undefined;
}

/** Gives a claimed task back, so that others can claim it. */
export async function releaseTask(todo: TodoContext, options: ReleaseTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor, options.reason);
  const { at } = attribution;
  const store = await todo.store();
  return store.write(async (sql) => {
    const task = await findTask(sql, options.id, at);
    if (task.claimed_by === null) throw conflict(`release ${task.id}`, "nobody has claimed it.");
    const hasExpired = task.lease_until !== null && task.lease_until <= at;
    if (task.claimed_by !== options.actor && !hasExpired)
      throw conflict(
        `release ${task.id}`,
        `${task.claimed_by} has claimed it until ${task.lease_until}, not ${options.actor}.`,
      );
    const before = toRecord(task);
    const after = nextVersion(withStatus(before, "pending", at, undefined), at);
    await new ChangeSet(sql, attribution).replace(before, after, "released");
    return findTask(sql, task.id, at);
  });
}

async function mostUrgent(sql: Sql, at: string): Promise<Task> {
  const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${READY} ORDER BY t.priority, t.id LIMIT 1`;
  const row = await sql.get(text, at);
  if (row === undefined)
    throw conflict("claim a task", "none is ready: all are done, claimed or blocked.", {
      action: "list the tasks",
      tool: "list_tasks",
    });
  return toTask(row, at);
}
