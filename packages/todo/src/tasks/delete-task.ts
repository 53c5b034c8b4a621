import type { Sql } from "@toolwright/kit/storage";
import type { Desk } from "../desk.js";
import { Deed } from "../store/deed.js";
import { toTaskRecord } from "../store/rows.js";
import { hasChildren } from "./faults.js";
import { findTask } from "./find-task.js";
import type { Blocker, TaskRecord } from "./task.js";

/** Which task goes. */
export interface DeleteWish {
  readonly id: string;
  /** Takes all below it along. */
  readonly cascade?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** Deletes a task, and what is said of it; undo brings all of it back. */
export async function deleteTask(desk: Desk, wish: DeleteWish): Promise<{ readonly deleted: readonly string[] }> {
  const doer = desk.doer(wish.actor, wish.reason);
  const ledger = await desk.ledger();
  return ledger.write(async (sql) => {
    const { blocked: _blocked, ready: _ready, ...task } = await findTask(sql, wish.id, doer.at);
    const below = await allBelow(sql, task.id);
    if (below.length > 0 && wish.cascade !== true)
      throw hasChildren(
        task,
        (await childrenOf(sql, task.id)).map(({ id }) => id),
      );
    const deed = new Deed(sql, doer);
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
