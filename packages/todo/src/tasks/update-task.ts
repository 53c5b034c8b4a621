import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { Deed, type Doer } from "../store/deed.js";
import { cycle, staleTask } from "./faults.js";
import { findTask } from "./find-task.js";
import { changesSince } from "./history.js";
import { next } from "./next-version.js";
import { plainText } from "./plain-text.js";
import { moveTo } from "./status.js";
import type { DoneCheck, Status, Task, TaskRecord } from "./task.js";
import { pathAbove } from "./task-tree.js";

/** What should become of a task; what is not named stays. */
export interface UpdateWish {
  readonly id: string;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  readonly status?: Status | undefined;
  readonly context?: string | undefined;
  readonly result?: string | undefined;
  /** Null makes it a task without a parent. */
  readonly parent_id?: string | null | undefined;
  /** Null takes the condition away. */
  readonly done_when?: DoneCheck | null | undefined;
  /** Refuses where the task has another version by now. */
  readonly expected_version?: number | undefined;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** The task as it is now, and what the caller should know of it. */
export interface Updated {
  readonly task: Task;
  readonly warnings: readonly string[];
}

/** Changes a task. Where nothing changes, nothing is written. */
export async function updateTask(desk: Desk, wish: UpdateWish): Promise<Updated> {
  const doer = desk.doer(wish.actor, wish.reason);
  const ledger = await desk.ledger();
  return ledger.write(async (sql) => {
    const { blocked, ready: _ready, ...before } = await findTask(sql, wish.id, doer.at);
    if (wish.expected_version !== undefined && wish.expected_version !== before.version)
      throw staleTask(before, wish.expected_version, await changesSince(sql, before.id, wish.expected_version));
    const after = await changed(sql, before, wish, doer.at);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await new Deed(sql, doer).replace(before, next(after, doer.at));
    const isDoneEarly = blocked && after.status === "completed" && before.status !== "completed";
    return {
      task: await findTask(sql, before.id, doer.at),
      warnings: [
        ...(isDoneEarly ? ["It is completed although a task that it waits for is not; get_blockers shows which."] : []),
        ...(isHeldByOther(before, doer) ? [`${before.claimed_by} has claimed it until ${before.lease_until}.`] : []),
      ],
    };
  });
}

const isHeldByOther = ({ claimed_by: holder, lease_until: until }: TaskRecord, { actor, at }: Doer): boolean =>
  holder !== null && holder !== actor && until !== null && until > at;

async function changed(sql: Sql, before: TaskRecord, wish: UpdateWish, at: string): Promise<TaskRecord> {
  const parent = wish.parent_id === undefined ? before.parent_id : await findParent(sql, before, wish.parent_id, at);
  const after = {
    ...before,
    parent_id: parent,
    description: wish.description === undefined ? before.description : plainText("description", wish.description),
    priority: wish.priority ?? before.priority,
    context: wish.context === undefined ? before.context : plainText("context", wish.context),
    done_when: wish.done_when === undefined ? before.done_when : wish.done_when,
  };
  const moved = wish.status === undefined ? after : moveTo(after, wish.status, at, wish.reason);
  return { ...moved, result: wish.result === undefined ? moved.result : plainText("result", wish.result) };
}

/** The new parent, which must not lie below the task itself. */
async function findParent(sql: Sql, task: TaskRecord, given: string | null, at: string): Promise<string | null> {
  if (given === null) return null;
  const parent = await findTask(sql, given, at);
  const path = await pathAbove(sql, parent.id);
  const end = path.indexOf(task.id);
  if (end !== -1) throw cycle(`put ${task.id} below ${parent.id}`, [task.id, ...path.slice(0, end + 1)]);
  return parent.id;
}
