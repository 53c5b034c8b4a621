import { type Database, LEASES_TABLE, type Row, type Statement } from "@toolwright/kit/storage";
import type { FileState } from "./file-state.js";
import type { ChangeAuthor } from "./journal.js";

/** On which side of a step a path is: before it, after it, or neither, because somebody else has changed it. */
export type Side = "old" | "new" | "other";

/** One step of a change, for one path. It can be applied and reverted. */
export interface Step {
  /** `put` gives a path another state, `move` moves something from `path` to `to`, `clear` is what the following move replaces. */
  readonly kind: "put" | "clear" | "move";
  /** The real path. */
  readonly path: string;
  readonly to?: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly side: Side;
  /** The name of the temporary file that is written first, in the same folder. */
  readonly temporary: string;
}

/**
 * The state of a change. `failed`: it was begun and never made. `dropped`: undone, and it can never be redone. `lost`: made, and it can
 * never be undone, because the old content is gone.
 */
export type ChangeState = "open" | "done" | "undone" | "failed" | "dropped" | "lost";

/** What is being done with a change at the moment. */
export type Operation = "make" | "undo" | "redo";

/** Everything that one call has changed, as the journal records it. */
export interface Change {
  readonly id: number;
  /** The principal of the caller; empty if clients are not authenticated. */
  readonly principal: string;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly state: ChangeState;
  readonly doing: Operation | undefined;
  readonly holder: string;
  /** The id of the transaction that it belongs to. */
  readonly transaction: number | undefined;
  readonly steps: readonly Step[];
}

/** A change before it has an id. */
export type NewChange = Omit<Change, "id">;

/** Changes that are kept or rolled back as one. */
export interface Transaction {
  readonly id: number;
  readonly principal: string;
  readonly name: string;
  /** The real paths of its folders. */
  readonly roots: readonly string[];
  readonly state: "open" | "committed" | "rolled_back";
  readonly holder: string;
  readonly begunAt: number;
}

/** A named moment. */
export interface Checkpoint {
  readonly name: string;
  /** The last change before it. */
  readonly change: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** Every path that a change touches. */
export const pathsOf = ({ steps }: Pick<Change, "steps">): readonly string[] =>
  steps.flatMap(({ path, to }) => (to === undefined ? [path] : [path, to]));

/** The migrations of the database, oldest first. Transactions are called bundles in it. */
export const JOURNAL_MIGRATIONS: readonly string[] = [
  `
  ${LEASES_TABLE}
  CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
  CREATE INDEX blobs_bytes ON blobs (bytes);
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, principal TEXT NOT NULL, tool TEXT NOT NULL, made_at INTEGER NOT NULL,
    state TEXT NOT NULL, doing TEXT, holder TEXT NOT NULL, bundle INTEGER
  ) STRICT;
  CREATE INDEX changes_whose ON changes (principal, id);
  CREATE INDEX changes_undone ON changes (principal) WHERE state = 'undone';
  CREATE INDEX changes_doing ON changes (doing) WHERE doing IS NOT NULL;
  CREATE TABLE steps (
    change INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, target TEXT,
    before TEXT NOT NULL, after TEXT NOT NULL, before_blob TEXT, after_blob TEXT, side TEXT NOT NULL, temporary TEXT NOT NULL,
    PRIMARY KEY (change, place)
  ) STRICT;
  CREATE INDEX steps_before ON steps (before_blob);
  CREATE INDEX steps_after ON steps (after_blob);
  CREATE TABLE checkpoints (
    principal TEXT NOT NULL, root TEXT NOT NULL, name TEXT NOT NULL, change INTEGER NOT NULL, made_at INTEGER NOT NULL,
    PRIMARY KEY (principal, root, name)
  ) STRICT;
  CREATE TABLE bundles (
    id INTEGER PRIMARY KEY AUTOINCREMENT, principal TEXT NOT NULL, name TEXT NOT NULL, roots TEXT NOT NULL,
    state TEXT NOT NULL, begun_at INTEGER NOT NULL
  ) STRICT;
  `,
  // The holders of older transactions are unknown, so they count as ended.
  "ALTER TABLE bundles ADD COLUMN holder TEXT NOT NULL DEFAULT ''",
];

/** The rows of changes and their steps. */
export class ChangeTable {
  readonly #statements: Record<keyof typeof CHANGE_SQL, Statement>;

  constructor(database: Database) {
    this.#statements = prepareAll(database, CHANGE_SQL);
  }

  insert(change: NewChange): Change {
    const { principal, tool, madeAt, state, doing, holder, transaction, steps } = change;
    const values = [principal, tool, madeAt, state, doing ?? null, holder, transaction ?? null];
    const id = Number(this.#statements.insert.get(...values)?.["id"]);
    for (const [at, step] of steps.entries()) {
      const { kind, path, to = null, before, after, side, temporary } = step;
      const states = [JSON.stringify(before), JSON.stringify(after), blobOf(before), blobOf(after)];
      this.#statements.insertStep.run(id, at, kind, path, to, ...states, side, temporary);
    }
    return { ...change, id };
  }

  /** Records that an operation on a change begins. Returns false if another process was faster. */
  claim({ id, state, holder, doing }: Change, next: Operation, by: string): boolean {
    return this.#statements.claim.run(next, by, id, state, holder, doing ?? "") > 0;
  }

  /** Records the result of an operation. */
  settle({ id, steps }: Change, state: ChangeState, sides: readonly Side[]): void {
    for (const at of steps.keys()) this.#statements.side.run(sides[at] ?? "other", id, at);
    this.#statements.state.run(state, id);
  }

  /** Whether the principal has undone changes. */
  hasUndone(principal: string): boolean {
    return this.#statements.undone.get(principal) !== undefined;
  }

  /** Records that an undone change will never be redone. */
  drop({ id }: Change): void {
    this.#statements.state.run("dropped", id);
  }

  /** Changes with an operation that has not ended. */
  unfinished(): readonly Change[] {
    return this.#withSteps(this.#statements.unfinished.all());
  }

  /** The changes of a principal after a change, oldest first. */
  since(principal: string, after: number, limit: number): readonly Change[] {
    return this.#withSteps(this.#statements.since.all(principal, after, limit));
  }

  /** The done and undone changes of a principal before a change, newest first. */
  latest(principal: string, before: number, limit: number): readonly Change[] {
    return this.#withSteps(this.#statements.latest.all(principal, before, limit));
  }

  /** The changes of a transaction, newest first. */
  ofTransaction(transaction: number): readonly Change[] {
    return this.#withSteps(this.#statements.ofTransaction.all(transaction));
  }

  /** The id of the last change of all principals. */
  last(): number {
    return Number(this.#statements.last.get()?.["id"] ?? 0);
  }

  /** The id of the last change before a moment. */
  lastBefore(time: number): number {
    return Number(this.#statements.lastBefore.get(time)?.["id"] ?? 0);
  }

  /** The oldest change that may be deleted. */
  oldest(): { readonly id: number; readonly madeAt: number } | undefined {
    const row = this.#statements.oldest.get();
    return row && { id: Number(row["id"]), madeAt: Number(row["made_at"]) };
  }

  delete(id: number): void {
    this.#statements.deleteSteps.run(id);
    this.#statements.delete.run(id);
  }

  #withSteps(rows: readonly Row[]): readonly Change[] {
    return rows.map((row) => toChange(row, this.#statements.steps.all(Number(row["id"]))));
  }
}

/** The rows of transactions and checkpoints. */
export class TransactionTable {
  readonly #statements: Record<keyof typeof TRANSACTION_SQL, Statement>;

  constructor(database: Database) {
    this.#statements = prepareAll(database, TRANSACTION_SQL);
  }

  /** The open transactions of a principal in all processes. */
  open(principal: string): readonly Transaction[] {
    return this.#statements.open.all(principal).map(toTransaction);
  }

  find(id: number): Transaction | undefined {
    const row = this.#statements.find.get(id);
    return row && toTransaction(row);
  }

  begin({ principal, name, roots, begunAt, holder }: Omit<Transaction, "id" | "state">): number {
    return Number(this.#statements.begin.get(principal, name, JSON.stringify(roots), begunAt, holder)?.["id"]);
  }

  /** Records the process that continues a transaction. */
  hold(id: number, holder: string): void {
    this.#statements.hold.run(holder, id);
  }

  end(id: number, state: Transaction["state"]): void {
    this.#statements.end.run(state, id);
  }

  /** Sets a checkpoint, or moves the one of this name. */
  setCheckpoint(author: ChangeAuthor, { name, change, madeAt }: Checkpoint): void {
    this.#statements.setCheckpoint.run(...scopeOf(author), name, change, madeAt);
  }

  findCheckpoint(author: ChangeAuthor, name: string): Checkpoint | undefined {
    const row = this.#statements.findCheckpoint.get(...scopeOf(author), name);
    return row && { name, change: Number(row["change"]), madeAt: Number(row["made_at"]) };
  }

  /** The names of the author's checkpoints, newest first. */
  checkpointNames(author: ChangeAuthor): readonly string[] {
    return this.#statements.checkpoints.all(...scopeOf(author)).map((row) => String(row["name"]));
  }
}

/** The same name can be used in several projects. */
const scopeOf = ({ principal, access }: ChangeAuthor): [string, string] => [principal, access.roots[0] ?? ""];

function prepareAll<Name extends string>(database: Database, sql: Readonly<Record<Name, string>>) {
  const entries = Object.entries<string>(sql).map(([name, text]) => [name, database.prepare(text)]);
  return Object.fromEntries(entries) as Record<Name, Statement>;
}

const blobOf = (state: FileState): string | null => (state.kind === "file" ? state.hash : null);

const toChange = (row: Row, steps: readonly Row[]): Change => ({
  id: Number(row["id"]),
  principal: String(row["principal"]),
  tool: String(row["tool"]),
  madeAt: Number(row["made_at"]),
  state: row["state"] as ChangeState,
  doing: (row["doing"] ?? undefined) as Operation | undefined,
  holder: String(row["holder"]),
  transaction: row["bundle"] === null ? undefined : Number(row["bundle"]),
  steps: steps.map(toStep),
});

const toStep = (row: Row): Step => ({
  kind: row["kind"] as Step["kind"],
  path: String(row["path"]),
  ...(row["target"] !== null && { to: String(row["target"]) }),
  before: JSON.parse(String(row["before"])) as FileState,
  after: JSON.parse(String(row["after"])) as FileState,
  side: row["side"] as Side,
  temporary: String(row["temporary"]),
});

const toTransaction = (row: Row): Transaction => ({
  id: Number(row["id"]),
  principal: String(row["principal"]),
  name: String(row["name"]),
  roots: JSON.parse(String(row["roots"])) as string[],
  state: row["state"] as Transaction["state"],
  begunAt: Number(row["begun_at"]),
  holder: String(row["holder"]),
});

const CHANGE_SQL = {
  insert: `INSERT INTO changes (principal, tool, made_at, state, doing, holder, bundle) VALUES (?, ?, ?, ?, ?, ?, ?)
    RETURNING id`,
  insertStep: "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  claim:
    "UPDATE changes SET doing = ?, holder = ? WHERE id = ? AND state = ? AND holder = ? AND coalesce(doing, '') = ?",
  side: "UPDATE steps SET side = ? WHERE change = ? AND place = ?",
  state: "UPDATE changes SET state = ?, doing = NULL WHERE id = ?",
  steps: "SELECT * FROM steps WHERE change = ? ORDER BY place",
  undone: "SELECT 1 FROM changes WHERE principal = ? AND state = 'undone' LIMIT 1",
  unfinished: "SELECT * FROM changes WHERE doing IS NOT NULL ORDER BY id",
  since: "SELECT * FROM changes WHERE principal = ? AND id > ? ORDER BY id LIMIT ?",
  latest: `SELECT * FROM changes WHERE principal = ? AND id < ? AND doing IS NULL AND state IN ('done', 'undone')
    ORDER BY id DESC LIMIT ?`,
  ofTransaction: "SELECT * FROM changes WHERE bundle = ? ORDER BY id DESC",
  last: "SELECT seq AS id FROM sqlite_sequence WHERE name = 'changes'",
  lastBefore: "SELECT max(id) AS id FROM changes WHERE made_at < ?",
  oldest: `SELECT id, made_at FROM changes WHERE doing IS NULL
    AND (bundle IS NULL OR bundle NOT IN (SELECT id FROM bundles WHERE state = 'open')) ORDER BY id LIMIT 1`,
  delete: "DELETE FROM changes WHERE id = ?",
  deleteSteps: "DELETE FROM steps WHERE change = ?",
} as const;

const TRANSACTION_SQL = {
  open: "SELECT * FROM bundles WHERE principal = ? AND state = 'open' ORDER BY id",
  find: "SELECT * FROM bundles WHERE id = ?",
  begin:
    "INSERT INTO bundles (principal, name, roots, state, begun_at, holder) VALUES (?, ?, ?, 'open', ?, ?) RETURNING id",
  hold: "UPDATE bundles SET holder = ? WHERE id = ?",
  end: "UPDATE bundles SET state = ? WHERE id = ?",
  setCheckpoint: "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?)",
  findCheckpoint: "SELECT * FROM checkpoints WHERE principal = ? AND root = ? AND name = ?",
  checkpoints: "SELECT name FROM checkpoints WHERE principal = ? AND root = ? ORDER BY made_at DESC LIMIT 100",
} as const;
