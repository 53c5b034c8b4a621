import { type Html, html } from "@toolwright/kit/html";
import { excerpt } from "@toolwright/kit/pages";
import type { Status, Task } from "../tasks/task.js";

/** The path of the board. */
export const TASKS_PATH = "/tasks";

/** The path of the page of a task. */
export const taskPath = (id: string): string => `${TASKS_PATH}/${encodeURIComponent(id)}`;

/** The names of the states of tasks. */
export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  pending: "Pending",
  in_progress: "In progress",
  completed: "Completed",
  failed: "Failed",
};

/** The end of an id: enough to distinguish tasks. */
export const shortId = (id: string): string => id.slice(-6);

/** The state of a task as a mark. */
export const statusMark = (status: Status): Html =>
  html`<span class="mark is-${status}">${STATUS_NAMES[status]}</span>`;

const priorityMark = (priority: number): Html =>
  html`<span class="priority p${priority}"><span class="unseen">Priority </span>P${priority}</span>`;

/** The priority of a task, and whether it is blocked, ready or claimed, as marks. */
export function taskMarks(task: Task, now: string): Html {
  const isOpen = task.status === "pending" || task.status === "in_progress";
  const isClaimed = task.claimed_by !== null && task.lease_until !== null && task.lease_until > now;
  return html`${priorityMark(task.priority)}${isOpen && task.blocked && html` <span class="mark is-blocked">Blocked</span>`}${
    isOpen && task.ready && html` <span class="mark is-ready">Ready</span>`
  }${isClaimed && html` <span class="mark is-claimed">Claimed by <bdi>${excerpt(task.claimed_by ?? "", 30)}</bdi></span>`}`;
}

/** A task as a card with a link to its page. */
export const taskCard = (task: Task, now: string, hasStatus = false): Html =>
  html`<li class="card" data-key="${task.id}"><a href="${taskPath(task.id)}" dir="auto">${excerpt(task.description)}</a>
<p class="marks">${taskMarks(task, now)}${hasStatus && html` ${statusMark(task.status)}`} <span class="id">${shortId(task.id)}</span></p></li>
`;
