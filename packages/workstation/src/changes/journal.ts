import { createHash } from "node:crypto";
import { constants, rmSync } from "node:fs";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type FileAccess, isWithin } from "@toolwright/kit/files";
import {
  type Database,
  HEARTBEAT_MS,
  migrate,
  openDatabase,
  ProcessLeases,
  type Statement,
  StorageError,
} from "@toolwright/kit/storage";
import {
  type Change,
  type ChangeState,
  ChangeTable,
  JOURNAL_MIGRATIONS,
  type Operation,
  pathsOf,
  type Side,
  type Step,
  type Transaction,
  TransactionTable,
} from "./journal-tables.js";
import { redoable } from "./select-changes.js";

/** Who makes a change, with which tool, and which files they can access. */
export interface ChangeAuthor {
  /** Empty if clients are not authenticated. */
  readonly principal: string;
  readonly tool: string;
  readonly access: FileAccess;
}

/** How much the journal keeps. */
export interface JournalLimits {
  readonly bytes: number;
  readonly fileBytes: number;
  readonly days: number;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Who changed what, and what was there before: a SQLite file that several processes can share, with the contents in files beside it.
 */
export class Journal {
  readonly blobs: Blobs;
  readonly changes: ChangeTable;
  readonly transactions: TransactionTable;
  readonly limits: JournalLimits;
  readonly now: () => number;
  readonly #database: Database;
  readonly #leases: ProcessLeases;
  readonly #heartbeat: NodeJS.Timeout;
  /** The changes that this process works on at the moment. */
  readonly #busy = new Set<number>();

  private constructor(database: Database, folder: string, limits: JournalLimits, now: () => number) {
    this.#database = database;
    this.limits = limits;
    this.now = now;
    this.#leases = new ProcessLeases(database, now);
    this.changes = new ChangeTable(database);
    this.transactions = new TransactionTable(database);
    this.blobs = new Blobs(path.join(folder, "blobs"), database);
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Opens the journal in a folder, or creates it. Throws a `ToolError` with the reason if that is impossible. */
  static async open(folder: string, limits: JournalLimits, now: () => number): Promise<Journal> {
    let database: Database | undefined;
    try {
      database = await openDatabase(path.join(folder, "journal.db"));
      // An intention must be on disk before the file is touched, even if the power fails in between.
      database.exec("PRAGMA synchronous = FULL");
      migrate(database, JOURNAL_MIGRATIONS);
      return new Journal(database, folder, limits, now);
    } catch (error) {
      database?.close();
      throw toJournalError(error);
    }
  }

  /**
   * Records the intention of a change. Undone changes to the same files can then not be redone. Returns undefined if another process has
   * deleted one of the contents that were stored for it: store them again.
   */
  begin(author: ChangeAuthor, steps: readonly Step[], hashes: readonly string[]): Change | undefined {
    return this.atomically(() => {
      if (!hashes.every((hash) => this.blobs.has(hash))) return undefined;
      this.#leases.beat();
      const { principal, tool } = author;
      if (this.changes.hasUndone(principal)) for (const undone of redoable(this, author)) this.changes.drop(undone);
      const transaction = this.transactionAt(principal, pathsOf({ steps }))?.id;
      // A process that continues a transaction of an ended one owns it from then on.
      if (transaction !== undefined) this.transactions.hold(transaction, this.holder);
      const change = this.changes.insert({
        principal,
        tool,
        steps,
        transaction,
        madeAt: this.now(),
        holder: this.holder,
        state: "open",
        doing: "make",
      });
      this.#busy.add(change.id);
      return change;
    });
  }

  /** Records that a change is about to be undone or redone. Returns false if another process works on it. */
  claim(change: Change, operation: Operation): boolean {
    const isOurs = this.atomically(() => {
      this.#leases.beat();
      return this.changes.claim(change, operation, this.holder);
    });
    if (isOurs) this.#busy.add(change.id);
    return isOurs;
  }

  /** Records the result of an operation. */
  finish(change: Change, state: ChangeState, sides: readonly Side[]): void {
    this.#busy.delete(change.id);
    this.atomically(() => this.changes.settle(change, state, sides));
  }

  /** Records a change that somebody else has made as undone, so that it can be redone. */
  adopt(author: ChangeAuthor, steps: readonly Step[], transaction: number | undefined): Change {
    const rest = { transaction, madeAt: this.now(), holder: this.holder, doing: undefined } as const;
    return this.atomically(() =>
      this.changes.insert({ principal: author.principal, tool: "", state: "undone", steps, ...rest }),
    );
  }

  /** Does all of the work or nothing of it, while no other process writes. */
  atomically<Result>(work: () => Result): Result {
    return this.#attempt(() => this.#database.transaction(work));
  }

  /** Gives up a change whose result could not be recorded. It is settled later. */
  release(change: Change): void {
    this.#busy.delete(change.id);
  }

  /** Unfinished changes that no process works on. */
  abandoned(): readonly Change[] {
    return this.#attempt(() =>
      this.changes
        .unfinished()
        .filter((change) =>
          change.holder === this.holder ? !this.#busy.has(change.id) : this.#leases.isGone(change.holder),
        ),
    );
  }

  /** The id of this process in the journal. */
  get holder(): string {
    return this.#leases.id;
  }

  /** Whether something belongs to another running process. Without authentication each process is one client. */
  isOthers({ principal, holder }: Pick<Change, "principal" | "holder">): boolean {
    return principal === "" && this.#leases.isOther(holder);
  }

  /** The open transactions of a principal, without those of other running processes. */
  openTransactions(principal: string): readonly Transaction[] {
    return this.transactions.open(principal).filter((transaction) => !this.isOthers(transaction));
  }

  /** The open transaction that a change of these paths belongs to. */
  transactionAt(principal: string, realPaths: readonly string[]): Transaction | undefined {
    return this.openTransactions(principal).find(({ roots }) =>
      realPaths.some((realPath) => roots.some((root) => isWithin(root, realPath))),
    );
  }

  /** Deletes changes that are too old or too many, and contents that no change refers to. */
  prune(): void {
    const since = this.now() - this.limits.days * DAY_MS;
    let isSwept = true;
    for (let oldest = this.changes.oldest(); oldest !== undefined; oldest = this.changes.oldest()) {
      if (oldest.madeAt >= since && this.blobs.totalBytes() <= this.limits.bytes) break;
      const { id } = oldest;
      this.#database.transaction(() => this.changes.delete(id));
      isSwept = false;
      if (this.blobs.totalBytes() > this.limits.bytes) this.blobs.sweep();
    }
    if (!isSwept) this.blobs.sweep();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    if (this.#busy.size === 0) this.#leases.remove(this.holder);
    this.#database.close();
  }

  /** A failed heartbeat is made up for by the next one. Every change sends one, too. */
  #beat(): void {
    try {
      this.#leases.beat();
    } catch {
      return;
    }
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof ToolError ? error : toJournalError(error);
    }
  }
}

/** Old and new contents of files by their hashes: one file each, readable by its user only. */
export class Blobs {
  readonly #folder: string;
  readonly #database: Database;
  readonly #add: Statement;
  readonly #find: Statement;
  readonly #total: Statement;
  readonly #unused: Statement;
  readonly #delete: Statement;

  constructor(folder: string, database: Database) {
    this.#folder = folder;
    this.#database = database;
    this.#add = database.prepare("INSERT INTO blobs VALUES (?, ?) ON CONFLICT (hash) DO NOTHING");
    this.#find = database.prepare("SELECT hash FROM blobs WHERE hash >= ? AND hash < ? LIMIT 1");
    this.#total = database.prepare("SELECT sum(bytes) AS bytes FROM blobs");
    this.#unused = database.prepare(`SELECT hash FROM blobs WHERE ${UNUSED}`);
    this.#delete = database.prepare(`DELETE FROM blobs WHERE hash = ? AND ${UNUSED}`);
  }

  /** Stores a content. It is on disk when this returns, unless another process sweeps before a change refers to it. */
  async store(hash: string, bytes: Uint8Array): Promise<void> {
    // The row comes first: a file without a row would never be removed.
    this.#add.run(hash, bytes.length);
    const file = path.join(this.#folder, hash);
    const found = await stat(file).catch(() => undefined);
    if (found?.size === bytes.length) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Without truncation: another process that writes this file writes the same bytes.
    const handle = await open(file, constants.O_CREAT | constants.O_WRONLY, 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await this.#syncFolder();
  }

  /** Whether a content is still stored. Called inside the transaction that refers to it. */
  has(hash: string): boolean {
    return this.find(hash) !== undefined;
  }

  /** Returns the content, or undefined if it is missing or incomplete. */
  async read(hash: string): Promise<Buffer | undefined> {
    const bytes = await readFile(path.join(this.#folder, hash)).catch(() => undefined);
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash) return undefined;
    return bytes;
  }

  /** The whole hash of a stored content that begins with these digits. */
  find(digits: string): string | undefined {
    return this.#find.get(digits, `${digits}g`)?.["hash"] as string | undefined;
  }

  totalBytes(): number {
    return Number(this.#total.get()?.["bytes"] ?? 0);
  }

  /** Removes contents that no change refers to. */
  sweep(): void {
    for (const { hash } of this.#unused.all()) {
      // The file is removed while the table is locked, so that a process that stores it again does so afterwards.
      this.#database.transaction(() => {
        if (this.#delete.run(String(hash)) > 0) rmSync(path.join(this.#folder, String(hash)), { force: true });
      });
    }
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

const UNUSED = `
  NOT EXISTS (SELECT 1 FROM steps WHERE before_blob = hash) AND NOT EXISTS (SELECT 1 FROM steps WHERE after_blob = hash)
`;

/** The codes of the module loader for an optional package that is not installed, or not for this platform. */
const NOT_INSTALLED = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_DLOPEN_FAILED"]);

/** Explains why the journal cannot be used. Errors that are no storage errors are returned as they are. */
export function toJournalError(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  const isMissing = typeof code === "string" && NOT_INSTALLED.has(code);
  const reason = isMissing
    ? "it needs SQLite, which this Node.js does not have. Use Node.js 22.13 or newer, or install it: npm install @photostructure/sqlite"
    : error.message.replace(/\.?$/, "");
  return new ToolError(`Cannot use the undo journal, and files are only changed with it: ${reason}.`, {
    code: "UNAVAILABLE",
    cause: error,
  });
}
