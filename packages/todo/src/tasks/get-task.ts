import type { Sql } from "@toolwright/kit/storage";
import type { TodoContext } from "../todo-context.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { type HistoryEntry, readHistory } from "./history.js";
import type { Task } from "./task.js";

/** What to read with a task. */
export interface GetTaskQuery {
  readonly id: string;
  readonly include?: readonly ("children" | "blockers" | "history")[] | undefined;
}

/** A task, with what `include` asked for. */
export interface TaskView extends Task {
  /** Its subtasks. */
  readonly children?: readonly Task[];
  /** The tasks that block it, and those that it blocks. */
  readonly blocked_by?: readonly Task[];
  readonly blocking?: readonly Task[];
  /** Newest first. */
  readonly history?: readonly HistoryEntry[];
}

/** The maximum length of each list in a `TaskView`. */
const MAX_RELATED = 50;

/** Reads a task. */
export async function getTask(todo: TodoContext, { id, include = [] }: GetTaskQuery): Promise<TaskView> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const task = await findTask(sql, id, at);
    const tasksWhere = async (condition: string): Promise<readonly Task[]> => {
      const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE ${condition} ORDER BY t.priority, t.id DESC LIMIT ${MAX_RELATED}`;
      return (await sql.all(text, task.id)).map((row) => toTask(row, at));
    };
    return {
      ...task,
      ...(include.includes("children") && { children: await tasksWhere("t.parent_id = ?") }),
      ...(include.includes("blockers") && {
        blocked_by: await tasksWhere("t.id IN (SELECT blocked_by_id FROM blockers WHERE task_id = ?)"),
        blocking: await tasksWhere("t.id IN (SELECT task_id FROM blockers WHERE blocked_by_id = ?)"),
      }),
      ...(include.includes("history") && { history: await readHistory(sql, task.id, MAX_RELATED) }),
    };
  });
}

/** Which tree to read. */
export interface TaskTreeQuery {
  /** The task at the root. Default: all tasks without a parent. */
  readonly id?: string | undefined;
  /** The number of levels below the root. */
  readonly depth?: number | undefined;
  /** The maximum number of tasks. */
  readonly limit: number;
}

/** A task with its subtasks. */
export interface TaskBranch extends Task {
  readonly children: TaskBranch[];
}

/** Reads tasks with their subtasks, most urgent first. */
export async function taskTree(
  todo: TodoContext,
  { id, depth = 100, limit }: TaskTreeQuery,
): Promise<{ readonly trees: readonly TaskBranch[]; readonly total: number; readonly left_out: number }> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const roots = id === undefined ? await readSubtasks(sql, null, at) : [toBranch(await findTask(sql, id, at))];
    const trees = roots.slice(0, limit);
    let leftOut = roots.length - trees.length;
    let level: TaskBranch[] = trees;
    let total = trees.length;
    for (let step = 0; step < depth && level.length > 0; step++) {
      const deeper: TaskBranch[] = [];
      for (const branch of level) {
        const subtasks = await readSubtasks(sql, branch.id, at);
        branch.children.push(...subtasks.slice(0, limit - total));
        leftOut += subtasks.length - branch.children.length;
        total += branch.children.length;
        deeper.push(...branch.children);
      }
      level = deeper;
    }
    return { trees, total, left_out: leftOut };
  });
}

async function readSubtasks(sql: Sql, parent: string | null, at: string): Promise<TaskBranch[]> {
  const [condition, values] = parent === null ? ["IS NULL", []] : ["= ?", [parent]];
  const text = `SELECT ${TASK_FIELDS} FROM tasks t WHERE t.parent_id ${condition} ORDER BY t.priority, t.id`;
  return (await sql.all(text, ...values)).map((row) => toBranch(toTask(row, at)));
}

const toBranch = (task: Task): TaskBranch => ({ ...task, children: [] });

/** The ids of a task, its parent, the parent of that, and so on. */
export async function pathAbove(sql: Sql, id: string): Promise<readonly string[]> {
  const path: string[] = [];
  for (let above: string | null = id; above !== null; ) {
    path.push(above);
    const row = await sql.get("SELECT parent_id FROM tasks WHERE id = ?", above);
    above = (row?.["parent_id"] as string | null | undefined) ?? null;
  }
  return path;
}
