import { ToolError } from "@toolwright/engine";
import type { Task, TaskRecord } from "./task.js";

/** There is no such task. */
export const taskNotFound = (given: string): ToolError =>
  new ToolError(`task not found: ${given.slice(0, 200)}`, {
    code: "NOT_FOUND",
    details: { id: given.slice(0, 200), suggestion: "list_tasks and search_tasks show the ids that there are" },
  });

/** Several tasks fit a short id. */
export const ambiguousId = (given: string, ids: readonly string[]): ToolError =>
  new ToolError(`Cannot tell which task ${given} is: ${ids.join(", ")} fit. Give more of its id.`, {
    code: "INVALID_ARGUMENT",
    details: { id: given, allowed: [...ids] },
  });

/** Tasks would wait for each other, or lie in each other, for ever. */
export const cycle = (deed: string, path: readonly string[]): ToolError =>
  new ToolError(`Cannot ${deed}: it would close a circle: ${path.join(" → ")}. Take one of these links away first.`, {
    code: "CYCLE",
    details: { path: [...path] },
  });

/** The task is not as the caller has seen it. */
export const staleTask = (task: TaskRecord, expected: number, changes: readonly string[]): ToolError =>
  new ToolError(
    `Cannot change ${task.id}: it has version ${task.version}, not ${expected}.${changes.length === 0 ? "" : ` Since then: ${changes.join("; ")}.`} Read it again, and say what should become of it now.`,
    { code: "CONFLICT", details: { id: task.id, expected, got: task.version, changes: [...changes] } },
  );

/** Children would be left without their parent. */
export const hasChildren = (task: TaskRecord, children: readonly string[]): ToolError =>
  new ToolError(
    `Cannot delete ${task.id}: it has ${children.length} ${children.length === 1 ? "child" : "children"}: ${children.slice(0, 10).join(", ")}. Delete them first, or set cascade to delete them with it.`,
    { code: "CONFLICT", details: { id: task.id, children: children.slice(0, 100) } },
  );

/** Somebody else works on it. */
export const claimedByOther = (task: Task): ToolError =>
  new ToolError(
    `Cannot claim ${task.id}: ${task.claimed_by} has it until ${task.lease_until}. Take another one, or wait until then.`,
    { code: "CONFLICT", details: { id: task.id, claimed_by: task.claimed_by, lease_until: task.lease_until } },
  );

/** Something that a caller asks for is not possible as things are. */
export const notNow = (deed: string, why: string): ToolError =>
  new ToolError(`Cannot ${deed}: ${why}`, { code: "CONFLICT" });
