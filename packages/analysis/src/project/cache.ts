import { rmSync } from "node:fs";
import path from "node:path";
import type { PackHost } from "@toolwright/engine";
import type { FileContents } from "@toolwright/kit/files";
import { type Database, migrate, openDatabase, type Statement, toStorageError } from "@toolwright/kit/storage";

/** Something that was told of a text. */
export interface KeptText {
  readonly hash: string;
  /** What was told; it says the language and the version too. */
  readonly name: string;
  readonly value: string;
}

/** What a file held when it was read. */
export interface KeptFile {
  readonly place: string;
  /** What the system says of the file: as long as that is the same, so is what it holds. */
  readonly stamp: string;
  readonly hash: string;
}

/** How the tables came to be, for `migrate`. */
export const CACHE_STEPS: readonly string[] = [
  `CREATE TABLE texts (
    hash TEXT NOT NULL, name TEXT NOT NULL, used INTEGER NOT NULL, bytes INTEGER NOT NULL, value TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX texts_by_hash ON texts (hash, name);
  CREATE INDEX texts_by_use ON texts (used, bytes);
  CREATE TABLE files (place TEXT PRIMARY KEY, stamp TEXT NOT NULL, hash TEXT NOT NULL, used INTEGER NOT NULL) STRICT;
  CREATE INDEX files_by_use ON files (used);`,
];

/** Above this the oldest go, until a tenth of it is free. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 500_000;
const AT_ONCE = 1000;
const DAY_MS = 86_400_000;

/** The rows of the cache. */
export class CacheTables {
  readonly #database: Database;
  readonly #statements: Readonly<Record<keyof typeof SQL, Statement>>;
  readonly #most: { readonly bytes: number; readonly files: number };
  /** Those that were used today for the first time; their rows say so with the next write. */
  readonly #used = new Map<string, readonly [sql: "useText" | "useFile", ...keys: string[]]>();
  /** How much was added since it was last looked whether there is too much. */
  #added = Number.POSITIVE_INFINITY;

  constructor(database: Database, most = { bytes: MOST_BYTES, files: MOST_FILES }) {
    this.#database = database;
    this.#most = most;
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
  }

  /** Whether there are files of which the content is known. */
  knowsFiles(): boolean {
    return this.#statements.anyFile.get() !== undefined;
  }

  hashOf(place: string, stamp: string): string | undefined {
    const row = this.#statements.file.get(place, stamp);
    if (row === undefined) return undefined;
    if (row["used"] !== today()) this.#used.set(place, ["useFile", place]);
    return String(row["hash"]);
  }

  text(hash: string, name: string): string | undefined {
    const row = this.#statements.text.get(hash, name);
    if (row === undefined) return undefined;
    if (row["used"] !== today()) this.#used.set(`${hash} ${name}`, ["useText", hash, name]);
    return String(row["value"]);
  }

  keep(texts: readonly KeptText[], files: readonly KeptFile[]): void {
    if (texts.length === 0 && files.length === 0 && this.#used.size === 0) return;
    const day = today();
    this.#database.transaction(() => {
      for (const { hash, name, value } of texts) {
        this.#statements.keepText.run(hash, name, day, value.length, value);
        this.#added += value.length;
      }
      for (const { place, stamp, hash } of files) this.#statements.keepFile.run(place, stamp, hash, day);
      for (const [sql, ...keys] of this.#used.values()) this.#statements[sql].run(day, ...keys);
      if (this.#added > this.#most.bytes / 16) this.#forgetOldest();
    });
    this.#used.clear();
  }

  #forgetOldest(): void {
    this.#added = 0;
    const { bytes, files } = this.#most;
    const held = (): number => Number(this.#statements.bytes.get()?.["bytes"] ?? 0);
    if (held() > bytes) while (held() > bytes * 0.9 && this.#statements.forgetTexts.run(AT_ONCE) > 0);
    const more = Number(this.#statements.files.get()?.["files"] ?? 0) - files;
    if (more > 0) this.#statements.forgetFiles.run(Math.ceil(more + files / 10));
  }
}

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
  forgetTexts: "DELETE FROM texts WHERE rowid IN (SELECT rowid FROM texts ORDER BY used, rowid LIMIT ?)",
  forgetFiles: "DELETE FROM files WHERE rowid IN (SELECT rowid FROM files ORDER BY used, rowid LIMIT ?)",
} as const;

const today = (): number => Math.floor(Date.now() / DAY_MS);

/** How much is written at once: a transaction for each text would take longer than reading it. */
const MOST_WAITING = 200;
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/** How long others who have the file locked are waited for; a cache is not worth more. */
const PATIENCE_MS = 300;

/**
 * What was told of texts, kept by the hash of their content, and which content the files had. Several processes share it. It never
 * fails: where it cannot be used, nothing is known.
 */
export class Cache {
  readonly #file: string;
  readonly #host: Pick<PackHost, "log">;
  readonly #said = new Set<string>();
  #database: Database | undefined;
  #tables: CacheTables | undefined;
  /** By hash and name, for what waits is known already. */
  #texts = new Map<string, KeptText>();
  #files: KeptFile[] = [];
  #waitingBytes = 0;

  /** `state` is the folder in which it lies. */
  constructor(state: string, host: Pick<PackHost, "log">) {
    this.#file = path.join(state, "facts.db");
    this.#host = host;
  }

  /** Opens it, unless it is open; tries again where that has failed before. */
  async open(): Promise<void> {
    if (this.#tables !== undefined) return;
    for (const isLast of [false, true]) {
      try {
        const database = await openDatabase(this.#file, PATIENCE_MS);
        // Another call may have opened it meanwhile.
        if (this.#tables !== undefined) return database.close();
        this.#database = database;
        migrate(database, CACHE_STEPS);
        this.#tables = new CacheTables(database);
        return;
      } catch (error) {
        if (this.#leave(error) !== "CORRUPT" || isLast) return;
      }
    }
  }

  /** Whether it is worth asking for files: at first nothing is known. */
  knowsFiles(): boolean {
    return this.#attempt((tables) => tables.knowsFiles()) ?? false;
  }

  /** The hash of what a file holds, if it is the same file as when it was read. */
  hashOf(place: string, stamp: string): string | undefined {
    return this.#attempt((tables) => tables.hashOf(place, stamp));
  }

  /** One thing that was told of a text, as JSON. */
  text(hash: string, name: string): string | undefined {
    return this.#texts.get(`${hash} ${name}`)?.value ?? this.#attempt((tables) => tables.text(hash, name));
  }

  keepText(text: KeptText): void {
    if (this.#tables === undefined) return;
    this.#texts.set(`${text.hash} ${text.name}`, text);
    this.#waitingBytes += text.value.length;
    if (this.#texts.size >= MOST_WAITING || this.#waitingBytes >= MOST_WAITING_BYTES) this.flush();
  }

  keepFile(file: KeptFile): void {
    if (this.#tables !== undefined) this.#files.push(file);
  }

  /** Writes what waits to be written. */
  flush(): void {
    const [texts, files] = [[...this.#texts.values()], this.#files];
    this.#texts = new Map();
    this.#files = [];
    this.#waitingBytes = 0;
    this.#attempt((tables) => tables.keep(texts, files));
  }

  close(): void {
    this.flush();
    this.#shut();
  }

  #attempt<Value>(deed: (tables: CacheTables) => Value): Value | undefined {
    const tables = this.#tables;
    if (tables === undefined) return undefined;
    try {
      return deed(tables);
    } catch (error) {
      this.#leave(error);
      return undefined;
    }
  }

  /** Goes on without the file; one that is damaged is thrown away, for all in it can be read again. */
  #leave(error: unknown): string {
    const fault = toStorageError(this.#file, error);
    // Whoever has it locked is writing the same things.
    if (fault.code === "LOCKED" && this.#tables !== undefined) return fault.code;
    this.#shut();
    if (fault.code === "CORRUPT") throwAway(this.#file);
    // A cache is not left as it is, as other stores are that are damaged: what that fault advises does not hold here.
    const entry =
      fault.code === "CORRUPT"
        ? { message: "The cache of analyses was damaged; it is made anew", error: fault.cause }
        : { message: "Cannot use the cache of analyses; every file is read anew", error: fault };
    if (!this.#said.has(fault.code)) this.#host.log({ level: "warning", ...entry });
    this.#said.add(fault.code);
    return fault.code;
  }

  #shut(): void {
    this.#tables = undefined;
    try {
      this.#database?.close();
    } catch {
      // Nothing that is in it is needed.
    }
    this.#database = undefined;
  }
}

function throwAway(file: string): void {
  try {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  } catch {
    // Then the next one to open it finds it damaged again, and says so.
  }
}

/** What the system says of a file that changes whenever its content does. */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino }: FileContents["stats"]): string =>
  `${size} ${mtimeMs} ${ctimeMs} ${ino}`;

/** How long a clock of a file system may stand still: those of today tick in milliseconds, some old ones every two seconds. */
const FINE_MS = 100;
const COARSE_MS = 2000;

/**
 * Whether a stamp that was taken before the content was read stands for that content. A file may be written again within one tick
 * of the clock, and then looks the same; so what was changed just now has to be read again next time.
 */
export function isSettled({ mtimeMs, ctimeMs }: FileContents["stats"], readAt: number): boolean {
  const changed = Math.max(mtimeMs, ctimeMs);
  const isCoarse = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0;
  return changed < readAt - (isCoarse ? COARSE_MS : FINE_MS);
}
