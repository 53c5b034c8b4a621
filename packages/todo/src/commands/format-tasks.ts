import { relative } from "@toolwright/kit/cli";
import type { Sql } from "@toolwright/kit/storage";
import { type Column, drawTable, type Paint, type Screen, visibleLine } from "@toolwright/kit/terminal";
import type { HistoryEntry } from "../tasks/history.js";
import type { Task } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";

/** Returns the shortest form of an id that identifies the task. */
export type Shorten = (id: string) => string;

const PREFIX = "task_";

/** The length of the shortest form, and of an id without its prefix. */
const MIN_LENGTH = 4;
const ID_LENGTH = 20;

/** How many values one query has at most. */
const MAX_VALUES = 10_000;

/**
 * Shortens ids for people: to the end of each, which is random, and as long as needed to find the task by it. The id of a deleted task
 * stays whole.
 */
export async function shortIds(todo: TodoContext, ids: Iterable<string>): Promise<Shorten> {
  const found = new Map<string, string>();
  const store = await todo.store();
  await store.read(async (sql) => {
    let left = [...new Set(ids)].filter((id) => withoutPrefix(id).length > MIN_LENGTH);
    for (let length = MIN_LENGTH; left.length > 0 && length < ID_LENGTH; length++) {
      const endOf = (id: string): string => withoutPrefix(id).slice(-length);
      const matches = new Map<string, number>();
      for (let from = 0; from < left.length; from += MAX_VALUES) {
        const ends = new Set(left.slice(from, from + MAX_VALUES).map(endOf));
        for (const [end, count] of await countMatches(sql, [...ends], length)) matches.set(end, count);
      }
      for (const id of left) if (matches.get(endOf(id)) === 1) found.set(id, endOf(id));
      left = left.filter((id) => (matches.get(endOf(id)) ?? 0) > 1);
    }
  });
  return (id) => found.get(id) ?? (withoutPrefix(id).length <= MIN_LENGTH ? withoutPrefix(id) : id);
}

const withoutPrefix = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);

/** Counts the tasks that each end could mean: those whose id ends with it, and one whose id begins with it, which takes precedence. */
async function countMatches(sql: Sql, ends: readonly string[], length: number): Promise<ReadonlyMap<string, number>> {
  const end = sql.dialect === "sqlite" ? `substr(id, -${length})` : `right(id, ${length})`;
  const text = `SELECT ${end} AS tail FROM tasks WHERE ${end} IN (${ends.map(() => "?").join(", ")})`;
  const counts = new Map<string, number>();
  for (const row of await sql.all(text, ...ends)) {
    const tail = String(row["tail"]);
    counts.set(tail, (counts.get(tail) ?? 0) + 1);
  }
  for (const each of counts.keys()) {
    const start = `${PREFIX}${each}`;
    const beginning = await sql.get("SELECT id FROM tasks WHERE id >= ? AND id < ? LIMIT 1", start, `${start}~`);
    if (beginning !== undefined) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return counts;
}

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
