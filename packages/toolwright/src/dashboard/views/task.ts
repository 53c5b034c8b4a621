import { commandText } from "@toolwright/todo/tasks/done-condition.js";
import { type Branch, getTask, type TaskView, taskTree } from "@toolwright/todo/tasks/get-task.js";
import { taskHistory } from "@toolwright/todo/tasks/history.js";
import type { DoneCheck, Task } from "@toolwright/todo/tasks/task.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";
import { type Html, html, type Piece } from "../html.js";
import { live } from "../layout.js";
import { card, count, exact, glance, marks, moment, placeOf, statusMark } from "../parts.js";
import type { Shown, View } from "../view.js";
import { changeForms } from "../writing/forms.js";
import { timeline } from "./events.js";

/** What is shown around a task. */
const MOST_BELOW = 100;
const MOST_EVENTS = 50;
const MOST_ABOVE = 20;

/** Shows all that is known of a task. Throws where there is none of this id. */
export async function showTask({ desk, query, now, canWrite }: View, id: string): Promise<Shown> {
  const task = await getTask(desk, { id, include: ["blockers"] });
  const before = Number(query.get("before"));
  const { events, next_before: older } = await taskHistory(desk, {
    id: task.id,
    limit: MOST_EVENTS,
    ...(Number.isInteger(before) && before > 0 && { before }),
  });
  const { trees, left_out: leftOut } = await taskTree(desk, { id: task.id, depth: 8, limit: MOST_BELOW });
  const above = await parentsOf(desk, task);
  return {
    title: glance(task.description, 60),
    main: live(
      "task",
      html`${trail(above)}
<article class="task">
<header><p class="marks">${statusMark(task.status)} ${marks(task, now)} <span class="id">${task.id}</span></p>
<h1 dir="auto">${glance(task.description, 300)}</h1></header>
${canWrite && changeForms(task)}
<div class="sides"><div>
${rest(task)}
${blockers("Waits for", task.blocked_by ?? [], now, "Nothing stands in its way")}
${blockers("Waited for by", task.blocking ?? [], now, "Nothing waits for it")}
${below(trees[0]?.children ?? [], leftOut)}
</div><div>
${facts(task, now)}
<section><h2>History</h2>${timeline(events, now)}${
        older !== undefined && html`<p class="more"><a href="${placeOf(task.id)}?before=${older}">Older</a></p>`
      }</section>
</div></div></article>`,
    ),
  };
}

/** The task above, that above it, and so on, the topmost first. */
async function parentsOf(desk: Desk, task: Task): Promise<readonly Task[]> {
  const above: Task[] = [];
  for (let id = task.parent_id; id !== null && above.length < MOST_ABOVE; ) {
    const parent = await getTask(desk, { id });
    above.unshift(parent);
    id = parent.parent_id;
  }
  return above;
}

const trail = (above: readonly Task[]): Piece =>
  above.length > 0 &&
  html`<nav class="trail" aria-label="Above it"><ol>${above.map(
    ({ id, description }) => html`<li><a href="${placeOf(id)}" dir="auto">${glance(description, 60)}</a></li>`,
  )}</ol></nav>`;

function rest({ description, context, result, done_when: check }: TaskView): Piece {
  const whole = glance(description, 300) === description.trim() ? "" : description;
  return [
    whole !== "" && prose("Description", whole),
    context !== "" && prose("Context", context),
    result !== null && result !== "" && prose("Result", result),
    check !== null && html`<section><h2>Done when</h2><p>${checkWords(check)}</p></section>`,
  ];
}

const prose = (title: string, text: string): Html =>
  html`<section><h2>${title}</h2><p class="prose" dir="auto">${text}</p></section>`;

const checkWords = (check: DoneCheck): Html =>
  check.kind === "file_exists"
    ? html`the file <code>${check.path}</code> is there`
    : html`the command <code>${commandText(check.command)}</code> ends well${check.cwd !== undefined && html` in <code>${check.cwd}</code>`}`;

const blockers = (title: string, tasks: readonly Task[], now: string, none: string): Html =>
  html`<section><h2>${title}${tasks.length > 0 && html` <span class="count">${tasks.length}</span>`}</h2>${
    tasks.length === 0
      ? html`<p class="none">${none}</p>`
      : html`<ul class="cards">${tasks.map((task) => card(task, now, true))}</ul>`
  }</section>`;

const below = (children: readonly Branch[], leftOut: number): Piece =>
  children.length > 0 &&
  html`<section><h2>Below it</h2>${branches(children)}${leftOut > 0 && html`<p class="none">${count(leftOut, "further task")} not shown</p>`}</section>`;

const branches = (tasks: readonly Branch[]): Html =>
  html`<ul class="tree">${tasks.map(
    (task) =>
      html`<li data-key="below-${task.id}"><span>${statusMark(task.status)} <a href="${placeOf(task.id)}" dir="auto">${glance(task.description, 100)}</a></span>${task.children.length > 0 && branches(task.children)}</li>`,
  )}</ul>`;

function facts(task: Task, now: string): Html {
  const rows: readonly (readonly [name: string, value: Piece])[] = [
    [
      "Created",
      html`${moment(task.created_at, now)}${task.created_by !== null && html` by <bdi>${task.created_by}</bdi>`}`,
    ],
    ["Started", task.started_at && moment(task.started_at, now)],
    ["Closed", task.completed_at && moment(task.completed_at, now)],
    ["Changed", moment(task.updated_at, now)],
    ["Claimed by", task.claimed_by && html`<bdi>${task.claimed_by}</bdi>`],
    ["Lease until", task.lease_until && exact(task.lease_until)],
    ["Version", task.version],
  ];
  return html`<section><h2>Facts</h2><dl class="facts">${rows.map(
    ([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl></section>`;
}
