import type { Sql } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { type HistoryEntry, historyOf } from "./history.js";
import type { Task } from "./task.js";

/** Which task is wanted, and what of the things around it. */
export interface GetTaskQuery {
  readonly id: string;
  readonly include?: readonly ("children" | "blockers" | "history")[] | undefined;
}

/** A task with what was wanted of the things around it. */
export interface TaskView extends Task {
  readonly children?: readonly Task[];
  /** The tasks that it waits for, and those that wait for it. */
  readonly blocked_by?: readonly Task[];
  readonly blocking?: readonly Task[];
  /** The newest first. */
  readonly history?: readonly HistoryEntry[];
}

/** The most of anything that is shown around a task. */
const MOST = 50;

/** Shows a task. */
export async function getTask(todo: TodoContext, { id, include = [] }: GetTaskQuery): Promise<TaskView> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const task = await findTask(sql, id, at);
    const some = (text: string): Promise<readonly Task[]> => tasksWhere(sql, text, task.id, at);
    return {
      ...task,
      ...(include.includes("children") && { children: await some("t.parent_id = ?") }),
      ...(include.includes("blockers") && {
        blocked_by: await some("t.id IN (SELECT blocked_by_id FROM blockers WHERE task_id = ?)"),
        blocking: await some("t.id IN (SELECT task_id FROM blockers WHERE blocked_by_id = ?)"),
      }),
      ...(include.includes("history") && { history: await historyOf(sql, task.id, MOST) }),
    };
  });
}

async function tasksWhere(sql: Sql, condition: string, id: string, at: string): Promise<readonly Task[]> {
  const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${condition} ORDER BY t.priority, t.id DESC LIMIT ${MOST}`;
  return (await sql.all(text, id)).map((row) => toTask(row, at));
}

/** Which tree is wanted. */
export interface TaskTreeQuery {
  /** The task at its top; undefined = all that have no parent. */
  readonly id?: string | undefined;
  /** How many levels below the top. */
  readonly depth?: number | undefined;
  /** How many tasks at most. */
  readonly limit: number;
}

/** A task with those below it. */
export interface Branch extends Task {
  readonly children: Branch[];
}

/** Shows tasks with those below them, the most urgent first. */
export async function taskTree(
  todo: TodoContext,
  { id, depth = 100, limit }: TaskTreeQuery,
): Promise<{ readonly trees: readonly Branch[]; readonly total: number; readonly left_out: number }> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const top = id === undefined ? await below(sql, null, at) : [toBranch(await findTask(sql, id, at))];
    const trees = top.slice(0, limit);
    let leftOut = top.length - trees.length;
    let level: Branch[] = trees;
    let total = trees.length;
    for (let step = 0; step < depth && level.length > 0; step++) {
      const deeper: Branch[] = [];
      for (const branch of level) {
        const children = await below(sql, branch.id, at);
        branch.children.push(...children.slice(0, limit - total));
        leftOut += children.length - branch.children.length;
        total += branch.children.length;
        deeper.push(...branch.children);
      }
      level = deeper;
    }
    return { trees, total, left_out: leftOut };
  });
}

async function below(sql: Sql, parent: string | null, at: string): Promise<Branch[]> {
  const [condition, values] = parent === null ? ["IS NULL", []] : ["= ?", [parent]];
  const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE t.parent_id ${condition} ORDER BY t.priority, t.id`;
  return (await sql.all(text, ...values)).map((row) => toBranch(toTask(row, at)));
}

const toBranch = (task: Task): Branch => ({ ...task, children: [] });

/** A task and all above it, by their ids. */
export async function pathAbove(sql: Sql, id: string): Promise<readonly string[]> {
  const path: string[] = [];
  for (let above: string | null = id; above !== null; ) {
    path.push(above);
    const row = await sql.get("SELECT parent_id FROM tasks WHERE id = ?", above);
    above = (row?.["parent_id"] as string | null | undefined) ?? null;
  }
  return path;
}
