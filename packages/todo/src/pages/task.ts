import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import {
  count,
  exactTime,
  excerpt,
  facts,
  live,
  moment,
  type PageContent,
  type PageRequest,
} from "@toolwright/kit/pages";
import { formatCommandLine } from "../tasks/done-condition.js";
import { getTask, type TaskBranch, type TaskView, taskTree } from "../tasks/get-task.js";
import { taskHistory } from "../tasks/history.js";
import type { DoneCondition, Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { statusMark, taskCard, taskMarks, taskPath } from "./task-elements.js";
import { timeline } from "./timeline.js";

const MAX_SUBTASKS = 100;
const MAX_EVENTS = 50;
const MAX_PARENTS = 20;

/** Shows everything about a task. Throws `ToolError` if there is none with this id. */
export async function renderTask(
  todo: TodoContext,
  { params: { id = "" }, query, canChange }: PageRequest,
): Promise<PageContent> {
  const task = await getTask(todo, { id, include: ["blockers"] });
  const before = query.get("before") ?? "";
  const { events, next_cursor: older } = await taskHistory(todo, {
    id: task.id,
    limit: MAX_EVENTS,
    ...(/^\d{1,15}$/.test(before) && { cursor: before }),
  });
  const { trees, left_out: leftOut } = await taskTree(todo, { id: task.id, depth: 8, limit: MAX_SUBTASKS });
  const parents = await readParents(todo, task);
  const now = todo.now();
  return {
    title: excerpt(task.description, 60),
    main: live(
      "task",
      html`${trail(parents)}
<article class="task">
<header><p class="marks">${statusMark(task.status)} ${taskMarks(task, now)} <span class="id">${task.id}</span></p>
<h1 dir="auto">${excerpt(task.description, 300)}</h1></header>
${canChange && changeForms(task)}
<div class="sides"><div>
${texts(task)}
${taskList("Blocked by", task.blocked_by ?? [], now)}
${taskList("Blocks", task.blocking ?? [], now)}
${subtasks(trees[0]?.children ?? [], leftOut)}
</div><div>
${details(task, now)}
<section><h2>History</h2>${timeline(events, now)}${
        older !== undefined && html`<p class="more"><a href="${taskPath(task.id)}?before=${older}">Older</a></p>`
      }</section>
</div></div></article>`,
    ),
  };
}

/** The parent of a task, its parent, and so on, the topmost first. */
async function readParents(todo: TodoContext, task: Task): Promise<readonly Task[]> {
  const parents: Task[] = [];
  for (let id = task.parent_id; id !== null && parents.length < MAX_PARENTS; ) {
    const parent = await getTask(todo, { id });
    parents.unshift(parent);
    id = parent.parent_id;
  }
  return parents;
}

const trail = (parents: readonly Task[]): HtmlPart =>
  parents.length > 0 &&
  html`<nav class="trail" aria-label="Parent tasks"><ol>${parents.map(
    ({ id, description }) => html`<li><a href="${taskPath(id)}" dir="auto">${excerpt(description, 60)}</a></li>`,
  )}</ol></nav>`;

function texts({ description, context, result, done_when: check }: TaskView): HtmlPart {
  const isCut = excerpt(description, 300) !== description.trim();
  return [
    isCut && prose("Description", description),
    context !== "" && prose("Context", context),
    result !== null && result !== "" && prose("Result", result),
    check !== null && html`<section><h2>Done when</h2><p>${describeCheck(check)}</p></section>`,
  ];
}

const prose = (title: string, text: string): Html =>
  html`<section><h2>${title}</h2><p class="prose" dir="auto">${text}</p></section>`;

const describeCheck = (check: DoneCondition): Html =>
  check.kind === "file_exists"
    ? html`the file <code>${check.path}</code> exists`
    : html`the command <code>${formatCommandLine(check.command)}</code> succeeds${check.cwd !== undefined && html` in <code>${check.cwd}</code>`}`;

const taskList = (title: string, tasks: readonly Task[], now: string): HtmlPart =>
  tasks.length > 0 &&
  html`<section><h2>${title} <span class="count">${tasks.length}</span></h2><ul class="cards">${tasks.map((task) => taskCard(task, now, true))}</ul></section>`;

const subtasks = (children: readonly TaskBranch[], leftOut: number): HtmlPart =>
  children.length > 0 &&
  html`<section><h2>Subtasks</h2>${branches(children)}${leftOut > 0 && html`<p class="none">${count(leftOut, "more subtask")} not shown</p>`}</section>`;

const branches = (tasks: readonly TaskBranch[]): Html =>
  html`<ul class="tree">${tasks.map(
    (task) =>
      html`<li data-key="below-${task.id}"><span>${statusMark(task.status)} <a href="${taskPath(task.id)}" dir="auto">${excerpt(task.description, 100)}</a></span>${task.children.length > 0 && branches(task.children)}</li>`,
  )}</ul>`;

const details = (task: Task, now: string): Html =>
  html`<section><h2>Details</h2>${facts(
    [
      [
        "Created",
        html`${moment(task.created_at, now)}${task.created_by !== null && html` by <bdi>${task.created_by}</bdi>`}`,
      ],
      ["Started", task.started_at && moment(task.started_at, now)],
      ["Closed", task.completed_at && moment(task.completed_at, now)],
      ["Updated", moment(task.updated_at, now)],
      ["Claimed by", task.claimed_by && html`<bdi>${task.claimed_by}</bdi>`],
      ["Claim expires", task.lease_until && exactTime(task.lease_until)],
      ["Version", task.version],
    ],
    "facts",
  )}</section>`;

/** The forms of the actions. */
function changeForms({ id, status, priority, version }: Task): Html {
  const isOpen = status === "pending" || status === "in_progress";
  const field = html`<input type="hidden" name="version" value="${version}">`;
  return html`<div class="changes-bar">${
    isOpen &&
    html`<form method="post" action="${taskPath(id)}/done">${field}<button class="main">Mark as done</button></form>`
  }
<form method="post" action="${taskPath(id)}/priority">${field}
<label>Priority <select name="priority">${[1, 2, 3, 4, 5].map((one) => html`<option${one === priority && html` selected`}>${one}</option>`)}</select></label> <button>Set priority</button></form></div>`;
}
