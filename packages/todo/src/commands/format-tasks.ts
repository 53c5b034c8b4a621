import { relative } from "@toolwright/kit/cli";
import { type Column, drawTable, type Paint, type Screen, visibleLine } from "@toolwright/kit/terminal";
import type { HistoryEntry } from "../tasks/history.js";
import type { Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import { type Shorten, shortIds } from "./short-ids.js";

type State = Task["status"] | "blocked";

const SYMBOLS: Readonly<Record<State, string>> = {
  pending: "○",
  blocked: "◌",
  in_progress: "◐",
  completed: "✓",
  failed: "✗",
};

const COLOURS: Readonly<Record<State, keyof Paint | undefined>> = {
  pending: undefined,
  blocked: "yellow",
  in_progress: "cyan",
  completed: "green",
  failed: "red",
};

const stateOf = ({ status, blocked }: Pick<Task, "status" | "blocked">): State =>
  status === "pending" && blocked ? "blocked" : status;

const formatPlainState = (task: Pick<Task, "status" | "blocked">): string =>
  `${SYMBOLS[stateOf(task)]} ${stateOf(task).replace("_", " ")}`;

/** The state of a task as a symbol and a word, in its colour. */
export const formatState = (task: Pick<Task, "status" | "blocked">, paint: Paint): string =>
  colourState(formatPlainState(task), task, paint);

function colourState(text: string, task: Pick<Task, "status" | "blocked">, paint: Paint): string {
  const colour = COLOURS[stateOf(task)];
  return colour === undefined ? text : paint[colour](text);
}

/** A task in one line: its state, its id and its description. */
export const formatTask = (task: Task, shorten: Shorten, { paint }: Pick<Screen, "paint">): string =>
  `${formatState(task, paint)}  ${paint.bold(shorten(task.id))}  ${visibleLine(task.description)}`;

/** Tasks in a line each. */
export async function formatTasks(todo: TodoContext, tasks: readonly Task[], screen: Screen): Promise<string> {
  const shorten = await shortIds(
    todo,
    tasks.map(({ id }) => id),
  );
  return tasks.map((task) => formatTask(task, shorten, screen)).join("\n");
}

/** Tasks as a table. */
export function formatTaskTable(tasks: readonly Task[], shorten: Shorten, { paint, width }: Screen, now: Date): string {
  const at = now.toISOString();
  const claimer = ({ claimed_by: by, lease_until: until }: Task): string =>
    by !== null && until !== null && until > at ? by : "";
  const columns: Column<Task>[] = [
    { name: "id", text: ({ id }) => shorten(id), paint: (text) => paint.bold(text) },
    { name: "p", text: ({ priority }) => String(priority), paint: (text, task) => colourPriority(text, task, paint) },
    { name: "state", text: formatPlainState, paint: (text, task) => colourState(text, task, paint) },
    ...(tasks.some((task) => claimer(task) !== "") ? [{ name: "who", text: claimer }] : []),
    { name: "changed", text: (task) => relative(task.updated_at, now), paint: (text) => paint.faint(text) },
    { name: "task", text: ({ description }) => description, gives: "words" },
  ];
  return drawTable(columns, tasks, { width, head: paint.faint });
}

function colourPriority(text: string, { priority }: Task, paint: Paint): string {
  if (priority === 1) return paint.red(text);
  return priority === 2 ? paint.yellow(text) : text;
}

/** Events as a table. */
export function formatHistory(
  events: readonly HistoryEntry[],
  shorten: Shorten,
  { paint, width }: Screen,
  now: Date,
): string {
  return drawTable<HistoryEntry>(
    [
      { name: "when", text: ({ at }) => relative(at, now), paint: (text) => paint.faint(text) },
      { name: "who", text: ({ actor }) => actor ?? "unknown" },
      { name: "id", text: (event) => shorten(event.task_id), paint: (text) => paint.bold(text) },
      { name: "what", text: formatEvent, gives: "words" },
    ],
    events,
    { width, head: paint.faint },
  );
}

/** These repeat what other fields say. */
const REDUNDANT = new Set(["started_at", "completed_at", "lease_until"]);

/** What an event changed. */
export function formatEvent({ kind, changes, reason, undoes }: HistoryEntry): string {
  const fields = Object.entries(changes)
    .filter(([name]) => !REDUNDANT.has(name))
    .map(([name, { was, is }]) => `${name} ${formatValue(was)} → ${formatValue(is)}`);
  const title = `${undoes === null ? "" : "undone: "}${kind.replace("_", " ")}`;
  return `${[title, ...fields].join(", ")}${reason === null ? "" : ` (${reason})`}`;
}

const MAX_VALUE = 40;

function formatValue(value: unknown): string {
  if (value === null || value === "") return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
