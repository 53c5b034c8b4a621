import type { HistoryEntry } from "@toolwright/todo/tasks/history.js";
import type { Status } from "@toolwright/todo/tasks/task.js";
import type { TodoContext as Desk } from "@toolwright/todo/todo-context.js";
import { type Html, html, type Piece } from "../html.js";
import { glance, moment, placeOf, STATUS_WORDS, shortId } from "../parts.js";

/** What an event is about, by the ids that stand in it. */
export type Names = ReadonlyMap<string, string>;

/** The descriptions of tasks; those that are gone have none. */
export async function namesOf(desk: Desk, ids: Iterable<string>): Promise<Names> {
  const all = [...new Set(ids)];
  if (all.length === 0) return new Map();
  const ledger = await desk.ledger();
  const marks = all.map(() => "?").join(", ");
  const rows = await ledger.read((sql) => sql.all(`SELECT id, description FROM tasks WHERE id IN (${marks})`, ...all));
  return new Map(rows.map((row) => [String(row["id"]), String(row["description"])]));
}

const DEEDS: Readonly<Record<HistoryEntry["kind"], string>> = {
  created: "created",
  updated: "changed",
  deleted: "deleted",
  blocker_added: "now waits for another task",
  blocker_removed: "no longer waits for another task",
  claimed: "claimed",
  released: "released",
  checked: "checked and completed",
  imported: "imported",
};

/** Events as a timeline, the newest first; with `names` each says which task it is about. */
export const timeline = (events: readonly HistoryEntry[], now: string, names?: Names): Html =>
  html`<ol class="timeline">${events.map(
    (event) => html`<li data-key="event-${event.seq}" class="is-${toneOf(event)}">
<p class="deed">${names && taskLink(event.task_id, names)} <strong>${deedOf(event)}</strong>${
      event.actor !== null && html` by <bdi>${glance(event.actor, 60)}</bdi>`
    } <span class="when">${moment(event.at, now)}</span></p>
${changesOf(event)}${event.reason !== null && html`<p class="why" dir="auto">${event.reason}</p>`}</li>`,
  )}</ol>`;

function taskLink(id: string, names: Names): Html {
  const name = names.get(id);
  if (name === undefined) return html`<span class="id">${shortId(id)}</span>`;
  return html`<a href="${placeOf(id)}" dir="auto">${glance(name, 90)}</a>`;
}

function deedOf({ kind, changes, undoes }: HistoryEntry): string {
  const status = changes["status"]?.is as Status | undefined;
  const undo = undoes === null ? "" : "undone: ";
  if (status !== undefined && kind !== "checked") return undo + STATUS_WORDS[status].toLowerCase();
  return undo + DEEDS[kind];
}

/** What colour an event has in the timeline. */
function toneOf({ kind, changes }: HistoryEntry): string {
  const status = changes["status"]?.is;
  if (typeof status === "string") return status;
  return kind === "created" || kind === "imported" ? "pending" : kind === "deleted" ? "failed" : "plain";
}

/** These are said by the deed, or say nothing to people. */
const SAID = new Set(["status", "started_at", "completed_at", "lease_until", "claimed_by"]);

function changesOf({ changes }: HistoryEntry): Piece {
  const told = Object.entries(changes).filter(([name]) => !SAID.has(name));
  if (told.length === 0) return undefined;
  return html`<ul class="changes">${told.map(
    ([name, { was, is }]) =>
      html`<li>${name.replaceAll("_", " ")}: <del dir="auto">${worded(was)}</del> → <ins dir="auto">${worded(is)}</ins></li>`,
  )}</ul>`;
}

function worded(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  return glance(typeof value === "string" ? value : JSON.stringify(value), 120);
}
