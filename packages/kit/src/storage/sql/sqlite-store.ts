import { realpath } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { TimeSlice } from "../../time/index.js";
import { type Database, migrate, openDatabase, type Statement, StorageError } from "../sqlite.js";
import type { Sql, SqlStore, StoreSchema } from "./sql.js";
import { Mutex, toDatabaseError } from "./sql.js";

/** How often a file is checked for changes by other processes. */
const LOOK_MS = 200;

/** The page cache: without it, random writes into a large file would reach the disk repeatedly. */
const CACHE_KIB = 32_768;

/** The number of pages in the log before a checkpoint: a page that is written often is copied once. */
const LOG_PAGES = 8000;

/** How long to wait for others who write, in all, and without doing anything else. */
const PATIENCE_MS = 15_000;
const STANDSTILL_MS = 20;

/** Opens a store in a SQLite file, and creates a missing file. */
export async function openSqliteStore(file: string, plan: StoreSchema): Promise<SqlStore> {
  try {
    const database = await openDatabase(file);
    database.exec(
      `PRAGMA foreign_keys = ON; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
    );
    migrate(database, plan.sqlite);
    database.exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    return new SqliteStore(database, plan, turnsOf(await realpath(file)));
  } catch (error) {
    throw toDatabaseError("open", plan.what, file, error);
  }
}

class SqliteStore implements SqlStore {
  readonly place: string;
  readonly #database: Database;
  readonly #plan: StoreSchema;
  readonly #sql: Sql;
  readonly #turns: Mutex;
  readonly #watchers = new Set<(seq: number) => void>();
  #look: NodeJS.Timeout | undefined;
  #notifiedSeq = 0;

  constructor(database: Database, plan: StoreSchema, turns: Mutex) {
    this.place = database.file;
    this.#plan = plan;
    this.#turns = turns;
    this.#database = database;
    this.#sql = toSql(database);
  }

  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#within("read", "BEGIN", work);
  }

  async write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const result = await this.#within("write", "BEGIN IMMEDIATE", work);
    if (this.#watchers.size > 0) void this.#notify();
    return result;
  }

  build(text: string): Promise<void> {
    return this.write(async (sql) => void (await sql.run(text)));
  }

  watch(changed: (seq: number) => void): () => void {
    this.#watchers.add(changed);
    this.#look ??= this.#startLooking();
    return () => {
      this.#watchers.delete(changed);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#look);
      this.#look = undefined;
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#look);
    this.#watchers.clear();
    await this.#turns.take(async () => this.#database.close());
  }

  async #within<Result>(operation: string, begin: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await this.#turns.take(() => this.#attempt(begin, work));
      } catch (error) {
        // Nothing was done yet: who writes has taken the lock with the first statement.
        if (!isLocked(error) || performance.now() > end)
          throw toDatabaseError(operation, this.#plan.what, this.place, error);
      }
      await wait(Math.random() * STANDSTILL_MS);
    }
  }

  async #attempt<Result>(begin: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    this.#database.exec(begin);
    try {
      const result = await work(this.#sql);
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already; the reason is what to report.
    }
  }

  #startLooking(): NodeJS.Timeout {
    const statement = this.#database.prepare("PRAGMA data_version");
    let version: unknown;
    const look = (): void => {
      const now = versionOf(statement);
      if (now === version) return;
      version = now;
      void this.#notify();
    };
    look();
    return setInterval(look, LOOK_MS).unref();
  }

  /** Runs in the background: if the file cannot be read, the next change includes this one. */
  async #notify(): Promise<void> {
    const row = await this.read((sql) => sql.get(this.#plan.newest)).catch(() => undefined);
    const seq = Number(row?.["seq"] ?? 0);
    if (seq <= this.#notifiedSeq) return;
    this.#notifiedSeq = seq;
    for (const changed of this.#watchers) changed(seq);
  }
}

/** A number that changes when other connections write; unchanged if the file cannot be read. */
function versionOf(statement: Statement): unknown {
  try {
    return statement.get()?.["data_version"];
  } catch {
    return undefined;
  }
}

const isLocked = (error: unknown): boolean => error instanceof StorageError && error.code === "LOCKED";

/** In one process two connections cannot wait for each other, so all of one file share a mutex. */
const turns = new Map<string, Mutex>();

function turnsOf(file: string): Mutex {
  const known = turns.get(file) ?? new Mutex();
  turns.set(file, known);
  return known;
}

/** Statements are compiled once. A transaction of many statements lets others be served in between. */
function toSql(database: Database): Sql {
  const slice = new TimeSlice();
  const known = new Map<string, Statement>();
  const prepared = (text: string): Statement => {
    const statement = known.get(text) ?? database.prepare(text);
    known.set(text, statement);
    return statement;
  };
  return {
    dialect: "sqlite",
    async all(text, ...values) {
      if (slice.isOver) await slice.next();
      return prepared(text).all(...values);
    },
    async get(text, ...values) {
      if (slice.isOver) await slice.next();
      return prepared(text).get(...values);
    },
    async run(text, ...values) {
      if (slice.isOver) await slice.next();
      return prepared(text).run(...values);
    },
  };
}
