import { createHash } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Database, Statement } from "@toolwright/kit/storage";

/** The table of the contents that are kept. */
export const BLOBS_TABLE = `
  CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
  CREATE INDEX blobs_bytes ON blobs (bytes);
`;

/** Old and new contents of files, by their hashes: a file each, readable by its user only. */
export class Blobs {
  readonly #folder: string;
  readonly #database: Database;
  readonly #statements: Record<keyof typeof SQL, Statement>;

  constructor(folder: string, database: Database) {
    this.#folder = folder;
    this.#database = database;
    this.#statements = {
      add: database.prepare(SQL.add),
      find: database.prepare(SQL.find),
      total: database.prepare(SQL.total),
      unnamed: database.prepare(SQL.unnamed),
      forget: database.prepare(SQL.forget),
    };
  }

  /** Keeps a content; it is on the disk when this returns, unless somebody sweeps before a change names it. */
  async keep(hash: string, bytes: Uint8Array): Promise<void> {
    // The row comes first: a file of which no row knows would never be removed.
    this.#statements.add.run(hash, bytes.length);
    const file = this.#fileOf(hash);
    const found = await stat(file).catch(() => undefined);
    if (found?.size === bytes.length) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Without truncation: whoever else writes this file writes the same bytes.
    const handle = await open(file, constants.O_CREAT | constants.O_WRONLY, 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.#syncFolder();
  }

  /** Whether a content is still known, inside the transaction that names it. */
  has(hash: string): boolean {
    return this.find(hash) !== undefined;
  }

  /** The content, or undefined where it is not kept, or not whole any more. */
  async read(hash: string): Promise<Buffer | undefined> {
    const bytes = await readFile(this.#fileOf(hash)).catch(() => undefined);
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash) return undefined;
    return bytes;
  }

  /** The whole hash that begins with these digits, where such a content is kept. */
  find(digits: string): string | undefined {
    return this.#statements.find.get(digits, `${digits}g`)?.["hash"] as string | undefined;
  }

  /** How many bytes are kept. */
  total(): number {
    return Number(this.#statements.total.get()?.["bytes"] ?? 0);
  }

  /** Removes what no change names any more. */
  sweep(): void {
    for (const { hash } of this.#statements.unnamed.all()) {
      // The file goes while the table is locked, so that whoever keeps it anew does so after that.
      this.#database.transaction(() => {
        if (this.#statements.forget.run(String(hash)) > 0) rmSync(this.#fileOf(String(hash)), { force: true });
      });
    }
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, hash);
  }

  async #syncFolder(): Promise<void> {
    if (process.platform === "win32") return;
    const handle = await open(this.#folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

const UNNAMED = `
  NOT EXISTS (SELECT 1 FROM steps WHERE before_blob = hash) AND NOT EXISTS (SELECT 1 FROM steps WHERE after_blob = hash)
`;

const SQL = {
  add: "INSERT INTO blobs VALUES (?, ?) ON CONFLICT (hash) DO NOTHING",
  find: "SELECT hash FROM blobs WHERE hash >= ? AND hash < ? LIMIT 1",
  total: "SELECT sum(bytes) AS bytes FROM blobs",
  unnamed: `SELECT hash FROM blobs WHERE ${UNNAMED}`,
  forget: `DELETE FROM blobs WHERE hash = ? AND ${UNNAMED}`,
} as const;
