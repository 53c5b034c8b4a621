import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { Deed } from "../store/deed.js";
import { findTask } from "./find-task.js";
import { newTaskId } from "./new-id.js";
import { plainText } from "./plain-text.js";
import type { DoneCheck, Task, TaskRecord } from "./task.js";

/** What a new task is. */
export interface CreateWish {
  readonly description: string;
  readonly parent_id?: string | undefined;
  readonly priority?: number | undefined;
  readonly context?: string | undefined;
  /** Ids of tasks that it waits for. */
  readonly blocked_by?: readonly string[] | undefined;
  readonly done_when?: DoneCheck | undefined;
  readonly actor?: string | undefined;
}

/** Makes a task. */
export async function createTask(desk: Desk, wish: CreateWish): Promise<Task> {
  const doer = desk.doer(wish.actor);
  const id = newTaskId(new Date(doer.at));
  const ledger = await desk.ledger();
  return ledger.write(async (sql) => {
    const parent = wish.parent_id === undefined ? undefined : await findTask(sql, wish.parent_id, doer.at);
    const blockers = await findAll(sql, wish.blocked_by ?? [], doer.at);
    const task: TaskRecord = {
      id,
      parent_id: parent?.id ?? null,
      description: plainText("description", wish.description),
      context: plainText("context", wish.context ?? ""),
      priority: wish.priority ?? desk.settings.priority,
      status: "pending",
      result: null,
      done_when: wish.done_when ?? null,
      version: 1,
      created_at: doer.at,
      started_at: null,
      completed_at: null,
      updated_at: doer.at,
      created_by: doer.actor,
      claimed_by: null,
      lease_until: null,
    };
    const deed = new Deed(sql, doer);
    await deed.insert(task);
    // A new task is waited for by none, so no circle can come of it.
    for (const blocker of blockers) await deed.addBlocker({ task_id: id, blocked_by_id: blocker.id });
    return findTask(sql, id, doer.at);
  });
}

/** Each task once, though it may be named twice. */
async function findAll(sql: Sql, ids: readonly string[], at: string): Promise<readonly Task[]> {
  const found = new Map<string, Task>();
  for (const id of ids) {
    const task = await findTask(sql, id, at);
    found.set(task.id, task);
  }
  return [...found.values()];
}
