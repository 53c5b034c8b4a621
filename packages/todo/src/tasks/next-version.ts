import type { TaskRecord } from "./task.js";

/** The version that comes after: all that changes a task makes it one of these. */
export const next = (task: TaskRecord, at: string): TaskRecord => ({
  ...task,
  version: task.version + 1,
  updated_at: laterThan(task.updated_at, at),
});

/**
 * A moment, or the first one after the last change where that was later: an import brings moments of clocks that are ahead, and
 * what was changed last must be told by them.
 */
export const laterThan = (last: string, at: string): string =>
  at > last ? at : new Date(Date.parse(last) + 1).toISOString();
