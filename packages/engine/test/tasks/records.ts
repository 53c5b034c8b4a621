import type { TaskRecord } from "@toolwright/engine/tasks";

/** A task that has just started. */
export const workingTask = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  principal: "ada",
  session: undefined,
  tool: "dig",
  status: "working",
  createdAt: 1000,
  updatedAt: 1000,
  ttlMs: null,
  pollMs: 500,
  ...more,
});

/** The same task, completed with a text. */
export const completedTask = (record: TaskRecord, content = "gold"): TaskRecord => ({
  ...record,
  status: "completed",
  updatedAt: record.updatedAt + 1,
  result: { content, structured: undefined, isError: false, meta: undefined },
});

/** The same task, cancelled. */
export const cancelledTask = (record: TaskRecord): TaskRecord => ({ ...record, status: "cancelled" });
