import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { isWithin } from "@toolwright/kit/files";
import { type Database, HEARTBEAT_MS, migrate, openDatabase, ProcessLeases } from "@toolwright/kit/storage";
import type { Author } from "./author.js";
import { Blobs } from "./blobs.js";
import { BundleTable } from "./bundle-table.js";
import { type Bundle, type Change, type ChangeState, type Doing, placesOf, type Side, type Step } from "./change.js";
import { redoable } from "./choose.js";
import { toJournalFault } from "./journal-fault.js";
import { ChangeTable, JOURNAL_STEPS } from "./journal-table.js";

/** How much the journal keeps. */
export interface JournalLimits {
  readonly bytes: number;
  readonly fileBytes: number;
  readonly days: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** What was changed, by whom, and what was there before: a SQLite file that several processes may share, and contents beside it. */
export class Journal {
  readonly blobs: Blobs;
  readonly table: ChangeTable;
  readonly bundles: BundleTable;
  readonly limits: JournalLimits;
  readonly now: () => number;
  readonly #database: Database;
  readonly #holders: ProcessLeases;
  readonly #heart: NodeJS.Timeout;
  /** What this process is doing at the moment. */
  readonly #busy = new Set<number>();

  private constructor(database: Database, folder: string, limits: JournalLimits, now: () => number) {
    this.#database = database;
    this.limits = limits;
    this.now = now;
    this.#holders = new ProcessLeases(database, now);
    this.table = new ChangeTable(database);
    this.bundles = new BundleTable(database);
    this.blobs = new Blobs(path.join(folder, "blobs"), database);
    this.#heart = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Opens the journal in a folder, and makes it where there is none. Throws a `ToolError` that says why it cannot. */
  static async open(folder: string, limits: JournalLimits, now: () => number): Promise<Journal> {
    let database: Database | undefined;
    try {
      database = await openDatabase(path.join(folder, "journal.db"));
      // An intention must be on the disk before the file is touched, even if the power fails in between.
      database.exec("PRAGMA synchronous = FULL");
      migrate(database, JOURNAL_STEPS);
      return new Journal(database, folder, limits, now);
    } catch (error) {
      database?.close();
      throw toJournalFault(error);
    }
  }

  /**
   * Writes down what is about to be changed; what was undone before, and lies where it goes, can then not be made again. Undefined
   * where one of the contents that were kept for it was swept away meanwhile: keep them again.
   */
  begin(author: Author, steps: readonly Step[], kept: readonly string[]): Change | undefined {
    return this.atomically(() => {
      if (!kept.every((hash) => this.blobs.has(hash))) return undefined;
      this.#holders.beat();
      const { principal, tool } = author;
      if (this.table.hasUndone(principal)) for (const undone of redoable(this, author)) this.table.drop(undone);
      const bundle = this.bundleAt(principal, placesOf({ steps }))?.id;
      // Whoever goes on with what an ended process began has it from then on.
      if (bundle !== undefined) this.bundles.hold(bundle, this.holder);
      const change = this.table.insert({
        principal,
        tool,
        steps,
        bundle,
        madeAt: this.now(),
        holder: this.#holders.id,
        state: "open",
        doing: "make",
      });
      this.#busy.add(change.id);
      return change;
    });
  }

  /** Says that a change is about to be undone or made again. False where somebody else is at it. */
  claim(change: Change, doing: Doing): boolean {
    const isOurs = this.atomically(() => {
      this.#holders.beat();
      return this.table.claim(change, doing, this.#holders.id);
    });
    if (isOurs) this.#busy.add(change.id);
    return isOurs;
  }

  /** Writes down what has become of a change. */
  finish(change: Change, state: ChangeState, sides: readonly Side[]): void {
    this.#busy.delete(change.id);
    this.atomically(() => this.table.settle(change, state, sides));
  }

  /** Notes a change that somebody else has made, as undone: it can be brought back. */
  adopt(author: { readonly principal: string }, steps: readonly Step[], bundle: number | undefined): Change {
    const holder = this.#holders.id;
    const rest = { bundle, madeAt: this.now(), holder, doing: undefined } as const;
    return this.atomically(() =>
      this.table.insert({ principal: author.principal, tool: "", state: "undone", steps, ...rest }),
    );
  }

  /** Does all of the work or nothing of it, while no other process writes. */
  atomically<Result>(work: () => Result): Result {
    return this.#attempt(() => this.#database.transaction(work));
  }

  /** Gives up a change whose end could not be written down; it is settled later. */
  leave(change: Change): void {
    this.#busy.delete(change.id);
  }

  /** Changes that nobody works on any more, though they have not ended. */
  abandoned(): readonly Change[] {
    const isOwn = ({ holder }: Change): boolean => holder === this.#holders.id;
    return this.#attempt(() =>
      this.table
        .unfinished()
        .filter((change) => (isOwn(change) ? !this.#busy.has(change.id) : this.#holders.isGone(change.holder))),
    );
  }

  /** The name of this process in the journal. */
  get holder(): string {
    return this.#holders.id;
  }

  /** Whether something is another process's that is still there. Where callers are not told apart, each process is one of them. */
  isOthers({ principal, holder }: Pick<Change, "principal" | "holder">): boolean {
    return principal === "" && this.#holders.isOther(holder);
  }

  /** The open transactions of somebody, but those of other processes that are still there. */
  openBundles(principal: string): readonly Bundle[] {
    return this.bundles.open(principal).filter((bundle) => !this.isOthers(bundle));
  }

  /** The open transaction to which a change of these places belongs. */
  bundleAt(principal: string, places: readonly string[]): Bundle | undefined {
    return this.openBundles(principal).find(({ roots }) =>
      places.some((place) => roots.some((root) => isWithin(root, place))),
    );
  }

  /** Forgets what is too old or too much; contents that nothing names go with it. */
  prune(): void {
    const since = this.now() - this.limits.days * DAY_MS;
    let isSwept = true;
    for (let oldest = this.table.oldest(); oldest !== undefined; oldest = this.table.oldest()) {
      if (oldest.madeAt >= since && this.blobs.total() <= this.limits.bytes) break;
      const { id } = oldest;
      this.#database.transaction(() => this.table.forget(id));
      isSwept = false;
      if (this.blobs.total() > this.limits.bytes) this.blobs.sweep();
    }
    if (!isSwept) this.blobs.sweep();
  }

  close(): void {
    clearInterval(this.#heart);
    if (this.#busy.size === 0) this.#holders.remove(this.#holders.id);
    this.#database.close();
  }

  /** A beat that fails is made up for by the next one; whoever makes a change beats anyway. */
  #beat(): void {
    try {
      this.#holders.beat();
    } catch {
      return;
    }
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw error instanceof ToolError ? error : toJournalFault(error);
    }
  }
}
