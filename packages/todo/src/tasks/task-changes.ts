import { ToolError } from "@toolwright/engine";
import type { Status, TaskRecord } from "./task.js";

/** Whether work on a task is over. */
export const isClosed = (status: Status): boolean => status === "completed" || status === "failed";

/**
 * Returns a task in another state, with the times that belong to it. A closed task is reopened only with a reason, and loses its
 * result.
 */
export function withStatus(task: TaskRecord, status: Status, at: string, reason: string | undefined): TaskRecord {
  if (status === task.status) return task;
  if (isClosed(task.status) && !isClosed(status) && !reason?.trim())
    throw new ToolError(`Cannot set ${task.id} to ${status}: it is ${task.status}, and reopening it needs a reason.`, {
      code: "INVALID_ARGUMENT",
      details: { id: task.id, status: task.status, expected: "reason" },
    });
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

/** Returns the next version of a changed task. */
export const nextVersion = (task: TaskRecord, at: string): TaskRecord => ({
  ...task,
  version: task.version + 1,
  updated_at: laterThan(task.updated_at, at),
});

/**
 * Returns `at`, or one millisecond after `last` if that is later: imported tasks can come from a machine whose clock is ahead, and
 * the last change must still have the latest time.
 */
export const laterThan = (last: string, at: string): string =>
  at > last ? at : new Date(Date.parse(last) + 1).toISOString();

/** The maximum length of each kind of text, in characters. */
export const MAX_LENGTH = { description: 10_000, context: 50_000, result: 50_000, reason: 2000, actor: 200 } as const;

/**
 * Returns a text that both databases store unchanged, with unpaired surrogates replaced. Throws a `ToolError` if it is too long or
 * contains NUL, which PostgreSQL rejects.
 */
export function validateText(name: keyof typeof MAX_LENGTH, text: string): string {
  if (text.includes("\0")) throw invalidText(name, "it contains a NUL character");
  if (text.length > MAX_LENGTH[name])
    throw invalidText(name, `it has ${text.length} characters; the maximum is ${MAX_LENGTH[name]}`);
  if (name === "description" && text.trim() === "") throw invalidText(name, "it is empty");
  return replaceSurrogates(text);
}

/** Replaces unpaired surrogates, which UTF-8 cannot represent. */
export const replaceSurrogates = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\u{FFFD}");

const invalidText = (name: string, reason: string): ToolError =>
  new ToolError(`Invalid ${name}: ${reason}.`, { code: "INVALID_ARGUMENT", details: { argument: name } });
