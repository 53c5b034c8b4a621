import type { HistoryEntry } from "../tasks/history.js";
import { cursorAt, type TaskPage } from "../tasks/list-tasks.js";
import type { Task } from "../tasks/task.js";

/** How many bytes of JSON a result has at most; the rest is for another call. */
const ROOM = 40_000;

/** The longest texts of a task in a list, in characters. get_task shows all of them. */
const LONGEST = { description: 400, context: 200, result: 200 } as const;

/** A task in a list. */
export interface ListedTask extends Task {
  /** There where texts were cut. */
  readonly shortened?: true;
}

/** A task as lists show it. */
export function toListed(task: Task): ListedTask {
  const description = cut(task.description, LONGEST.description);
  const context = cut(task.context, LONGEST.context);
  const result = task.result === null ? null : cut(task.result, LONGEST.result);
  const isShort = description !== task.description || context !== task.context || result !== task.result;
  return isShort ? { ...task, description, context, result, shortened: true } : task;
}

/** What has happened as lists show it. */
export const toListedEntry = ({ changes, ...entry }: HistoryEntry): HistoryEntry => ({
  ...entry,
  changes: Object.fromEntries(
    Object.entries(changes).map(([name, { was, is }]) => [name, { was: cutValue(was), is: cutValue(is) }]),
  ),
});

/** As many of the values as there is room for, but one at least. */
export function fitting<Value>(values: readonly Value[], room = ROOM): readonly Value[] {
  let used = 0;
  const at = values.findIndex((value) => {
    used += Buffer.byteLength(JSON.stringify(value)) + 1;
    return used > room;
  });
  return at === -1 ? values : values.slice(0, Math.max(1, at));
}

const cutValue = (value: unknown): unknown => (typeof value === "string" ? cut(value, LONGEST.context) : value);

/** The beginning of a text; never half a character. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** A page of tasks as results show it: as many as there is room for, and where to go on. */
export function toPage({ tasks, total, next_cursor: next }: TaskPage) {
  const shown: readonly ListedTask[] = fitting(tasks.map(toListed));
  const last = shown.at(-1);
  const cursor = shown.length < tasks.length && last !== undefined ? cursorAt(last) : next;
  return { tasks: [...shown], total, ...(cursor !== undefined && { next_cursor: cursor }) };
}
