import { ToolError } from "@toolwright/engine";
import { temporaryName, withTimeout } from "@toolwright/kit/files";
import type { Settings } from "../settings.js";
import { applySteps, settleNow } from "./apply-steps.js";
import type { Draft } from "./drafts.js";
import { type ChangeAuthor, Journal, type JournalLimits } from "./journal.js";
import type { Change, Step } from "./journal-tables.js";

/** A change that was made. */
export interface AppliedChange {
  readonly change: number;
  /** The name of the transaction that it belongs to. */
  readonly transaction?: string;
  readonly canUndo: boolean;
}

const NO_UNDO = "This cannot be undone: the old content was too large for the journal.";
const NO_ROLLBACK = "A rollback needs force: true, and leaves it out.";

/** The result members of a change, in the form of `APPLIED`. */
export function describeApplied(applied: AppliedChange | undefined): {
  change?: number;
  transaction?: string;
  note?: string;
} {
  if (applied === undefined) return { note: "Nothing was changed: it is already so." };
  const { change, transaction, canUndo } = applied;
  return {
    change,
    ...(transaction !== undefined && { transaction }),
    ...(!canUndo && { note: transaction === undefined ? NO_UNDO : `${NO_UNDO} ${NO_ROLLBACK}` }),
  };
}

/** The settings of the journal. */
type JournalSettings = Pick<Settings, "journalBytes" | "journalFileBytes" | "journalDays">;

/** The time limit for looking at the files of an interrupted change. */
const SETTLE_TIMEOUT_MS = 10_000;

/** Applies changes one after the other, each recorded before and after. The journal is opened for the first one. */
export class Changes {
  readonly limits: JournalLimits;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #mutex = new KeyedMutex();
  #opened: Promise<Journal> | undefined;

  constructor(folder: string, settings: JournalSettings, now: () => number = Date.now) {
    const { journalBytes: bytes, journalFileBytes: fileBytes, journalDays: days } = settings;
    this.limits = { bytes, fileBytes, days };
    this.#folder = folder;
    this.#now = now;
  }

  /** Applies a draft while nobody else in this process changes the same roots. `applied` is undefined if there is nothing to do. */
  apply<Drafted extends Draft>(
    author: ChangeAuthor,
    draft: () => Promise<Drafted>,
  ): Promise<{ readonly drafted: Drafted; readonly applied: AppliedChange | undefined }> {
    return this.runExclusive(author, async (journal) => {
      const drafted = await draft();
      if (drafted.steps.length === 0) return { drafted, applied: undefined };
      const { change, canUndo } = await this.#begin(journal, author, drafted);
      const cleared = change.steps.find(({ kind }) => kind === "clear")?.before;
      const moves = change.steps.map((step) => ({
        step,
        side: "new" as const,
        ...(step.kind === "move" && cleared !== undefined && { expected: cleared }),
      }));
      const { access } = author;
      await applySteps(journal, { change, operation: "make", moves, access, contents: drafted.contents });
      this.#prune(journal);
      const transaction =
        change.transaction === undefined ? undefined : journal.transactions.find(change.transaction)?.name;
      return { drafted, applied: { change: change.id, canUndo, ...(transaction !== undefined && { transaction }) } };
    });
  }

  /** Works with the journal while nobody else in this process changes the same roots. */
  runExclusive<Value>({ access }: ChangeAuthor, work: (journal: Journal) => Promise<Value>): Promise<Value> {
    return this.#mutex.run(access.roots, async () => work(await this.journal()));
  }

  /** The journal, with interrupted changes settled. If it cannot be opened, the next change tries again. */
  async journal(): Promise<Journal> {
    this.#opened ??= Journal.open(this.#folder, this.limits, this.#now);
    const journal = await this.#opened.catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    for (const change of journal.abandoned()) await this.#settle(journal, change);
    return journal;
  }

  async close(): Promise<void> {
    await this.#mutex.idle();
    const journal = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    journal?.close();
  }

  async #settle(journal: Journal, change: Change): Promise<void> {
    if (!journal.claim(change, change.doing ?? "make")) return;
    // A change that hangs stays unfinished; the next one that opens the journal tries again.
    await withTimeout({ timeoutMs: SETTLE_TIMEOUT_MS, part: "journal" }, "look at files", () =>
      settleNow(journal, change),
    ).catch(() => {
      journal.release(change);
    });
  }

  /** Stores the contents and records the intention. Starts again if another process sweeps in between. */
  async #begin(journal: Journal, author: ChangeAuthor, { steps, contents }: Draft) {
    const stored = [...contents].filter(([, bytes]) => bytes.length <= journal.limits.fileBytes);
    const hashes = new Set(stored.map(([hash]) => hash));
    const recorded = steps.map((step): Step => ({ ...step, side: "old", temporary: temporaryName() }));
    const canUndo = steps.every(
      ({ kind, before }) => kind === "move" || before.kind !== "file" || hashes.has(before.hash),
    );
    for (let attempt = 0; attempt < 5; attempt += 1) {
      for (const [hash, bytes] of stored) await storeBlob(journal, hash, bytes);
      const change = journal.begin(author, recorded, [...hashes]);
      if (change !== undefined) return { change, canUndo };
    }
    throw new ToolError("Cannot write to the undo journal: other processes use it too much. Nothing was changed.", {
      code: "UNAVAILABLE",
    });
  }

  /** Deletes old changes. If that fails, the next change tries again. */
  #prune(journal: Journal): void {
    try {
      journal.prune();
    } catch {
      return;
    }
  }
}

async function storeBlob(journal: Journal, hash: string, bytes: Uint8Array): Promise<void> {
  try {
    await journal.blobs.store(hash, bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "FULL";
    throw new ToolError(
      `Cannot keep the old content for undo: ${isFull ? "the disk of the journal is full" : message}. Nothing was changed.`,
      { code: "UNAVAILABLE", cause: error },
    );
  }
}

/** Runs work on the same keys one after the other, in order. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when no other work holds any of the keys. */
  run<Value>(keys: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const earlier = keys.flatMap((key) => this.#last.get(key) ?? []);
    const result = Promise.all(earlier).then(work);
    const end = result.catch(() => undefined);
    for (const key of keys) this.#last.set(key, end);
    void end.then(() => {
      for (const key of keys) if (this.#last.get(key) === end) this.#last.delete(key);
    });
    return result;
  }

  /** Resolves when all work has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
