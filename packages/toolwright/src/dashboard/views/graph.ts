import { findTask } from "@toolwright/todo/tasks/find-task.js";
import type { Task } from "@toolwright/todo/tasks/task.js";
import { drawGraph } from "../graph/draw-graph.js";
import { type Graph, readGraph } from "../graph/graph-query.js";
import { type Html, html, type Piece } from "../html.js";
import { live } from "../layout.js";
import { count, glance, placeOf, statusMark } from "../parts.js";
import type { Shown, View } from "../view.js";

/** More boxes than these are no picture any more. */
const MOST = 150;

/** Shows which tasks wait for which. */
export async function showGraph({ desk, query }: View): Promise<Shown> {
  const hasClosed = query.get("closed") === "yes";
  const given = query.get("around");
  const ledger = await desk.ledger();
  const around = given === null ? undefined : await ledger.read((sql) => findTask(sql, given, desk.now()));
  const graph = await readGraph(desk, MOST, hasClosed, around?.id);
  return {
    title: "Graph",
    here: "/graph",
    main: html`<h1>What waits for what</h1>
${live("graph", html`${words(graph, hasClosed, around)}${graph.tasks.length > 0 && [picture(graph), list(graph)]}`)}`,
  };
}

function words({ tasks, leftOut }: Graph, hasClosed: boolean, around: Task | undefined): Html {
  const near = around === undefined ? "" : `around=${around.id}`;
  const place = (...parts: string[]): string => `/graph?${parts.filter((part) => part !== "").join("&")}`;
  return html`<p class="sum">${tasks.length === 0 ? "No open task waits for another" : count(tasks.length, hasClosed ? "task" : "open task")}${
    around !== undefined &&
    html` around <a href="${placeOf(around.id)}" dir="auto">${glance(around.description, 60)}</a> (<a href="/graph">show all</a>)`
  }${leftOut > 0 && html`; <strong>${count(leftOut, "further one")} left out</strong>, because no more than ${MOST} can be read`}.
${hasClosed ? html`<a href="${place(near)}">Without closed ones</a>` : html`<a href="${place(near, "closed=yes")}">With closed ones</a>`}</p>`;
}

const picture = (graph: Graph): Html =>
  html`<div class="scroll picture" tabindex="0" role="region" aria-label="Graph" data-key="picture">${drawGraph(graph)}</div>`;

function list({ tasks, edges }: Graph): Html {
  const waits = new Map<Task, Task[]>();
  for (const [from, to] of edges) {
    const [blocker, task] = [tasks[from], tasks[to]];
    if (blocker && task) waits.set(task, [...(waits.get(task) ?? []), blocker]);
  }
  const link = ({ id, description }: Task): Piece =>
    html`<a href="${placeOf(id)}" dir="auto">${glance(description, 80)}</a>`;
  return html`<details data-key="list"><summary>The same as a list</summary><ul class="waits">${[...waits].map(
    ([task, blockers]) =>
      html`<li>${statusMark(task.status)} ${link(task)} <span class="soft">waits for</span><ul>${blockers.map((one) => html`<li>${statusMark(one.status)} ${link(one)}</li>`)}</ul></li>`,
  )}</ul></details>`;
}
