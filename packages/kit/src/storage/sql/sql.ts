import { existsSync } from "node:fs";
import { ToolError } from "@toolwright/engine";
import type { Value } from "../sqlite.js";

/** Whether a database is a file that does not exist yet; a server is checked when it is opened. */
export const isMissing = (database: string): boolean => !isDatabaseUrl(database) && !existsSync(database);

/** Opens a store in a SQLite file or in the PostgreSQL database of a URL. */
export async function openSqlStore(database: string, plan: StoreSchema): Promise<SqlStore> {
  if (isDatabaseUrl(database)) return (await import("./postgres-store.js")).openPostgresStore(database, plan);
  return (await import("./sqlite-store.js")).openSqliteStore(database, plan);
}

/** What a column can hold. */
export type SqlValue = Value;

/** A row, by the names of its columns. */
export type SqlRow = Record<string, SqlValue>;

/**
 * Asks the database inside one transaction. The text is SQL that SQLite and PostgreSQL both take, with `?` for each value; where
 * they differ, `dialect` tells which one it is.
 */
export interface Sql {
  readonly dialect: "sqlite" | "postgres";
  all(text: string, ...values: SqlValue[]): Promise<SqlRow[]>;
  get(text: string, ...values: SqlValue[]): Promise<SqlRow | undefined>;
  /** Returns the number of changed rows. */
  run(text: string, ...values: SqlValue[]): Promise<number>;
}

/** The schema of a store: its tables in both dialects, and its name for people. */
export interface StoreSchema {
  /** In messages: "Cannot open the tasks in …". */
  readonly what: string;
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
  /** The PostgreSQL schema of all tables: a database may have others. */
  readonly schema: string;
  /** The lock that one writer has at a time in PostgreSQL: any number that others are unlikely to take. */
  readonly lock: number;
  /** Asks for the number `seq` of the newest change. */
  readonly newest: string;
  /**
   * Prepares what the tables need from a PostgreSQL server, such as an extension. Throws an `Error` that says what to do, with the
   * error of the driver as its `cause`. May run more than once: the set-up is retried after a conflict with another session.
   */
  readonly prepare?: ((sql: Sql) => Promise<void>) | undefined;
  /** PostgreSQL schemas of the extensions that the tables need. */
  readonly path?: readonly string[] | undefined;
}

/** A database that several processes may use at once. Its errors are `ToolError`s. */
export interface SqlStore {
  /** Reads a consistent snapshot. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Does all of the work or nothing of it, and one such work at a time in all processes. What it resolved to is kept for good. */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs one statement without a transaction and without a time limit, while others write: to create an index. */
  build(text: string): Promise<void>;
  /**
   * Hears of changes by whatever process, soon after they were made, and at the start of those that are there already. Ends with
   * the function that it gives.
   */
  watch(changed: (seq: number) => void): () => void;
  /** Its location for messages, without password. */
  readonly place: string;
  close(): Promise<void>;
}

/** What went wrong with the database, in plain words; what the work itself has thrown stays as it is. */
export function toDatabaseError(operation: string, what: string, place: string, error: unknown): unknown {
  if (error instanceof ToolError || !(error instanceof Error)) return error;
  const reason = error.message.replace(`Cannot use the file ${place}: `, "");
  return new ToolError(`Cannot ${operation} ${what} in ${place}: ${reason}`, { code: "UNAVAILABLE", cause: error });
}

/** Values that one statement has at most. */
const MOST_VALUES = 1000;

/** Inserts rows. For a PostgreSQL server many are combined, because each statement is a round trip. */
export async function insertRows(
  sql: Sql,
  /** As far as `VALUES`, which is left out. */
  into: string,
  rows: readonly (readonly SqlValue[])[],
  /** The SQL after the values. */
  end = "",
): Promise<void> {
  const width = rows[0]?.length ?? 1;
  const together = sql.dialect === "postgres" ? Math.max(1, Math.floor(MOST_VALUES / width)) : 1;
  const marks = `(${Array.from({ length: width }, () => "?").join(", ")})`;
  for (let at = 0; at < rows.length; at += together) {
    const some = rows.slice(at, at + together);
    await sql.run(`${into} VALUES ${some.map(() => marks).join(", ")} ${end}`, ...some.flat());
  }
}

/** Whether the name of a database is the address of a server, and not a file. */
export const isDatabaseUrl = (database: string): boolean => /^postgres(?:ql)?:\/\//.test(database);

/** Runs one task at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
