import type { Sql } from "@toolwright/kit/storage";
import { TASK_FIELDS, toTask } from "@toolwright/todo/tasks/find-task.js";
import type { Task } from "@toolwright/todo/tasks/task.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";

/** Tasks, and which of them wait for which. */
export interface Graph {
  readonly tasks: readonly Task[];
  /** From the task that is waited for to the one that waits, by their places in `tasks`. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Tasks with blockers that are not shown. */
  readonly leftOut: number;
}

/** The most pairs that are read to find out what belongs together. */
const MOST_LINKS = 20_000;

/** Brings the tasks that wait or are waited for, the most urgent first; closed ones only where they are asked for. */
export async function readGraph(desk: Desk, most: number, hasClosed: boolean, around?: string): Promise<Graph> {
  const at = desk.now();
  const ledger = await desk.ledger();
  return ledger.read(async (sql) => {
    const links = await readLinks(sql, hasClosed);
    const near = neighbours(links);
    const all = inGroups(near, around === undefined ? urgentFirst(links) : near.has(around) ? [around] : []);
    const tasks = await readTasks(sql, all.slice(0, most), at);
    const places = new Map(tasks.map(({ id }, place) => [id, place]));
    const edges = links.flatMap(({ from, to }): [number, number][] => {
      const [start, end] = [places.get(from.id), places.get(to.id)];
      return start === undefined || end === undefined ? [] : [[start, end]];
    });
    return { tasks, edges, leftOut: all.length - tasks.length };
  });
}

interface Linked {
  readonly id: string;
  readonly priority: number;
}

interface Link {
  readonly from: Linked;
  readonly to: Linked;
}

/** Of most tasks no more is shown than that they are left out, so nothing else of them is read. */
async function readLinks(sql: Sql, hasClosed: boolean): Promise<readonly Link[]> {
  const open = "('pending', 'in_progress')";
  const rows = await sql.all(
    `SELECT o.id AS blocker, o.priority AS blocker_priority, w.id AS waiting, w.priority AS waiting_priority
     FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id JOIN tasks w ON w.id = b.task_id
     ${hasClosed ? "" : `WHERE o.status IN ${open} AND w.status IN ${open}`} LIMIT ${MOST_LINKS}`,
  );
  return rows.map((row) => ({
    from: { id: String(row["blocker"]), priority: Number(row["blocker_priority"]) },
    to: { id: String(row["waiting"]), priority: Number(row["waiting_priority"]) },
  }));
}

function neighbours(links: readonly Link[]): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const tie = (one: string, other: string): void => {
    const known = near.get(one);
    if (known === undefined) near.set(one, [other]);
    else known.push(other);
  };
  for (const { from, to } of links) {
    tie(from.id, to.id);
    tie(to.id, from.id);
  }
  return near;
}

function urgentFirst(links: readonly Link[]): readonly string[] {
  const priorities = new Map(links.flatMap(({ from, to }) => [from, to]).map(({ id, priority }) => [id, priority]));
  return [...priorities]
    .sort(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
    .map(([id]) => id);
}

/** Whole groups of tasks that hang together, one after the other: that of the first id first. */
function inGroups(near: ReadonlyMap<string, readonly string[]>, ids: readonly string[]): readonly string[] {
  const reached = new Set<string>();
  for (const id of ids) {
    if (reached.has(id)) continue;
    const group = new Set([id]);
    for (const one of group) for (const other of near.get(one) ?? []) group.add(other);
    for (const one of group) reached.add(one);
  }
  return [...reached];
}

async function readTasks(sql: Sql, ids: readonly string[], at: string): Promise<readonly Task[]> {
  if (ids.length === 0) return [];
  const marks = ids.map(() => "?").join(", ");
  const rows = await sql.all(`SELECT ${TASK_FIELDS} FROM tasks t WHERE t.id IN (${marks})`, ...ids);
  const byId = new Map(rows.map((row) => [String(row["id"]), toTask(row, at)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
