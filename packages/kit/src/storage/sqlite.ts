import { closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** What a column can hold. */
export type Value = string | number | null | Uint8Array;

/** A row, by the names of its columns. */
export type Row = Record<string, Value>;

/** A statement that was compiled once. */
export interface Statement {
  /** Returns the number of changed rows. */
  run(...values: Value[]): number;
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
}

/** The part of `node:sqlite` that is used here; both drivers have it. */
interface Driver {
  readonly DatabaseSync: new (file: string) => DriverDatabase;
}

interface DriverDatabase {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: Value[]): { changes: number | bigint };
    get(...values: Value[]): unknown;
    all(...values: Value[]): unknown[];
  };
  close(): void;
}

const PATIENCE_MS = 5000;
const ATTEMPTS = 20;

/** A SQLite file that several processes may have open at once. Every error is a `StorageError`. */
export class Database {
  readonly file: string;
  readonly #inner: DriverDatabase;
  #isOpen = true;

  /** Use `openDatabase`. */
  constructor(file: string, inner: DriverDatabase) {
    this.file = file;
    this.#inner = inner;
  }

  exec(sql: string): void {
    this.#attempt(() => this.#inner.exec(sql));
  }

  prepare(sql: string): Statement {
    const statement = this.#attempt(() => this.#inner.prepare(sql));
    return {
      run: (...values) => Number(this.#attempt(() => statement.run(...values)).changes),
      get: (...values) => this.#attempt(() => statement.get(...values)) as Row | undefined,
      all: (...values) => this.#attempt(() => statement.all(...values)) as Row[],
    };
  }

  /** Does all of the work or nothing of it. The lock is taken at once: one that is taken halfway can be refused halfway. */
  transaction<Result>(work: () => Result): Result {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#checkpoint();
    this.#attempt(() => this.#inner.close());
    this.#isOpen = false;
  }

  /**
   * Moves everything from the log into the main file, so that a copy of that file is complete. SQLite does this itself when the last
   * connection closes, but only if no statement is left, and one of the drivers keeps them.
   */
  #checkpoint(): void {
    try {
      this.#inner.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The log has it all, for example if the disk is full.
    }
  }

  #rollBack(): void {
    try {
      this.#inner.exec("ROLLBACK");
    } catch (error) {
      // After some faults, such as a full disk, SQLite has rolled back by itself.
      if (!String(error).includes("no transaction is active")) throw toStorageError(this.file, error);
    }
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toStorageError(this.file, error);
    }
  }
}

/**
 * Opens a SQLite file, and creates it if it is missing: readable by its user only, like its new folders.
 * `busyTimeoutMs` is how long to wait for a lock of others.
 */
export async function openDatabase(file: string, busyTimeoutMs: number = PATIENCE_MS): Promise<Database> {
  try {
    const driver = await loadDriver();
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // SQLite would make it readable for others; its side files then have the mode of this one.
    closeSync(openSync(file, "a", 0o600));
    const database = new Database(file, new driver.DatabaseSync(file));
    await prepareForSharing(database, busyTimeoutMs);
    return database;
  } catch (error) {
    throw toStorageError(file, error);
  }
}

/** The change to WAL needs exclusive access and does not wait for it, so it is retried if others open the file, too. */
async function prepareForSharing(database: Database, busyTimeoutMs: number): Promise<void> {
  const pauseMs = Math.ceil(busyTimeoutMs / ATTEMPTS / 2);
  database.exec(`PRAGMA busy_timeout = ${pauseMs}`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      // FULL writes each transaction to the disk before it returns, so that what was acknowledged survives a power loss.
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || toStorageError(database.file, error).code !== "LOCKED") {
        database.close();
        throw error;
      }
      await wait(pauseMs);
    }
  }
}

/**
 * Node's own SQLite if it has one. Otherwise a package with the same interface: the one that npm installs on these versions of Node, or
 * the one that a user has installed.
 */
async function loadDriver(): Promise<Driver> {
  return loadBuiltIn() ?? (await import("@toolwright/sqlite").catch(() => import("@photostructure/sqlite")));
}

/** Node 22 warns on stderr that its SQLite may still change; only this warning is suppressed. */
function loadBuiltIn(): Driver | undefined {
  const warn = Reflect.get(process, "emitWarning") as (...warning: unknown[]) => void;
  const warnOfOthers = (...warning: unknown[]) => {
    const isExpected = warning[1] === "ExperimentalWarning" && String(warning[0]).startsWith("SQLite ");
    if (!isExpected) Reflect.apply(warn, process, warning);
  };
  Reflect.set(process, "emitWarning", warnOfOthers);
  try {
    return process.getBuiltinModule("node:sqlite") as unknown as Driver | undefined;
  } finally {
    Reflect.set(process, "emitWarning", warn);
  }
}

/**
 * Brings a database to the newest form: step n of the list leads to form n, and each is taken once. Steps are only ever
 * added; a file of a newer form than this program knows is left alone.
 */
export function migrate(database: Database, steps: readonly string[]): void {
  if (formOf(database) === steps.length) return;
  database.transaction(() => {
    // Read again: another process may have done it while this one waited for the lock.
    const form = formOf(database);
    if (form > steps.length) {
      throw new StorageError(
        "NEWER",
        database.file,
        `it has schema version ${form}, and this version supports up to ${steps.length}. Update toolwright, or name another file`,
      );
    }
    database.exec("CREATE TABLE IF NOT EXISTS forms (form INTEGER PRIMARY KEY, since TEXT NOT NULL) STRICT");
    const note = database.prepare("INSERT INTO forms VALUES (?, ?)");
    for (const [index, sql] of steps.slice(form).entries()) {
      database.exec(sql);
      note.run(form + index + 1, new Date().toISOString());
    }
  });
}

function formOf(database: Database): number {
  const table = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'forms'").get();
  if (table === undefined) return 0;
  return Number(database.prepare("SELECT max(form) AS form FROM forms").get()?.["form"] ?? 0);
}

/** What kept a storage file from being used. */
type StorageFault = "LOCKED" | "READ_ONLY" | "FULL" | "CORRUPT" | "NEWER" | "CLOSED" | "UNUSABLE";

/** A storage file cannot be used; its content is unchanged. The message is for the operator of the server. */
export class StorageError extends Error {
  readonly code: StorageFault;

  constructor(code: StorageFault, file: string, reason: string, cause?: unknown) {
    super(`Cannot use the file ${file}: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "StorageError";
    this.code = code;
  }
}

const REASONS: Partial<Record<StorageFault, string>> = {
  LOCKED: "another process keeps it locked. Try again, or look which process has it open",
  READ_ONLY: "it may not be written. Check the permissions of the file and of its folder",
  FULL: "the disk is full. What was stored before is still there; make room and try again",
  CORRUPT: "it is damaged, or no SQLite file. It was left as it is; move it away or restore a copy",
};

/** `SQLITE_IOERR_SHMSIZE`: there is no room for the index of the write-ahead log, which SQLite makes when it opens a file. */
const NO_ROOM_FOR_LOG_INDEX = 4874;

// The primary result codes of SQLite, and extended ones that say more.
const SQLITE_FAULTS = new Map<number, StorageFault>([
  [5, "LOCKED"],
  [6, "LOCKED"],
  [8, "READ_ONLY"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [NO_ROOM_FOR_LOG_INDEX, "FULL"],
  [26, "CORRUPT"],
]);

const SYSTEM_FAULTS = new Map<string, StorageFault>([
  ["EACCES", "READ_ONLY"],
  ["EPERM", "READ_ONLY"],
  ["EROFS", "READ_ONLY"],
  ["ENOSPC", "FULL"],
  ["EDQUOT", "FULL"],
]);

/** Converts an error of SQLite or the operating system into a message. */
export function toStorageError(file: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  const fault =
    (typeof errcode === "number"
      ? (SQLITE_FAULTS.get(errcode) ?? SQLITE_FAULTS.get(errcode & 0xff))
      : SYSTEM_FAULTS.get(String(code))) ?? "UNUSABLE";
  const said = error instanceof Error ? error.message : String(error);
  return new StorageError(fault, file, REASONS[fault] ?? said, error);
}
