import type { Database, Statement } from "@toolwright/kit/storage";

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
