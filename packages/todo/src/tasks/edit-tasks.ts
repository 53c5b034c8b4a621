import { randomBytes } from "node:crypto";
import type { Sql } from "@toolwright/kit/storage";
import { type Attribution, ChangeSet } from "../store/change-set.js";
import { toTaskRecord } from "../store/rows.js";
import type { TodoContext } from "../todo-context.js";
import { cycleError, hasSubtasks, versionConflict } from "./errors.js";
import { findTask } from "./find-task.js";
import { pathAbove } from "./get-task.js";
import { changesSince } from "./history.js";
import { type Blocker, type DoneCondition, type Status, type Task, type TaskRecord, toRecord } from "./task.js";
import { nextVersion, validateText, withStatus } from "./task-changes.js";

/** The options of `createTask`. */
export interface CreateTaskOptions {
  readonly description: string;
  readonly parent_id?: string | undefined;
  readonly priority?: number | undefined;
  readonly context?: string | undefined;
  /** The ids of the tasks that block it. */
  readonly blocked_by?: readonly string[] | undefined;
  readonly done_when?: DoneCondition | undefined;
  readonly actor?: string | undefined;
}

/** Creates a task. */
export async function createTask(todo: TodoContext, options: CreateTaskOptions): Promise<Task> {
  const attribution = todo.attribution(options.actor);
  const { at } = attribution;
  const id = createTaskId(new Date(at));
  const store = await todo.store();
  return store.write(async (sql) => {
    const parent = options.parent_id === undefined ? undefined : await findTask(sql, options.parent_id, at);
    const blockers = new Set<string>();
    for (const blocker of options.blocked_by ?? []) blockers.add((await findTask(sql, blocker, at)).id);
    const changes = new ChangeSet(sql, attribution);
    await changes.insert({
      id,
      parent_id: parent?.id ?? null,
      description: validateText("description", options.description),
      context: validateText("context", options.context ?? ""),
      priority: options.priority ?? todo.settings.priority,
      status: "pending",
      result: null,
      done_when: options.done_when ?? null,
      version: 1,
      created_at: at,
      started_at: null,
      completed_at: null,
      updated_at: at,
      created_by: attribution.actor,
      claimed_by: null,
      lease_until: null,
    });
    // A new task blocks nothing, so this cannot close a cycle.
    for (const blocker of blockers) await changes.addBlocker({ task_id: id, blocked_by_id: blocker });
    return findTask(sql, id, at);
  });
}

/** Digits and letters in the order in which they sort, without letters that are easily confused. */
const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Creates a unique id. Ids sort by the time at which they were created. */
function createTaskId(now: Date): string {
  let rest = now.getTime();
  let time = "";
  for (let digit = 0; digit < 10; digit++) {
    time = `${ID_ALPHABET[rest % 32]}${time}`;
    rest = Math.floor(rest / 32);
  }
  return `task_${time}${[...randomBytes(10)].map((byte) => ID_ALPHABET[byte % 32]).join("")}`;
}

/** The options of `updateTask`. What is undefined stays as it is. */
export interface UpdateTaskOptions {
  readonly id: string;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  readonly status?: Status | undefined;
  readonly context?: string | undefined;
  readonly result?: string | undefined;
  /** Null moves the task to the top level. */
  readonly parent_id?: string | null | undefined;
  /** Null removes the condition. */
  readonly done_when?: DoneCondition | null | undefined;
  /** Fails if the task has another version. */
  readonly expected_version?: number | undefined;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** The result of `updateTask`. */
export interface UpdatedTask {
  readonly task: Task;
  readonly warnings: readonly string[];
}

/** Changes a task. If nothing changes, nothing is written. */
export async function updateTask(todo: TodoContext, options: UpdateTaskOptions): Promise<UpdatedTask> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const current = await findTask(sql, options.id, attribution.at);
    const before = toRecord(current);
    if (options.expected_version !== undefined && options.expected_version !== before.version)
      throw versionConflict(
        before,
        options.expected_version,
        await changesSince(sql, before.id, options.expected_version),
      );
    const after = await applyUpdate(sql, before, options, attribution.at);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await new ChangeSet(sql, attribution).replace(before, nextVersion(after, attribution.at));
    const isDoneEarly = current.blocked && after.status === "completed" && before.status !== "completed";
    return {
      task: await findTask(sql, before.id, attribution.at),
      warnings: [
        ...(isDoneEarly ? ["The task was completed although a task that blocks it is open."] : []),
        ...(isHeldByOther(before, attribution)
          ? [`${before.claimed_by} has claimed it until ${before.lease_until}.`]
          : []),
      ],
    };
  });
}

const isHeldByOther = ({ claimed_by: holder, lease_until: until }: TaskRecord, { actor, at }: Attribution): boolean =>
  holder !== null && holder !== actor && until !== null && until > at;

async function applyUpdate(sql: Sql, before: TaskRecord, options: UpdateTaskOptions, at: string): Promise<TaskRecord> {
  const { description, context, result, status } = options;
  const edited = {
    ...before,
    parent_id:
      options.parent_id === undefined ? before.parent_id : await findParent(sql, before, options.parent_id, at),
    description: description === undefined ? before.description : validateText("description", description),
    priority: options.priority ?? before.priority,
    context: context === undefined ? before.context : validateText("context", context),
    done_when: options.done_when === undefined ? before.done_when : options.done_when,
  };
  const moved = status === undefined ? edited : withStatus(edited, status, at, options.reason);
  return { ...moved, result: result === undefined ? moved.result : validateText("result", result) };
}

/** Finds the new parent. It must not be a subtask of the task itself. */
async function findParent(sql: Sql, task: TaskRecord, id: string | null, at: string): Promise<string | null> {
  if (id === null) return null;
  const parent = await findTask(sql, id, at);
  const path = await pathAbove(sql, parent.id);
  const end = path.indexOf(task.id);
  if (end !== -1) throw cycleError(`make ${task.id} a subtask of ${parent.id}`, [task.id, ...path.slice(0, end + 1)]);
  return parent.id;
}

/** The options of `deleteTask`. */
export interface DeleteTaskOptions {
  readonly id: string;
  /** Deletes its subtasks too. */
  readonly cascade?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** Deletes a task and its blockers. Undo restores all of it. */
export async function deleteTask(
  todo: TodoContext,
  options: DeleteTaskOptions,
): Promise<{ readonly deleted: readonly string[] }> {
  const attribution = todo.attribution(options.actor, options.reason);
  const store = await todo.store();
  return store.write(async (sql) => {
    const task = toRecord(await findTask(sql, options.id, attribution.at));
    const subtasks = await subtasksOf(sql, task.id);
    if (subtasks.length > 0 && options.cascade !== true)
      throw hasSubtasks(
        task,
        subtasks.map(({ id }) => id),
      );
    // Subtasks of subtasks are appended while the list is read.
    for (const subtask of subtasks) subtasks.push(...(await subtasksOf(sql, subtask.id)));
    const changes = new ChangeSet(sql, attribution);
    const all = [task, ...subtasks];
    for (const { id } of all) for (const blocker of await blockersOf(sql, id)) await changes.removeBlocker(blocker);
    // Subtasks are deleted before their parents.
    for (const each of all.toReversed()) await changes.remove(each);
    return { deleted: all.map(({ id }) => id) };
  });
}

const subtasksOf = async (sql: Sql, id: string): Promise<TaskRecord[]> =>
  (await sql.all("SELECT * FROM tasks WHERE parent_id = ? ORDER BY id", id)).map(toTaskRecord);

const blockersOf = async (sql: Sql, id: string): Promise<readonly Blocker[]> =>
  (await sql.all("SELECT task_id, blocked_by_id FROM blockers WHERE task_id = ? OR blocked_by_id = ?", id, id)).map(
    (row) => ({ task_id: String(row["task_id"]), blocked_by_id: String(row["blocked_by_id"]) }),
  );
