import { randomBytes } from "node:crypto";
import type { Sql } from "@toolwright/kit/storage";
import { type Attribution, ChangeSet } from "../store/change-set.js";
import { toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { cycle, hasChildren, staleTask } from "./errors.js";
import { findTask } from "./find-task.js";
import { pathAbove } from "./get-task.js";
import { changesSince } from "./history.js";
import type { Blocker, DoneCheck, Status, Task, TaskRecord } from "./task.js";
import { moveTo, next, plainText } from "./task-changes.js";

/** What a new task is. */
export interface CreateTaskOptions {
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
export async function createTask(todo: TodoContext, options: CreateTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor);
  const id = newTaskId(new Date(attribution.at));
  const store = await todo.store();
  return store.write(async (sql) => {
    const parent = options.parent_id === undefined ? undefined : await findTask(sql, options.parent_id, attribution.at);
    const blockers = await findAll(sql, options.blocked_by ?? [], attribution.at);
    const task: TaskRecord = {
      id,
      parent_id: parent?.id ?? null,
      description: plainText("description", options.description),
      context: plainText("context", options.context ?? ""),
      priority: options.priority ?? todo.settings.priority,
      status: "pending",
      result: null,
      done_when: options.done_when ?? null,
      version: 1,
      created_at: attribution.at,
      started_at: null,
      completed_at: null,
      updated_at: attribution.at,
      created_by: attribution.actor,
      claimed_by: null,
      lease_until: null,
    };
    const deed = new ChangeSet(sql, attribution);
    await deed.insert(task);
    // A new task is waited for by none, so no circle can come of it.
    for (const blocker of blockers) await deed.addBlocker({ task_id: id, blocked_by_id: blocker.id });
    return findTask(sql, id, attribution.at);
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

/** Digits and letters in their order as text, without those that look alike. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new id: ids that are made later sort later, and no two are the same. */
export function newTaskId(now: Date): string {
  let moment = now.getTime();
  let time = "";
  for (let place = 0; place < 10; place++) {
    time = `${LETTERS[moment % 32]}${time}`;
    moment = Math.floor(moment / 32);
  }
  return `task_${time}${[...randomBytes(10)].map((byte) => LETTERS[byte % 32]).join("")}`;
}

/** What should become of a task; what is not named stays. */
export interface UpdateTaskOptions {
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
export async function updateTask(todo: TodoContext, options: UpdateTaskOptions): Promise<Updated> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const { blocked, ready: _ready, ...before } = await findTask(sql, options.id, attribution.at);
    if (options.expected_version !== undefined && options.expected_version !== before.version)
      throw staleTask(before, options.expected_version, await changesSince(sql, before.id, options.expected_version));
    const after = await changed(sql, before, options, attribution.at);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await new ChangeSet(sql, attribution).replace(before, next(after, attribution.at));
    const isDoneEarly = blocked && after.status === "completed" && before.status !== "completed";
    return {
      task: await findTask(sql, before.id, attribution.at),
      warnings: [
        ...(isDoneEarly ? ["It is completed although a task that it waits for is not; get_blockers shows which."] : []),
        ...(isHeldByOther(before, attribution)
          ? [`${before.claimed_by} has claimed it until ${before.lease_until}.`]
          : []),
      ],
    };
  });
}

const isHeldByOther = ({ claimed_by: holder, lease_until: until }: TaskRecord, { actor, at }: Attribution): boolean =>
  holder !== null && holder !== actor && until !== null && until > at;

async function changed(sql: Sql, before: TaskRecord, options: UpdateTaskOptions, at: string): Promise<TaskRecord> {
  const parent =
    options.parent_id === undefined ? before.parent_id : await findParent(sql, before, options.parent_id, at);
  const after = {
    ...before,
    parent_id: parent,
    description: options.description === undefined ? before.description : plainText("description", options.description),
    priority: options.priority ?? before.priority,
    context: options.context === undefined ? before.context : plainText("context", options.context),
    done_when: options.done_when === undefined ? before.done_when : options.done_when,
  };
  const moved = options.status === undefined ? after : moveTo(after, options.status, at, options.reason);
  return { ...moved, result: options.result === undefined ? moved.result : plainText("result", options.result) };
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

/** Which task goes. */
export interface DeleteTaskOptions {
  readonly id: string;
  /** Takes all below it along. */
  readonly cascade?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** Deletes a task, and what is said of it; undo brings all of it back. */
export async function deleteTask(
  todo: TodoContext,
  options: DeleteTaskOptions,
): Promise<{ readonly deleted: readonly string[] }> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const { blocked: _blocked, ready: _ready, ...task } = await findTask(sql, options.id, attribution.at);
    const below = await allBelow(sql, task.id);
    if (below.length > 0 && options.cascade !== true)
      throw hasChildren(
        task,
        (await childrenOf(sql, task.id)).map(({ id }) => id),
      );
    const deed = new ChangeSet(sql, attribution);
    const all = [task, ...below];
    for (const { id } of all) for (const blocker of await blockersOf(sql, id)) await deed.removeBlocker(blocker);
    // Children go before their parents.
    for (const each of all.toReversed()) await deed.remove(each);
    return { deleted: all.map(({ id }) => id) };
  });
}

/** Everything below a task, parents before their children. */
async function allBelow(sql: Sql, id: string): Promise<readonly TaskRecord[]> {
  const found: TaskRecord[] = [...(await childrenOf(sql, id))];
  for (const child of found) found.push(...(await childrenOf(sql, child.id)));
  return found;
}

const childrenOf = async (sql: Sql, id: string): Promise<readonly TaskRecord[]> =>
  (await sql.all("SELECT * FROM tasks WHERE parent_id = ? ORDER BY id", id)).map(toTaskRecord);

const blockersOf = async (sql: Sql, id: string): Promise<readonly Blocker[]> =>
  (await sql.all("SELECT task_id, blocked_by_id FROM blockers WHERE task_id = ? OR blocked_by_id = ?", id, id)).map(
    (row) => ({ task_id: String(row["task_id"]), blocked_by_id: String(row["blocked_by_id"]) }),
  );
