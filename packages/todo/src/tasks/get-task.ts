import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import { type HistoryEntry, historyOf } from "./history.js";
import type { Task } from "./task.js";

/** Which task is wanted, and what of the things around it. */
export interface GetWish {
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
export async function getTask(desk: Desk, { id, include = [] }: GetWish): Promise<TaskView> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
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
