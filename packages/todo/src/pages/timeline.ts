import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { excerpt, moment } from "@toolwright/kit/pages";
import type { HistoryEntry } from "../tasks/history.js";
import type { Status } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { STATUS_NAMES, shortId, taskPath } from "./task-elements.js";

/** The descriptions of tasks by id; deleted tasks have none. */
export type TaskNames = ReadonlyMap<string, string>;

/** Reads the descriptions of tasks. */
export async function readTaskNames(todo: TodoContext, ids: Iterable<string>): Promise<TaskNames> {
  const all = [...new Set(ids)];
  if (all.length === 0) return new Map();
  const store = await todo.store();
  const placeholders = all.map(() => "?").join(", ");
  const rows = await store.read((sql) =>
    sql.all(`SELECT id, description FROM tasks WHERE id IN (${placeholders})`, ...all),
  );
  return new Map(rows.map((row) => [String(row["id"]), String(row["description"])]));
}

const EVENT_NAMES: Readonly<Record<HistoryEntry["kind"], string>> = {
  created: "created",
  updated: "changed",
  deleted: "deleted",
  blocker_added: "blocker added",
  blocker_removed: "blocker removed",
  claimed: "claimed",
  released: "released",
  checked: "checked and completed",
  imported: "imported",
};

/** Events, the newest first. With `names` each is linked to its task. */
export const timeline = (events: readonly HistoryEntry[], now: string, names?: TaskNames): Html =>
  html`<ol class="timeline">${events.map(
    (event) => html`<li data-key="event-${event.seq}" class="is-${colourOf(event)}">
<p class="event">${names && taskLink(event.task_id, names)} <strong>${eventName(event)}</strong>${
      event.actor !== null && html` by <bdi>${excerpt(event.actor, 60)}</bdi>`
    } <span class="when">${moment(event.at, now)}</span></p>
${changeList(event)}${event.reason !== null && html`<p class="why" dir="auto">${event.reason}</p>`}</li>`,
  )}</ol>`;

function taskLink(id: string, names: TaskNames): Html {
  const name = names.get(id);
  if (name === undefined) return html`<span class="id">${shortId(id)}</span>`;
  return html`<a href="${taskPath(id)}" dir="auto">${excerpt(name, 90)}</a>`;
}

function eventName({ kind, changes, undoes }: HistoryEntry): string {
  const status = changes["status"]?.is as Status | undefined;
  const prefix = undoes === null ? "" : "undone: ";
  return prefix + (status !== undefined && kind !== "checked" ? STATUS_NAMES[status].toLowerCase() : EVENT_NAMES[kind]);
}

function colourOf({ kind, changes }: HistoryEntry): string {
  const status = changes["status"]?.is;
  if (typeof status === "string") return status;
  return kind === "created" || kind === "imported" ? "pending" : kind === "deleted" ? "failed" : "plain";
}

/** Fields that the name of the event already says, or that say nothing to people. */
const OMITTED_FIELDS = new Set(["status", "started_at", "completed_at", "lease_until", "claimed_by"]);

function changeList({ changes }: HistoryEntry): HtmlPart {
  const shown = Object.entries(changes).filter(([name]) => !OMITTED_FIELDS.has(name));
  if (shown.length === 0) return undefined;
  return html`<ul class="changes">${shown.map(
    ([name, { was, is }]) =>
      html`<li>${name.replaceAll("_", " ")}: <del dir="auto">${describeValue(was)}</del> → <ins dir="auto">${describeValue(is)}</ins></li>`,
  )}</ul>`;
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  return excerpt(typeof value === "string" ? value : JSON.stringify(value), 120);
}
