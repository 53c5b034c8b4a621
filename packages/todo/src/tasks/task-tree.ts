import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { findTask, TASK_FIELDS, toTask } from "./find-task.js";
import type { Task } from "./task.js";

/** Which tree is wanted. */
export interface TreeWish {
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
  desk: Desk,
  { id, depth = 100, limit }: TreeWish,
): Promise<{ readonly trees: readonly Branch[]; readonly total: number; readonly left_out: number }> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
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
