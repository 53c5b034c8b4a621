import {
  evictTasks,
  isFinalTask,
  type TaskLimits,
  type TaskOwner,
  type TaskPosition,
  type TaskRecord,
  taskExpiry,
  taskOwnerKey,
} from "@toolwright/engine/tasks";
import { LEASES_TABLE } from "./process-leases.js";
import type { Database, Row, Statement } from "./sqlite.js";

/** How the tables came to be, for `migrate`. */
export const TASK_MIGRATIONS: readonly string[] = [
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
export class TaskTable {
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

  /** `writer` is whose change it is: everybody else hears of it, and of the change of nobody all do. */
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

  /** The tasks that others have changed after a turn, and the turn up to which that is told. */
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
