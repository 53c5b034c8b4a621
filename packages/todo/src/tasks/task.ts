/** The states of a task, in the order in which boards show them. */
export const STATUSES = ["pending", "in_progress", "completed", "failed"] as const;

/** The state of a task. */
export type Status = (typeof STATUSES)[number];

/** A condition that shows whether a task is done. */
export type DoneCondition =
  | { readonly kind: "file_exists"; readonly path: string }
  | {
      readonly kind: "command";
      readonly command: readonly string[];
      /** The folder in which the command runs. Default: the first root. */
      readonly cwd?: string | undefined;
    };

/** A task as it is stored. Times are UTC, in ISO 8601 with milliseconds. */
export interface TaskRecord {
  readonly id: string;
  readonly parent_id: string | null;
  readonly description: string;
  readonly context: string;
  /** From 1 (most urgent) to 5. */
  readonly priority: number;
  readonly status: Status;
  readonly result: string | null;
  readonly done_when: DoneCondition | null;
  /** Increases with every change. */
  readonly version: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly updated_at: string;
  readonly created_by: string | null;
  /** Who works on the task, and until when nobody else can claim it. */
  readonly claimed_by: string | null;
  readonly lease_until: string | null;
}

/** A task as callers see it. */
export interface Task extends TaskRecord {
  /** Whether a task that blocks it is not completed. */
  readonly blocked: boolean;
  /** Whether work can start: not blocked, and either pending or claimed with an expired lease. */
  readonly ready: boolean;
}

/** The stored part of a task. */
export const toRecord = ({ blocked: _blocked, ready: _ready, ...record }: Task): TaskRecord => record;

/** One task that blocks another. */
export interface Blocker {
  readonly task_id: string;
  readonly blocked_by_id: string;
}

/** A change. Events are append-only: history, undo and live updates are read from them. */
export interface TaskEvent {
  /** The position in the order of all events. */
  readonly seq: number;
  readonly at: string;
  /** Who made the change, if known. */
  readonly actor: string | null;
  /** The change set. Its changes are undone together. */
  readonly change_id: string;
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
  /** The task or the blocker before and after the change; null = it did not exist. */
  readonly before: TaskRecord | Blocker | null;
  readonly after: TaskRecord | Blocker | null;
  readonly reason: string | null;
  /** The change set that this one undoes. */
  readonly undoes: string | null;
}
