import { type Html, html } from "@toolwright/kit/html";
import { count, excerpt, live, type PageContent, type PageRequest } from "@toolwright/kit/pages";
import type { Sql } from "@toolwright/kit/storage";
import { findTask, TASK_FIELDS, toTask } from "../tasks/find-task.js";
import type { Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { drawGraph } from "./graph-drawing.js";
import { statusMark, TASKS_PATH, taskPath } from "./task-elements.js";

/** Tasks, and which of them block which. */
export interface TaskGraph {
  readonly tasks: readonly Task[];
  /** From the blocking task to the blocked one, as indices of `tasks`. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** How many tasks exceed the limit. */
  readonly leftOut: number;
  /** How many edges between these tasks exceed the limit. */
  readonly edgesLeftOut: number;
}

/** How many pairs are read to find the groups of connected tasks. */
const MAX_LINKS = 20_000;

/** How many edges are shown. */
const MAX_EDGES = 600;

/** Which tasks a graph contains. */
export interface GraphQuery {
  readonly limit: number;
  /** Include closed tasks. */
  readonly hasClosed: boolean;
  /** Only the group of this task. */
  readonly around?: string;
}

/** Reads the tasks that block others or are blocked, in groups, the most urgent first. */
export async function readGraph(todo: TodoContext, { limit, hasClosed, around }: GraphQuery): Promise<TaskGraph> {
  const at = todo.now();
  const store = await todo.store();
  return store.read(async (sql) => {
    const links = await readLinks(sql, hasClosed);
    const near = neighbours(links);
    const all = inGroups(near, around === undefined ? urgentFirst(links) : near.has(around) ? [around] : []);
    const tasks = await readTasks(sql, all.slice(0, limit), at);
    const indices = new Map(tasks.map(({ id }, index) => [id, index]));
    const edges = links.flatMap(({ from, to }): [number, number][] => {
      const [start, end] = [indices.get(from.id), indices.get(to.id)];
      return start === undefined || end === undefined ? [] : [[start, end]];
    });
    const shown = firstOfEach(edges).slice(0, MAX_EDGES);
    return { tasks, edges: shown, leftOut: all.length - tasks.length, edgesLeftOut: edges.length - shown.length };
  });
}

/** The edges in another order: first one to each blocked task, then a second one to each, and so on. */
function firstOfEach(edges: TaskGraph["edges"]): TaskGraph["edges"] {
  const counts = new Map<number, number>();
  const ordered = edges.map((edge) => {
    const ordinal = counts.get(edge[1]) ?? 0;
    counts.set(edge[1], ordinal + 1);
    return { edge, ordinal };
  });
  return ordered.sort((one, other) => one.ordinal - other.ordinal).map(({ edge }) => edge);
}

interface LinkedTask {
  readonly id: string;
  readonly priority: number;
}

interface Link {
  readonly from: LinkedTask;
  readonly to: LinkedTask;
}

/** Reads ids and priorities only: most tasks of a large graph are not shown. */
async function readLinks(sql: Sql, hasClosed: boolean): Promise<readonly Link[]> {
  const open = "('pending', 'in_progress')";
  const rows = await sql.all(
    `SELECT o.id AS blocker, o.priority AS blocker_priority, w.id AS blocked, w.priority AS blocked_priority
     FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id JOIN tasks w ON w.id = b.task_id
     ${hasClosed ? "" : `WHERE o.status IN ${open} AND w.status IN ${open}`} LIMIT ${MAX_LINKS}`,
  );
  return rows.map((row) => ({
    from: { id: String(row["blocker"]), priority: Number(row["blocker_priority"]) },
    to: { id: String(row["blocked"]), priority: Number(row["blocked_priority"]) },
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

/** Groups of connected tasks, one after the other, that of the first id first. */
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

/** A larger drawing is unreadable. */
const MAX_TASKS = 150;

/** Shows which tasks block which. */
export async function renderGraph(todo: TodoContext, { query }: PageRequest): Promise<PageContent> {
  const hasClosed = query.get("closed") === "yes";
  const id = query.get("around");
  const store = await todo.store();
  const around = id === null ? undefined : await store.read((sql) => findTask(sql, id, todo.now()));
  const graph = await readGraph(todo, {
    limit: MAX_TASKS,
    hasClosed,
    ...(around !== undefined && { around: around.id }),
  });
  return {
    main: html`<h1>Dependencies</h1>
${live(
  "graph",
  html`${summary(graph, hasClosed, around)}${
    graph.tasks.length > 0 && [
      html`<div class="scroll picture" tabindex="0" role="region" aria-label="Graph" data-key="picture">${drawGraph(graph)}</div>`,
      list(graph),
    ]
  }`,
)}`,
  };
}

function summary({ tasks, leftOut, edgesLeftOut }: TaskGraph, hasClosed: boolean, around: Task | undefined): Html {
  const path = (query: Readonly<Record<string, string>>): string => {
    const search = new URLSearchParams({ ...(around && { around: around.id }), ...query }).toString();
    return search === "" ? `${TASKS_PATH}/graph` : `${TASKS_PATH}/graph?${search}`;
  };
  return html`<p class="sum">${tasks.length === 0 ? "No open task is blocked by another" : count(tasks.length, hasClosed ? "task" : "open task")}${
    around !== undefined &&
    html` around <a href="${taskPath(around.id)}" dir="auto">${excerpt(around.description, 60)}</a> (<a href="${TASKS_PATH}/graph">show all</a>)`
  }${leftOut > 0 && html`; <strong>${leftOut.toLocaleString("en")} more</strong> not shown`}${edgesLeftOut > 0 && html`; ${edgesLeftOut.toLocaleString("en")} more dependencies between them are not drawn`}.
${hasClosed ? html`<a href="${path({})}">Hide closed tasks</a>` : html`<a href="${path({ closed: "yes" })}">Show closed tasks</a>`}</p>`;
}

function list({ tasks, edges }: TaskGraph): Html {
  const blockersOf = new Map<Task, Task[]>();
  for (const [from, to] of edges) {
    const [blocker, task] = [tasks[from], tasks[to]];
    if (blocker && task) blockersOf.set(task, [...(blockersOf.get(task) ?? []), blocker]);
  }
  const item = ({ id, status, description }: Task): Html =>
    html`${statusMark(status)} <a href="${taskPath(id)}" dir="auto">${excerpt(description, 80)}</a>`;
  return html`<details data-key="list"><summary>Show as a list</summary><ul class="waits">${[...blockersOf].map(
    ([task, blockers]) =>
      html`<li>${item(task)} <span class="soft">is blocked by</span><ul>${blockers.map((one) => html`<li>${item(one)}</li>`)}</ul></li>`,
  )}</ul></details>`;
}
