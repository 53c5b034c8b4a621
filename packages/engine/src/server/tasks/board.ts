import type { Changes } from "../changes.js";
import type { Log } from "../log.js";
import type { Session } from "../session.js";
import type { TaskChange, TaskOwner, TaskRecord, TaskStore } from "./store.js";

/** Whoever runs a task. */
export interface TaskRunner {
  /** The task has changed. */
  hear(record: TaskRecord): void;
  /** Ends the task before its time; `reason` is for the model. */
  stop(reason: string): Promise<void>;
}

/** The store and all who follow the tasks in it: every change goes through here, so that nobody misses one. */
export class TaskBoard {
  readonly store: TaskStore;
  /** The tasks that run in this process, by their ids. */
  readonly runs = new Map<string, TaskRunner>();
  readonly #changes: Changes;
  readonly #log: Log;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #sessions = new WeakMap<Session, string>();
  readonly #stopWatching: (() => void) | undefined;
  #waits = 0;

  constructor(store: TaskStore, changes: Changes, log: Log) {
    this.store = store;
    this.#changes = changes;
    this.#log = log;
    this.#stopWatching = store.watch?.((id) => void this.#lookAt(id));
  }

  /** Those who wait for a change of some task. */
  get waits(): number {
    return this.#waits;
  }

  /** Changes a task, and tells everybody. Undefined: there is no such task. */
  async change(id: string, to: (now: TaskRecord) => TaskRecord): Promise<TaskChange | undefined> {
    const change = await this.store.change(id, to);
    if (change?.isDone) this.#tell(id, change.record);
    return change;
  }

  /** Has something done at each change of a task, until the returned function is called. */
  wait(id: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(wake));
    this.#waits += 1;
    return () => {
      if (waiting.delete(wake)) this.#waits -= 1;
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  /** Whose a task of this far end is. */
  ownerOf({ principal, session }: { principal: string | undefined; session: Session }): TaskOwner {
    let id = this.#sessions.get(session);
    if (id === undefined) {
      id = crypto.randomUUID();
      this.#sessions.set(session, id);
    }
    return { principal, session: id };
  }

  async close(): Promise<void> {
    this.#stopWatching?.();
    await this.store.close?.();
  }

  /** Another process has changed a task. */
  async #lookAt(id: string): Promise<void> {
    try {
      const record = await this.store.get(id);
      if (record !== undefined) this.#tell(id, record);
    } catch (error) {
      this.#log({ level: "warning", message: `a change of task ${id} could not be looked at`, error });
    }
  }

  #tell(id: string, record: TaskRecord): void {
    this.runs.get(id)?.hear(record);
    for (const wake of this.#waiting.get(id) ?? []) wake();
    this.#changes.publish({ of: "task", id });
  }
}
