import type { Task } from "./task.js";

/** What to give for the page behind a task. */
export const cursorAt = ({ priority, id }: Pick<Task, "priority" | "id">): string => `${priority}.${id}`;
