import { ToolError } from "@toolwright/engine";
import type { ErrorHint } from "@toolwright/engine/types";
import type { Task, TaskRecord } from "./task.js";

/** No task has this id. */
export const taskNotFound = (id: string): ToolError =>
  new ToolError(`task not found: ${id.slice(0, 200)}`, {
    code: "NOT_FOUND",
    hint: { action: "list the tasks", tool: "list_tasks" },
    details: { id: id.slice(0, 200) },
  });

/** Several tasks match a short id. */
export const ambiguousId = (id: string, matches: readonly string[]): ToolError =>
  new ToolError(`The id ${id} is ambiguous: ${matches.join(", ")} match.`, {
    code: "INVALID_ARGUMENT",
    hint: { action: "use more characters of the id" },
    details: { id, allowed: [...matches] },
  });

/** A blocker or a parent would close a cycle. `action` is what was refused: `block a by b`. */
export const cycleError = (action: string, path: readonly string[]): ToolError =>
  new ToolError(`Cannot ${action}: this would close a cycle: ${path.join(" → ")}.`, {
    code: "CYCLE",
    hint: { action: "remove one of these links first" },
    details: { path: [...path] },
  });

/** The task has changed since the caller read it. */
export const versionConflict = (task: TaskRecord, expected: number, changes: readonly string[]): ToolError =>
  new ToolError(
    `Cannot change ${task.id}: it has version ${task.version}, not ${expected}.${changes.length === 0 ? "" : ` Changes since then: ${changes.join("; ")}.`}`,
    {
      code: "CONFLICT",
      hint: { action: "read its current version", tool: "get_task", arguments: { id: task.id } },
      details: { id: task.id, expected, got: task.version, changes: [...changes] },
    },
  );

/** The task has subtasks. */
export const hasSubtasks = (task: TaskRecord, subtasks: readonly string[]): ToolError =>
  new ToolError(
    `Cannot delete ${task.id}: it has ${subtasks.length} ${subtasks.length === 1 ? "subtask" : "subtasks"}: ${subtasks.slice(0, 10).join(", ")}.`,
    {
      code: "CONFLICT",
      hint: { action: "delete them as well", tool: "delete_task", arguments: { id: task.id, cascade: true } },
      details: { id: task.id, children: subtasks.slice(0, 100) },
    },
  );

/** Another actor has claimed the task. */
export const claimedByOther = (task: Task): ToolError =>
  new ToolError(`Cannot claim ${task.id}: ${task.claimed_by} has claimed it until ${task.lease_until}.`, {
    code: "CONFLICT",
    hint: { action: "claim the most urgent task that is ready", tool: "claim_task", arguments: {} },
    details: { id: task.id, claimed_by: task.claimed_by, lease_until: task.lease_until },
  });

/** The current state does not allow an action. */
export const conflict = (action: string, reason: string, hint?: ErrorHint): ToolError =>
  new ToolError(`Cannot ${action}: ${reason}`, { code: "CONFLICT", ...(hint && { hint }) });
