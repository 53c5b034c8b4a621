import type { JsonObject } from "../../jsonrpc/json.js";
import type { Question, TaskStatus, ToolResult } from "../../protocol/outcome.js";

/** Whose a task is. */
export interface TaskOwner {
  /** Who may see it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** The conversation in which it began: whose it is where there is no principal. */
  readonly session: string | undefined;
}

/** A task as a store keeps it: free of any revision, and JSON only, so that it can be written to a disk. */
export interface TaskRecord extends TaskOwner {
  readonly id: string;
  readonly tool: string;
  readonly status: TaskStatus;
  /** What a person or a model may be told about the status. */
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How long after its creation it is kept; null = for ever. */
  readonly ttlMs: number | null;
  /** How long a client should wait before it asks again. */
  readonly pollMs: number;
  /** What the client has still to answer, by keys that are never used again within the task. */
  readonly questions?: Readonly<Record<string, Question>>;
  /** Answers that the one who runs the task has not taken yet: they may come to another process. */
  readonly answers?: JsonObject;
  /** What the call came to, also where it says `isError`; only a completed task has it. */
  readonly result?: ToolResult;
  /** The JSON-RPC error of a failed task. A failed one without it was interrupted, and `message` says how. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** Where a page of a list ends; it stays a place when its task is gone. */
export type TaskPosition = Pick<TaskRecord, "createdAt" | "id">;

/** What came of the wish to change a task. */
export interface TaskChange {
  /** The task as it now is. */
  readonly record: TaskRecord;
  /** False where the task was final before, or nothing was to change. */
  readonly isDone: boolean;
}

/** Bounds of a store. */
export interface TaskLimits {
  /** Tasks of all owners. */
  readonly tasks: number;
  /** Tasks of one owner. */
  readonly tasksPerOwner: number;
  /** Bytes of all tasks, written as JSON. */
  readonly bytes: number;
}

/**
 * Keeps tasks. One whose time is over (`createdAt` + `ttlMs`) is not found any more. Where a bound is reached, the oldest
 * final tasks make room, those of the same owner first; where too few are final, `makeTaskRoom` refuses the new one.
 */
export interface TaskStore {
  /** Keeps a new task. Once this is done, `get` finds it. */
  create(record: TaskRecord): void | Promise<void>;
  get(id: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /**
   * Replaces a task by what `to` makes of it, in one step that nobody comes between; a final task stays as it is. `to` may
   * run more than once, so it only computes; `id`, owner and `createdAt` stay. Undefined: there is no such task.
   */
  change(id: string, to: (now: TaskRecord) => TaskRecord): TaskChange | undefined | Promise<TaskChange | undefined>;
  /** At most so many tasks of one owner, oldest first, those after a position. */
  list(
    owner: TaskOwner,
    after: TaskPosition | undefined,
    most: number,
  ): readonly TaskRecord[] | Promise<readonly TaskRecord[]>;
  /** Tells the ids of tasks that somebody else has changed, such as another process, until the returned function is called. */
  watch?(listener: (id: string) => void): () => void;
  /** Ends in good order: tasks that this store began and that are not final become failed. */
  close?(): void | Promise<void>;
}

const FINAL: ReadonlySet<TaskStatus> = new Set(["completed", "failed", "cancelled"]);

/** The task has come to its end and stays as it is. */
export const isFinalTask = ({ status }: Pick<TaskRecord, "status">): boolean => FINAL.has(status);

/** The same text for the same owner: the principal where there is one, else the conversation. */
export const taskOwnerKey = ({ principal, session }: TaskOwner): string =>
  principal === undefined ? `session ${session ?? ""}` : `principal ${principal}`;

/** When the store may forget the task, in milliseconds since 1970. */
export const taskExpiry = ({ createdAt, ttlMs }: TaskRecord): number => (ttlMs === null ? Infinity : createdAt + ttlMs);

/** The task failed because whoever ran it is gone; `reason` is for the model. */
export function interruptedTask(record: TaskRecord, reason: string, now: number): TaskRecord {
  const { questions: _questions, answers: _answers, ...kept } = record;
  return { ...kept, status: "failed", message: reason, updatedAt: now };
}
