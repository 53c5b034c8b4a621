import { type Html, html } from "@toolwright/kit/html";
import { count, excerpt, live, type PageContent, type PageRequest } from "@toolwright/kit/pages";
import { findTask } from "../tasks/find-task.js";
import type { Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { drawGraph } from "./draw-graph.js";
import { readGraph, type TaskGraph } from "./graph-query.js";
import { statusMark, TASKS_PATH, taskPath } from "./task-elements.js";

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

function summary({ tasks, leftOut }: TaskGraph, hasClosed: boolean, around: Task | undefined): Html {
  const path = (query: Readonly<Record<string, string>>): string => {
    const search = new URLSearchParams({ ...(around && { around: around.id }), ...query }).toString();
    return search === "" ? `${TASKS_PATH}/graph` : `${TASKS_PATH}/graph?${search}`;
  };
  return html`<p class="sum">${tasks.length === 0 ? "No open task is blocked by another" : count(tasks.length, hasClosed ? "task" : "open task")}${
    around !== undefined &&
    html` around <a href="${taskPath(around.id)}" dir="auto">${excerpt(around.description, 60)}</a> (<a href="${TASKS_PATH}/graph">show all</a>)`
  }${leftOut > 0 && html`; <strong>${leftOut.toLocaleString("en")} more</strong> not shown`}.
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
