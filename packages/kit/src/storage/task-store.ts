import type { Logger } from "@toolwright/engine";
import {
  interruptedTask,
  isFinalTask,
  type TaskLimits,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  type TaskStore,
  type TaskUpdate,
} from "@toolwright/engine/tasks";
import { migrate } from "./migrations.js";
import { HEARTBEAT_MS, ProcessLeases } from "./process-leases.js";
import { type Database, openDatabase } from "./sqlite.js";
import { StorageError } from "./storage-error.js";
import { TASK_MIGRATIONS, TaskTable } from "./task-table.js";

const DEFAULTS: TaskLimits = { tasks: 10_000, tasksPerOwner: 1000, bytes: 256 * 1024 * 1024 };
const WATCH_MS = 250;

/** How a durable task store differs from the usual. */
export interface TaskStoreOptions {
  readonly limits?: Partial<TaskLimits>;
  /** Where faults are told that no call can be told of. */
  readonly log?: Logger;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Opens a store that keeps tasks in a SQLite file, which several processes may share: what has ended outlives them all, and
 * what a process leaves unfinished when it ends is reported as failed. Throws `StorageError`.
 */
export async function openTaskStore(file: string, options: TaskStoreOptions = {}): Promise<TaskStore> {
  const database = await openDatabase(file);
  try {
    return createTaskStore(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same in a database that is open already, and that the store closes when it is closed. */
export function createTaskStore(database: Database, options: TaskStoreOptions = {}): TaskStore {
  migrate(database, TASK_MIGRATIONS);
  return new DurableTaskStore(database, options);
}

class DurableTaskStore implements TaskStore {
  readonly #database: Database;
  readonly #holders: ProcessLeases;
  readonly #table: TaskTable;
  readonly #log: Logger | undefined;
  readonly #now: () => number;
  readonly #heart: NodeJS.Timeout;
  readonly #listeners = new Set<(id: string) => void>();
  #watching: NodeJS.Timeout | undefined;
  #heardTurn = 0;
  #isClosed = false;

  constructor(database: Database, { limits, log, now = Date.now }: TaskStoreOptions) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
    this.#holders = new ProcessLeases(database, now);
    this.#table = new TaskTable(database, { ...DEFAULTS, ...limits }, this.#holders.id);
    this.#heart = setInterval(() => this.#inBackground(() => this.#beat()), HEARTBEAT_MS).unref();
    this.#sweep();
  }

  create(record: TaskRecord): void {
    this.#requireOpen();
    this.#sweep();
    this.#database.transaction(() => {
      // Others may have taken this process for gone meanwhile, and would then end the new task too.
      this.#holders.beat();
      this.#table.insert(record);
    });
  }

  get(id: string): TaskRecord | undefined {
    this.#requireOpen();
    const found = this.#table.find(id, this.#now());
    if (found === undefined || isFinalTask(found.record) || !this.#holders.isGone(found.holder)) return found?.record;
    this.#sweep();
    return this.#table.find(id, this.#now())?.record;
  }

  update(id: string, to: (now: TaskRecord) => TaskRecord): TaskUpdate | undefined {
    if (this.get(id) === undefined) return undefined;
    return this.#database.transaction(() => {
      const record = this.#table.find(id, this.#now())?.record;
      if (record === undefined) return undefined;
      const next = isFinalTask(record) ? record : to(record);
      if (next === record) return { record, isChanged: false };
      this.#table.replace(next);
      return { record: next, isChanged: true };
    });
  }

  list(owner: TaskOwner, after: TaskPosition | undefined, most: number): readonly TaskRecord[] {
    this.#requireOpen();
    this.#sweep();
    return this.#table.list(owner, after, most);
  }

  watch(listener: (id: string) => void): () => void {
    this.#requireOpen();
    if (this.#watching === undefined) {
      this.#heardTurn = this.#table.turn();
      this.#watching = setInterval(() => this.#inBackground(() => this.#hear()), WATCH_MS).unref();
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopWatching();
    };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#heart);
    this.#stopWatching();
    try {
      this.#end(this.#holders.id, (tool) => `The server was closed before the tool ${tool} had ended. ${LOOK_FIRST}`);
    } finally {
      this.#database.close();
    }
  }

  #beat(): void {
    this.#holders.beat();
    this.#sweep();
  }

  /** Forgets what has expired, and ends what nobody works on any more. */
  #sweep(): void {
    this.#table.forgetExpired(this.#now());
    for (const holder of this.#table.otherHolders()) {
      if (!this.#holders.isGone(holder)) continue;
      this.#end(holder, (tool) => `The process that ran the tool ${tool} ended before the tool did. ${LOOK_FIRST}`);
    }
  }

  #end(holder: string, reason: (tool: string) => string): void {
    this.#database.transaction(() => {
      for (const record of this.#table.unfinished(holder)) {
        // The change of nobody: those who wait in this process must hear of it too, and so must a holder that comes back.
        this.#table.replace(interruptedTask(record, reason(record.tool), this.#now()), NOBODY);
      }
      this.#holders.remove(holder);
    });
  }

  #hear(): void {
    const { turn, ids } = this.#table.changedSince(this.#heardTurn);
    this.#heardTurn = turn;
    for (const id of ids) for (const listener of this.#listeners) listener(id);
  }

  #stopWatching(): void {
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  /** No call waits for this work, so its faults go to the log; the next round tries again. */
  #inBackground(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#log?.({ level: "warning", message: "Cannot look after the stored tasks; trying again", error });
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StorageError("CLOSED", this.#database.file, "the task store was closed");
  }
}

const NOBODY = "";
const LOOK_FIRST = "It may have done a part of its work: look before you call it again.";
