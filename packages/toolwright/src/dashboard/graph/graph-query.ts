import type { Desk } from "../../packs/todo/desk.js";
import { TASK_FIELDS, toTask } from "../../packs/todo/tasks/find-task.js";
import { isClosed } from "../../packs/todo/tasks/status.js";
import type { Task } from "../../packs/todo/tasks/task.js";

/** Tasks, and which of them wait for which. */
export interface Graph {
  readonly tasks: readonly Task[];
  /** From the task that is waited for to the one that waits, by their places in `tasks`. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Tasks with blockers that are not shown. */
  readonly leftOut: number;
}

/** The most rows that are read to find out what belongs together. */
const MOST_ROWS = 20_000;

/** Brings the tasks that wait or are waited for, the most urgent first; closed ones only where they are asked for. */
export async function readGraph(desk: Desk, most: number, hasClosed: boolean, around?: string): Promise<Graph> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
    const links = await sql.all(`SELECT task_id, blocked_by_id FROM blockers LIMIT ${MOST_ROWS}`);
    const rows = await sql.all(
      `SELECT ${TASK_FIELDS} FROM tasks t WHERE EXISTS (SELECT 1 FROM blockers b WHERE b.task_id = t.id)
       OR EXISTS (SELECT 1 FROM blockers b WHERE b.blocked_by_id = t.id) ORDER BY t.priority, t.id LIMIT ${MOST_ROWS}`,
    );
    const pairs = links.map((row): Pair => [String(row["blocked_by_id"]), String(row["task_id"])]);
    const open = rows.map((row) => toTask(row, at)).filter(({ status }) => hasClosed || !isClosed(status));
    const wanted = around === undefined ? open : connected(open, pairs, around);
    return choose(wanted, pairs, most);
  });
}

type Pair = readonly [from: string, to: string];

/** Whole groups of tasks that hang together come one after the other, as long as there is room: the most urgent group first. */
function choose(tasks: readonly Task[], pairs: readonly Pair[], most: number): Graph {
  const near = neighbours(tasks, pairs);
  // A task whose neighbours are all closed waits for nobody.
  const linked = tasks.filter(({ id }) => (near.get(id)?.length ?? 0) > 0);
  const byId = new Map(linked.map((task) => [task.id, task]));
  const chosen = new Map<string, Task>();
  for (const { id } of linked) {
    const open = [id];
    for (const next of open) {
      if (chosen.has(next) || chosen.size >= most) continue;
      chosen.set(next, byId.get(next) as Task);
      open.push(...(near.get(next) ?? []));
    }
  }
  const places = new Map([...chosen.keys()].map((id, place) => [id, place]));
  const edges = pairs.flatMap(([from, to]): [number, number][] => {
    const [start, end] = [places.get(from), places.get(to)];
    return start === undefined || end === undefined ? [] : [[start, end]];
  });
  return { tasks: [...chosen.values()], edges, leftOut: linked.length - chosen.size };
}

/** The tasks from which one can come to this one by way of blockers, in either direction. */
function connected(tasks: readonly Task[], pairs: readonly Pair[], id: string): readonly Task[] {
  const near = neighbours(tasks, pairs);
  const found = new Set([id]);
  for (const one of found) for (const other of near.get(one) ?? []) found.add(other);
  return tasks.filter((task) => found.has(task.id));
}

function neighbours(tasks: readonly Task[], pairs: readonly Pair[]): ReadonlyMap<string, string[]> {
  const near = new Map(tasks.map(({ id }): [string, string[]] => [id, []]));
  for (const [from, to] of pairs) {
    if (!near.has(from) || !near.has(to)) continue;
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  return near;
}
