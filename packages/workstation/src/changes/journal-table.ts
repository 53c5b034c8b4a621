import { type Database, LEASES_TABLE, type Row, type Statement } from "@toolwright/kit/storage";
import { BLOBS_TABLE } from "./blobs.js";
import type { Change, ChangeState, Doing, Side, Step } from "./change.js";
import type { FileState } from "./file-state.js";

/** The forms of the database, oldest first. */
export const JOURNAL_STEPS: readonly string[] = [
  `
  ${LEASES_TABLE}
  ${BLOBS_TABLE}
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
  // The processes that began the older ones are not known, and so count as gone.
  "ALTER TABLE bundles ADD COLUMN holder TEXT NOT NULL DEFAULT ''",
];

/** A change before it has a number. */
export type NewChange = Omit<Change, "id">;

/** The rows of the changes and of their steps. */
export class ChangeTable {
  readonly #statements: Record<keyof typeof SQL, Statement>;

  constructor(database: Database) {
    const names = Object.keys(SQL) as (keyof typeof SQL)[];
    this.#statements = Object.fromEntries(names.map((name) => [name, database.prepare(SQL[name])])) as Record<
      keyof typeof SQL,
      Statement
    >;
  }

  insert(change: NewChange): Change {
    const { principal, tool, madeAt, state, doing, holder, bundle, steps } = change;
    const row = this.#statements.insert.get(principal, tool, madeAt, state, doing ?? null, holder, bundle ?? null);
    const id = Number(row?.["id"]);
    for (const [at, step] of steps.entries()) {
      const { kind, path, to = null, before, after, side, temporary } = step;
      const states = [JSON.stringify(before), JSON.stringify(after), blobOf(before), blobOf(after)];
      this.#statements.insertStep.run(id, at, kind, path, to, ...states, side, temporary);
    }
    return { ...change, id };
  }

  /** Says that something is being done with a change. False where somebody else was faster. */
  claim({ id, state, holder, doing }: Change, next: Doing, by: string): boolean {
    return this.#statements.claim.run(next, by, id, state, holder, doing ?? "") > 0;
  }

  /** Writes down what has become of a change. */
  settle({ id, steps }: Change, state: ChangeState, sides: readonly Side[]): void {
    for (const at of steps.keys()) this.#statements.side.run(sides[at] ?? "other", id, at);
    this.#statements.state.run(state, id);
  }

  /** Whether anything of somebody's is undone. */
  hasUndone(principal: string): boolean {
    return this.#statements.undone.get(principal) !== undefined;
  }

  /** Says that a change that is undone will not be made again. */
  drop({ id }: Change): void {
    this.#statements.state.run("dropped", id);
  }

  /** Changes with which something is being done. */
  unfinished(): readonly Change[] {
    return this.#all(this.#statements.unfinished.all());
  }

  /** Those of somebody, after a change, older ones first. */
  since(principal: string, after: number, most: number): readonly Change[] {
    return this.#all(this.#statements.since.all(principal, after, most));
  }

  /** Those of somebody, before a change, newer ones first, that are made or undone. */
  latest(principal: string, before: number, most: number): readonly Change[] {
    return this.#all(this.#statements.latest.all(principal, before, most));
  }

  /** Those of a transaction, newer ones first. */
  ofBundle(bundle: number): readonly Change[] {
    return this.#all(this.#statements.ofBundle.all(bundle));
  }

  /** The number of the last change that anybody has made. */
  last(): number {
    return Number(this.#statements.last.get()?.["id"] ?? 0);
  }

  /** The last change that was made before a moment. */
  lastBefore(time: number): number {
    return Number(this.#statements.lastBefore.get(time)?.["id"] ?? 0);
  }

  /** The oldest change that may be forgotten. */
  oldest(): { readonly id: number; readonly madeAt: number } | undefined {
    const row = this.#statements.oldest.get();
    return row && { id: Number(row["id"]), madeAt: Number(row["made_at"]) };
  }

  forget(id: number): void {
    this.#statements.forgetSteps.run(id);
    this.#statements.forget.run(id);
  }

  #all(rows: readonly Row[]): readonly Change[] {
    return rows.map((row) => toChange(row, this.#statements.steps.all(Number(row["id"]))));
  }
}

const blobOf = (state: FileState): string | null => (state.kind === "file" ? state.hash : null);

const toChange = (row: Row, steps: readonly Row[]): Change => ({
  id: Number(row["id"]),
  principal: String(row["principal"]),
  tool: String(row["tool"]),
  madeAt: Number(row["made_at"]),
  state: row["state"] as ChangeState,
  doing: (row["doing"] ?? undefined) as Doing | undefined,
  holder: String(row["holder"]),
  bundle: row["bundle"] === null ? undefined : Number(row["bundle"]),
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

const SQL = {
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
  ofBundle: "SELECT * FROM changes WHERE bundle = ? ORDER BY id DESC",
  last: "SELECT seq AS id FROM sqlite_sequence WHERE name = 'changes'",
  lastBefore: "SELECT max(id) AS id FROM changes WHERE made_at < ?",
  oldest: `SELECT id, made_at FROM changes WHERE doing IS NULL
    AND (bundle IS NULL OR bundle NOT IN (SELECT id FROM bundles WHERE state = 'open')) ORDER BY id LIMIT 1`,
  forget: "DELETE FROM changes WHERE id = ?",
  forgetSteps: "DELETE FROM steps WHERE change = ?",
} as const;
