import { fitToBudget } from "@toolwright/kit/files";
import type { HistoryEntry } from "../tasks/history.js";
import { cursorAfter, type TaskPage } from "../tasks/list-tasks.js";
import type { Task } from "../tasks/task.js";

/** The maximum length of the texts of a task in a list, in characters. `get_task` returns them in full. */
const MAX_LENGTH = { description: 400, context: 200, result: 200 } as const;

/** A task in a list. */
interface ListedTask extends Task {
  /** Set if texts were shortened. */
  readonly shortened?: true;
}

/** Shortens the texts of a task for a list. */
export function toListed(task: Task): ListedTask {
  const description = truncate(task.description, MAX_LENGTH.description);
  const context = truncate(task.context, MAX_LENGTH.context);
  const result = task.result === null ? null : truncate(task.result, MAX_LENGTH.result);
  const isShortened = description !== task.description || context !== task.context || result !== task.result;
  return isShortened ? { ...task, description, context, result, shortened: true } : task;
}

/** Shortens the texts of an event for a list. */
export const toListedEntry = ({ changes, ...entry }: HistoryEntry): HistoryEntry => ({
  ...entry,
  changes: Object.fromEntries(
    Object.entries(changes).map(([name, { was, is }]) => [name, { was: truncateValue(was), is: truncateValue(is) }]),
  ),
});

const truncateValue = (value: unknown): unknown =>
  typeof value === "string" ? truncate(value, MAX_LENGTH.context) : value;

/** Shortens a text, without splitting a surrogate pair. */
export const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/**
 * The tasks of a page that fit into a result. If some do not, the cursor is the one after the last task that does; `nextCursor`
 * returns it for pages that are numbered.
 */
export function toPage(
  { tasks, total, next_cursor: next }: TaskPage,
  nextCursor = (shown: readonly Task[]): string | undefined => {
    const last = shown.at(-1);
    return last && cursorAfter(last);
  },
) {
  const shown = fitToBudget(tasks.map(toListed));
  const cursor = shown.length < tasks.length ? nextCursor(shown) : next;
  return {
    tasks: shown,
    ...(total !== undefined && { total }),
    ...(cursor !== undefined && { next_cursor: cursor }),
  };
}
