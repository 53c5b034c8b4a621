import type { Logger } from "@toolwright/engine";
import {
  evictTasks,
  interruptedTask,
  isFinalTask,
  type TaskLimits,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  type TaskStore,
  type TaskUpdate,
  taskExpiry,
  taskOwnerKey,
} from "@toolwright/engine/tasks";
import { HEARTBEAT_MS, LEASES_TABLE, ProcessLeases } from "./process-leases.js";
import { type Database, migrate, openDatabase, type Row, type Statement, StorageError } from "./sqlite.js";

const DEFAULTS: TaskLimits = { tasks: 10_000, tasksPerOwner: 1000, bytes: 256 * 1024 * 1024 };
const WATCH_MS = 250;

/** How a durable task store differs from the usual. */
export interface TaskStoreOptions {
  readonly limits?: Partial<TaskLimits>;
  /** Logs errors that belong to no call. */
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
      // Others may have considered this process ended, and would then end the new task, too.
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
      this.#watching = setInterval(() => this.#inBackground(() => this.#readChanges()), WATCH_MS).unref();
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

  /** Deletes expired tasks, and ends those whose process has ended. */
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
        // A change without a writer: waiters in this process must be notified, too, and so must a holder that returns.
        this.#table.replace(interruptedTask(record, reason(record.tool), this.#now()), NOBODY);
      }
      this.#holders.remove(holder);
    });
  }

  #readChanges(): void {
    const { turn, ids } = this.#table.changedSince(this.#heardTurn);
    this.#heardTurn = turn;
    for (const id of ids) for (const listener of this.#listeners) listener(id);
  }

  #stopWatching(): void {
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  /** No call waits for this work, so its errors are logged; the next round retries. */
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

/** How the tables came to be, for `migrate`. */
const TASK_MIGRATIONS: readonly string[] = [
  `${LEASES_TABLE}
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, holder TEXT NOT NULL, writer TEXT NOT NULL, turn INTEGER NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER, final INTEGER NOT NULL, bytes INTEGER NOT NULL, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_owner ON tasks (owner, created_at, id);
  CREATE INDEX tasks_by_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX tasks_at_work ON tasks (holder) WHERE final = 0;
  CREATE INDEX tasks_by_turn ON tasks (turn, writer);
  CREATE TABLE totals (turn INTEGER NOT NULL, tasks INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
  INSERT INTO totals VALUES (0, 0, 0);
  CREATE TRIGGER tasks_come AFTER INSERT ON tasks
    BEGIN UPDATE totals SET tasks = tasks + 1, bytes = bytes + new.bytes; END;
  CREATE TRIGGER tasks_change AFTER UPDATE OF bytes ON tasks
    BEGIN UPDATE totals SET bytes = bytes - old.bytes + new.bytes; END;
  CREATE TRIGGER tasks_go AFTER DELETE ON tasks
    BEGIN UPDATE totals SET tasks = tasks - 1, bytes = bytes - old.bytes; END;`,
];

/** The rows of the tasks; what is written here is written within a transaction of the caller. */
class TaskTable {
  readonly #limits: TaskLimits;
  readonly #holder: string;
  readonly #statements: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(database: Database, limits: TaskLimits, holder: string) {
    this.#limits = limits;
    this.#holder = holder;
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
  }

  insert(record: TaskRecord): void {
    const text = JSON.stringify(record);
    const owner = taskOwnerKey(record);
    const bytes = Buffer.byteLength(text);
    this.#makeRoom(owner, 1, bytes);
    const { id, createdAt } = record;
    const { insert } = this.#statements;
    insert.run(id, owner, this.#holder, this.#holder, this.#nextTurn(), createdAt, expiry(record), 0, bytes, text);
  }

  /** `writer` made the change: all others are notified; without a writer, everyone is. */
  replace(record: TaskRecord, writer: string = this.#holder): void {
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text);
    // What ends a task without a result always has room, else a full store could never become empty.
    if (record.result !== undefined) {
      const before = Number(this.#statements.bytesOf.get(record.id)?.["bytes"]);
      this.#makeRoom(taskOwnerKey(record), 0, bytes - before);
    }
    const final = Number(isFinalTask(record));
    this.#statements.replace.run(writer, this.#nextTurn(), expiry(record), final, bytes, text, record.id);
  }

  /** The task and who works on it, unless its time is over. */
  find(id: string, now: number): { readonly record: TaskRecord; readonly holder: string } | undefined {
    const row = this.#statements.find.get(id, now);
    return row && { record: toRecord(row), holder: String(row["holder"]) };
  }

  list(owner: TaskOwner, after: TaskPosition | undefined, most: number): TaskRecord[] {
    const { createdAt, id } = after ?? { createdAt: -1, id: "" };
    return this.#statements.list.all(taskOwnerKey(owner), createdAt, id, most).map(toRecord);
  }

  forgetExpired(now: number): void {
    if (this.#statements.expired.get(now) !== undefined) this.#statements.forgetExpired.run(now);
  }

  /** Everybody else who has tasks here, or could have. */
  otherHolders(): string[] {
    return this.#statements.otherHolders.all(this.#holder, this.#holder).map((row) => String(row["holder"]));
  }

  unfinished(holder: string): TaskRecord[] {
    return this.#statements.unfinished.all(holder).map(toRecord);
  }

  /** A number that grows with each change. */
  turn(): number {
    return Number(this.#statements.turn.get()?.["turn"]);
  }

  /** The tasks that others have changed after a turn, and the last turn included. */
  changedSince(turn: number): { readonly turn: number; readonly ids: readonly string[] } {
    const newest = this.turn();
    if (newest === turn) return { turn, ids: [] };
    const rows = this.#statements.changed.all(turn, newest, this.#holder);
    return { turn: newest, ids: rows.map((row) => String(row["id"])) };
  }

  #nextTurn(): number {
    return Number(this.#statements.nextTurn.get()?.["turn"]);
  }

  #makeRoom(owner: string, more: number, grown: number): void {
    const held = this.#statements.load.get(owner);
    const load = {
      tasks: Number(held?.["tasks"]) + more,
      tasksPerOwner: Number(held?.["own"]) + more,
      bytes: Number(held?.["bytes"]) + grown,
    };
    for (const id of evictTasks(load, this.#limits, this.#finals(owner))) this.#statements.forget.run(id);
  }

  /** Final tasks, those of one owner first, older ones before newer ones. */
  *#finals(owner: string): Iterable<{ id: string; bytes: number; isOwn: boolean }> {
    for (const row of this.#statements.finals.all(owner)) {
      yield { id: String(row["id"]), bytes: Number(row["bytes"]), isOwn: row["own"] === 1 };
    }
  }
}

const SQL = {
  insert: "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  replace: "UPDATE tasks SET writer = ?, turn = ?, expires_at = ?, final = ?, bytes = ?, record = ? WHERE id = ?",
  find: "SELECT record, holder FROM tasks WHERE id = ? AND coalesce(expires_at > ?, 1)",
  list: "SELECT record FROM tasks WHERE owner = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?",
  expired: "SELECT 1 FROM tasks WHERE expires_at <= ? LIMIT 1",
  forgetExpired: "DELETE FROM tasks WHERE expires_at <= ?",
  forget: "DELETE FROM tasks WHERE id = ?",
  otherHolders:
    "SELECT id AS holder FROM holders WHERE id <> ? UNION SELECT holder FROM tasks WHERE final = 0 AND holder <> ?",
  unfinished: "SELECT record FROM tasks WHERE holder = ? AND final = 0",
  bytesOf: "SELECT bytes FROM tasks WHERE id = ?",
  load: "SELECT tasks, bytes, (SELECT count(*) FROM tasks WHERE owner = ?) AS own FROM totals",
  finals: "SELECT id, bytes, owner = ? AS own FROM tasks WHERE final = 1 ORDER BY own DESC, created_at, id",
  turn: "SELECT turn FROM totals",
  nextTurn: "UPDATE totals SET turn = turn + 1 RETURNING turn",
  changed: "SELECT id FROM tasks WHERE turn > ? AND turn <= ? AND writer <> ? ORDER BY turn",
} as const;

const toRecord = (row: Row): TaskRecord => JSON.parse(String(row["record"])) as TaskRecord;

function expiry(record: TaskRecord): number | null {
  const at = taskExpiry(record);
  return at === Infinity ? null : at;
}
