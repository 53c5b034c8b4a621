/** The states of a task, in the order in which boards show them. */
export const STATUSES = ["pending", "in_progress", "completed", "failed"] as const;

/** The state of a task. */
export type Status = (typeof STATUSES)[number];

/** Something that tells whether a task is done, without anybody's word for it. */
export type DoneCheck =
  | { readonly kind: "file_exists"; readonly path: string }
  | {
      readonly kind: "command";
      readonly command: readonly string[];
      /** The folder in which it runs; where none is named, the one that is looked into. */
      readonly cwd?: string | undefined;
    };

/** A task as it is kept. Moments are UTC in ISO 8601 with milliseconds. */
export interface TaskRecord {
  readonly id: string;
  readonly parent_id: string | null;
  readonly description: string;
  readonly context: string;
  /** 1 is the most urgent, 5 the least. */
  readonly priority: number;
  readonly status: Status;
  readonly result: string | null;
  readonly done_when: DoneCheck | null;
  /** Goes up with every change. */
  readonly version: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly updated_at: string;
  readonly created_by: string | null;
  /** Who works on it, and until when nobody else may take it. */
  readonly claimed_by: string | null;
  readonly lease_until: string | null;
}

/** A task as callers see it. */
export interface Task extends TaskRecord {
  /** Whether a task that it waits for is not completed. */
  readonly blocked: boolean;
  /** Whether somebody could start it now: pending, or claimed with a lease that has run out; and not blocked. */
  readonly ready: boolean;
}

/** That one task waits for another. */
export interface Blocker {
  readonly task_id: string;
  readonly blocked_by_id: string;
}

/** Something that has happened. Events are only ever added: history, undo and the live feed are read from them. */
export interface TaskEvent {
  /** Its place in the order of all events. */
  readonly seq: number;
  readonly at: string;
  /** Who did it, where that is known. */
  readonly actor: string | null;
  /** What was done with one deed has the same one here, and is taken back together. */
  readonly deed: string;
  readonly kind:
    | "created"
    | "updated"
    | "deleted"
    | "blocker_added"
    | "blocker_removed"
    | "claimed"
    | "released"
    | "checked"
    | "imported";
  readonly task_id: string;
  /** The task, or the blocker, before and after; null = it was not there. */
  readonly before: TaskRecord | Blocker | null;
  readonly after: TaskRecord | Blocker | null;
  readonly reason: string | null;
  /** The deed that this one takes back. */
  readonly undoes: string | null;
}
