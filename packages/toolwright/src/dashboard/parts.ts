import type { Status, Task } from "@toolwright/todo/tasks/task.js";
import { type Html, html } from "./html.js";

/** The states of tasks, as people read them. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: "Pending",
  in_progress: "In progress",
  completed: "Completed",
  failed: "Failed",
};

/** The place of a task's page. */
export const placeOf = (id: string): string => `/tasks/${encodeURIComponent(id)}`;

/** The end of an id, by which people tell tasks apart. */
export const shortId = (id: string): string => id.slice(-6);

/** The first line of a text, and no more of it than is read at a glance. */
export function glance(text: string, most = 140): string {
  const [line = ""] = text.trim().split("\n", 1);
  const signs = Array.from(line.slice(0, 2 * most));
  return signs.length <= most && line.length === text.trim().length
    ? line
    : `${signs.slice(0, most).join("").trimEnd()}…`;
}

/** A number with what it counts. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** The state of a task as a mark. */
export const statusMark = (status: Status): Html =>
  html`<span class="mark is-${status}">${STATUS_WORDS[status]}</span>`;

/** How urgent a task is, as a mark. */
const priorityMark = (priority: number): Html =>
  html`<span class="priority p${priority}"><span class="unseen">Priority </span>P${priority}</span>`;

/** What there is to know of a task at a glance. */
export function marks(task: Task, now: string): Html {
  const isOpen = task.status === "pending" || task.status === "in_progress";
  const isHeld = task.claimed_by !== null && task.lease_until !== null && task.lease_until > now;
  return html`${priorityMark(task.priority)}${isOpen && task.blocked && html` <span class="mark is-blocked">Blocked</span>`}${
    isOpen && task.ready && html` <span class="mark is-ready">Ready</span>`
  }${isHeld && html` <span class="mark is-claimed">Claimed by <bdi>${glance(task.claimed_by ?? "", 30)}</bdi></span>`}`;
}

/** A task as a card that leads to its page. */
export const card = (task: Task, now: string, hasStatus = false): Html =>
  html`<li class="card" data-key="${task.id}"><a href="${placeOf(task.id)}" dir="auto">${glance(task.description)}</a>
<p class="marks">${marks(task, now)}${hasStatus && html` ${statusMark(task.status)}`} <span class="id">${shortId(task.id)}</span></p></li>
`;

const STEPS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** A moment: how long ago it was, and exactly when for those who point at it. */
export function moment(at: string, now: string): Html {
  const seconds = (Date.parse(now) - Date.parse(at)) / 1000;
  const [size, unit] = STEPS.find(([least]) => Math.abs(seconds) >= least) ?? [1, "s"];
  const amount = Math.floor(Math.abs(seconds) / size);
  const words =
    Math.abs(seconds) >= 60 * 86_400
      ? at.slice(0, 10)
      : Math.abs(seconds) < 60
        ? seconds < 0
          ? "in a moment"
          : "just now"
        : seconds < 0
          ? `in ${amount} ${unit}`
          : `${amount} ${unit} ago`;
  return html`<time datetime="${at}" title="${exact(at)}">${words}</time>`;
}

/** A moment to the second. */
export const exact = (at: string): string => `${at.slice(0, 19).replace("T", " ")} UTC`;
