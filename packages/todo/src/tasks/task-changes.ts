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

/** The longest text of each kind, in characters. */
export const LONGEST = { description: 10_000, context: 50_000, result: 50_000, reason: 2000, actor: 200 } as const;

/**
 * A text that both databases keep as it is. Throws where it is too long, or has NUL in it, which one of them refuses; halves of
 * characters become the mark for what cannot be read.
 */
export function plainText(name: keyof typeof LONGEST, text: string): string {
  if (text.includes("\0")) throw wrongText(name, "it has a NUL character in it. Leave that out");
  if (text.length > LONGEST[name])
    throw wrongText(name, `it has ${text.length} characters, and ${LONGEST[name]} are the most`);
  if (name === "description" && text.trim() === "") throw wrongText(name, "it is empty. Say what is to be done");
  return wholeCharacters(text);
}

/** A text without halves of characters. */
export const wholeCharacters = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\u{FFFD}");

const wrongText = (name: string, why: string): ToolError =>
  new ToolError(`Cannot take this ${name}: ${why}.`, { code: "INVALID_ARGUMENT", details: { argument: name } });
