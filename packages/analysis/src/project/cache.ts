import { rmSync } from "node:fs";
import path from "node:path";
import type { PackHost } from "@toolwright/engine";
import type { FileContents } from "@toolwright/kit/files";
import { type Database, migrate, openDatabase, type Statement, toStorageError } from "@toolwright/kit/storage";

/** A result that was computed from a content. */
export interface CachedText {
  /** The hash of the content. */
  readonly hash: string;
  /** What the result is, with language and version. */
  readonly name: string;
  readonly value: string;
}

/** The content that a file had when it was read. */
export interface CachedFile {
  readonly realPath: string;
  /** As long as it is the same, so is the content. */
  readonly stamp: string;
  readonly hash: string;
}

/** The schema, as steps for `migrate`. */
export const CACHE_STEPS: readonly string[] = [
  `CREATE TABLE texts (
    hash TEXT NOT NULL, name TEXT NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL, value TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX texts_by_hash ON texts (hash, name);
  CREATE INDEX texts_by_use ON texts (used, bytes);
  CREATE TABLE files (place TEXT PRIMARY KEY, stamp TEXT NOT NULL, hash TEXT NOT NULL, used INTEGER NOT NULL) STRICT;
  CREATE INDEX files_by_use ON files (used);`,
];

const SQL = {
  anyFile: "SELECT hash FROM files LIMIT 1",
  file: "SELECT hash, used FROM files WHERE place = ? AND stamp = ?",
  text: "SELECT value, used FROM texts WHERE hash = ? AND name = ?",
  keepText: "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?)",
  keepFile: "INSERT OR REPLACE INTO files (place, stamp, hash, used) VALUES (?, ?, ?, ?)",
  useText: "UPDATE texts SET used = ? WHERE hash = ? AND name = ?",
  useFile: "UPDATE files SET used = ? WHERE place = ?",
  bytes: "SELECT sum(bytes) AS bytes FROM texts",
  files: "SELECT count(*) AS files FROM files",
  deleteTexts: "DELETE FROM texts WHERE rowid IN (SELECT rowid FROM texts ORDER BY used, rowid LIMIT ?)",
  deleteFiles: "DELETE FROM files WHERE rowid IN (SELECT rowid FROM files ORDER BY used, rowid LIMIT ?)",
} as const;

/** Above these sizes the least recently used rows are deleted, until a tenth is free. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 500_000;
const DELETE_BATCH = 1000;
const DAY_MS = 86_400_000;

/** The rows of the cache. */
export class CacheTables {
  readonly #database: Database;
  readonly #statements: Readonly<Record<keyof typeof SQL, Statement>>;
  readonly #max: { readonly bytes: number; readonly files: number };
  /** Rows that were first used today; the next write records it. */
  readonly #used = new Map<string, readonly [sql: "useText" | "useFile", ...keys: string[]]>();
  /** How much was added since the size was last checked. */
  #added = Number.POSITIVE_INFINITY;

  constructor(database: Database, max = { bytes: MAX_BYTES, files: MAX_FILES }) {
    this.#database = database;
    this.#max = max;
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
  }

  hasFiles(): boolean {
    return this.#statements.anyFile.get() !== undefined;
  }

  hashOf(realPath: string, stamp: string): string | undefined {
    const row = this.#statements.file.get(realPath, stamp);
    if (row === undefined) return undefined;
    if (row["used"] !== today()) this.#used.set(realPath, ["useFile", realPath]);
    return String(row["hash"]);
  }

  text(hash: string, name: string): string | undefined {
    const row = this.#statements.text.get(hash, name);
    if (row === undefined) return undefined;
    if (row["used"] !== today()) this.#used.set(`${hash} ${name}`, ["useText", hash, name]);
    return String(row["value"]);
  }

  write(texts: readonly CachedText[], files: readonly CachedFile[]): void {
    if (texts.length === 0 && files.length === 0 && this.#used.size === 0) return;
    const day = today();
    this.#database.transaction(() => {
      for (const { hash, name, value } of texts) {
        this.#statements.keepText.run(hash, name, day, value.length, value);
        this.#added += value.length;
      }
      for (const { realPath, stamp, hash } of files) this.#statements.keepFile.run(realPath, stamp, hash, day);
      for (const [sql, ...keys] of this.#used.values()) this.#statements[sql].run(day, ...keys);
      if (this.#added > this.#max.bytes / 16) this.#deleteOldest();
    });
    this.#used.clear();
  }

  #deleteOldest(): void {
    this.#added = 0;
    const { bytes, files } = this.#max;
    const size = (): number => Number(this.#statements.bytes.get()?.["bytes"] ?? 0);
    if (size() > bytes) while (size() > bytes * 0.9 && this.#statements.deleteTexts.run(DELETE_BATCH) > 0);
    const excess = Number(this.#statements.files.get()?.["files"] ?? 0) - files;
    if (excess > 0) this.#statements.deleteFiles.run(Math.ceil(excess + files / 10));
  }
}

const today = (): number => Math.floor(Date.now() / DAY_MS);

/** How much is buffered: a transaction for each text would take longer than computing it. */
const MAX_BUFFERED_TEXTS = 200;
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** How long to wait for a process that has locked the file: waiting longer costs more than the cache saves. */
const LOCK_TIMEOUT_MS = 300;

/**
 * Results by the hash of the content they were computed from, and the content of each file. Several processes share it. It never
 * fails: if the file cannot be used, nothing is known.
 */
export class Cache {
  readonly #file: string;
  readonly #host: Pick<PackHost, "log">;
  readonly #logged = new Set<string>();
  #database: Database | undefined;
  #tables: CacheTables | undefined;
  /** By hash and name: buffered texts can be read, too. */
  #texts = new Map<string, CachedText>();
  #files: CachedFile[] = [];
  #bufferedBytes = 0;

  constructor(folder: string, host: Pick<PackHost, "log">) {
    this.#file = path.join(folder, "facts.db");
    this.#host = host;
  }

  /** Opens the file if it is not open, and again after a failure. */
  async open(): Promise<void> {
    if (this.#tables !== undefined) return;
    for (const isLast of [false, true]) {
      try {
        const database = await openDatabase(this.#file, LOCK_TIMEOUT_MS);
        // Another call may have opened it meanwhile.
        if (this.#tables !== undefined) return database.close();
        this.#database = database;
        // What a power loss takes from the cache is computed again.
        database.exec("PRAGMA synchronous = NORMAL");
        migrate(database, CACHE_STEPS);
        this.#tables = new CacheTables(database);
        return;
      } catch (error) {
        if (this.#handleError(error) !== "CORRUPT" || isLast) return;
      }
    }
  }

  /** Whether any file is known. */
  hasFiles(): boolean {
    return this.#try((tables) => tables.hasFiles()) ?? false;
  }

  /** The hash of the content of a file, if its stamp is the same as when it was read. */
  hashOf(realPath: string, stamp: string): string | undefined {
    return this.#try((tables) => tables.hashOf(realPath, stamp));
  }

  /** A result for a content. */
  text(hash: string, name: string): string | undefined {
    return this.#texts.get(`${hash} ${name}`)?.value ?? this.#try((tables) => tables.text(hash, name));
  }

  keepText(text: CachedText): void {
    if (this.#tables === undefined) return;
    this.#texts.set(`${text.hash} ${text.name}`, text);
    this.#bufferedBytes += text.value.length;
    if (this.#texts.size >= MAX_BUFFERED_TEXTS || this.#bufferedBytes >= MAX_BUFFERED_BYTES) this.flush();
  }

  keepFile(file: CachedFile): void {
    if (this.#tables !== undefined) this.#files.push(file);
  }

  /** Writes what is buffered. */
  flush(): void {
    const [texts, files] = [[...this.#texts.values()], this.#files];
    this.#texts = new Map();
    this.#files = [];
    this.#bufferedBytes = 0;
    this.#try((tables) => tables.write(texts, files));
  }

  close(): void {
    this.flush();
    this.#closeDatabase();
  }

  #try<Value>(action: (tables: CacheTables) => Value): Value | undefined {
    const tables = this.#tables;
    if (tables === undefined) return undefined;
    try {
      return action(tables);
    } catch (error) {
      this.#handleError(error);
      return undefined;
    }
  }

  /** Continues without the file. A damaged one is deleted, since everything in it can be computed again. */
  #handleError(error: unknown): string {
    const failure = toStorageError(this.#file, error);
    // The process that has locked it is writing the same results.
    if (failure.code === "LOCKED" && this.#tables !== undefined) return failure.code;
    this.#closeDatabase();
    if (failure.code === "CORRUPT") deleteDatabase(this.#file);
    // Other stores keep a damaged file; the advice of that error does not apply here.
    const entry =
      failure.code === "CORRUPT"
        ? { message: "The analysis cache was damaged and has been deleted", error: failure.cause }
        : { message: "Cannot use the analysis cache; every file is read again", error: failure };
    if (!this.#logged.has(failure.code)) this.#host.log({ level: "warning", ...entry });
    this.#logged.add(failure.code);
    return failure.code;
  }

  #closeDatabase(): void {
    this.#tables = undefined;
    try {
      this.#database?.close();
    } catch {
      // Nothing in it is needed.
    }
    this.#database = undefined;
  }
}

function deleteDatabase(file: string): void {
  try {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  } catch {
    // The next process to open it reports the damage again.
  }
}

/** File metadata that changes whenever the content does. */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino }: FileContents["stats"]): string =>
  `${size} ${mtimeMs} ${ctimeMs} ${ino}`;

/** The resolution of file times: milliseconds on current file systems, up to two seconds on some old ones. */
const FINE_MS = 100;
const COARSE_MS = 2000;

/**
 * Whether a stamp that was taken before reading stands for the content that was read. A file that is written twice within the
 * resolution of its times has the same stamp, so one that was changed just now has to be read again next time.
 */
export function isSettled({ mtimeMs, ctimeMs }: FileContents["stats"], readAt: number): boolean {
  const isCoarse = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0;
  return Math.max(mtimeMs, ctimeMs) < readAt - (isCoarse ? COARSE_MS : FINE_MS);
}
