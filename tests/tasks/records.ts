import type { TaskRecord } from "@toolwright/engine";

/** A task that has just begun. */
export const begun = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
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

/** The same task, ended with a text. */
export const ended = (record: TaskRecord, content = "gold"): TaskRecord => ({
  ...record,
  status: "completed",
  updatedAt: record.updatedAt + 1,
  result: { content, structured: undefined, isError: false, meta: undefined },
});

/** The same task, given up. */
export const cancelled = (record: TaskRecord): TaskRecord => ({ ...record, status: "cancelled" });
