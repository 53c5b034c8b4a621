import { ToolError } from "@toolwright/engine";
import type { Status, TaskRecord } from "./task.js";

/** Whether work on a task is over. */
export const isClosed = (status: Status): boolean => status === "completed" || status === "failed";

/**
 * A task in another state, with the moments that go with it. A closed one is opened again only for a reason, and then what came of
 * it no longer holds.
 */
export function moveTo<Kept extends TaskRecord>(
  task: Kept,
  status: Status,
  at: string,
  reason: string | undefined,
): Kept {
  if (status === task.status) return task;
  if (isClosed(task.status) && !isClosed(status) && !reason?.trim())
    throw new ToolError(
      `Cannot set ${task.id} to ${status}: it is ${task.status}. Say why it is opened again, with reason.`,
      { code: "INVALID_ARGUMENT", details: { id: task.id, status: task.status, expected: "reason" } },
    );
  if (isClosed(status))
    return {
      ...task,
      status,
      started_at: task.started_at ?? at,
      completed_at: at,
      claimed_by: null,
      lease_until: null,
    };
  const open = { ...task, status, completed_at: null, result: isClosed(task.status) ? null : task.result };
  if (status === "pending") return { ...open, started_at: null, claimed_by: null, lease_until: null };
  return { ...open, started_at: isClosed(task.status) ? at : (task.started_at ?? at) };
}
