import { cursorAt } from "../tasks/cursor.js";
import type { TaskPage } from "../tasks/list-tasks.js";
import { fitting, type ListedTask, toListed } from "./shown.js";

/** A page of tasks as results show it: as many as there is room for, and where to go on. */
export function toPage({ tasks, total, next_cursor: next }: TaskPage) {
  const shown: readonly ListedTask[] = fitting(tasks.map(toListed));
  const last = shown.at(-1);
  const cursor = shown.length < tasks.length && last !== undefined ? cursorAt(last) : next;
  return { tasks: [...shown], total, ...(cursor !== undefined && { next_cursor: cursor }) };
}
