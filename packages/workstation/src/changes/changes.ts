import { ToolError } from "@toolwright/engine";
import { temporaryName, withTimeout } from "@toolwright/kit/files";
import type { Settings } from "../settings.js";
import type { Author } from "./author.js";
import type { Change, Step } from "./change.js";
import type { Draft } from "./drafts.js";
import { Journal, type JournalLimits } from "./journal.js";
import { perform, settleNow } from "./perform.js";
import { Turns } from "./turns.js";

/** What callers are told of a change that was made. */
export interface Made {
  readonly change: number;
  /** The name of the transaction to which it belongs. */
  readonly transaction?: string;
  readonly canUndo: boolean;
}

/** The settings of the pack that are about the journal. */
type JournalSettings = Pick<Settings, "journal_bytes" | "journal_file_bytes" | "journal_days" | "deadline_ms">;

/** Makes changes: one after the other, each written down before and after. The journal is opened when the first one needs it. */
export class Changes {
  readonly limits: JournalLimits;
  readonly #folder: string;
  readonly #deadlineMs: number;
  readonly #now: () => number;
  readonly #turns = new Turns();
  #opened: Promise<Journal> | undefined;

  constructor(folder: string, settings: JournalSettings, now: () => number = Date.now) {
    const {
      journal_bytes: bytes,
      journal_file_bytes: fileBytes,
      journal_days: days,
      deadline_ms: deadlineMs,
    } = settings;
    this.limits = { bytes, fileBytes, days };
    this.#folder = folder;
    this.#deadlineMs = deadlineMs;
    this.#now = now;
  }

  /** Makes what is drafted, when nobody else in this process changes the same roots. Undefined where there is nothing to do. */
  make<Drafted extends Draft>(
    author: Author,
    draft: () => Promise<Drafted>,
  ): Promise<{ readonly drafted: Drafted; readonly made: Made | undefined }> {
    return this.alone(author, async (journal) => {
      const drafted = await draft();
      if (drafted.steps.length === 0) return { drafted, made: undefined };
      const { change, canUndo } = await this.#begin(journal, author, drafted);
      const cleared = change.steps.find(({ kind }) => kind === "clear")?.before;
      const moves = change.steps.map((step) => ({
        step,
        side: "new" as const,
        ...(step.kind === "move" && cleared !== undefined && { expected: cleared }),
      }));
      await perform(journal, { change, doing: "make", moves, reach: author.reach, contents: drafted.contents });
      this.#prune(journal);
      const transaction = change.bundle === undefined ? undefined : journal.bundles.find(change.bundle)?.name;
      return { drafted, made: { change: change.id, canUndo, ...(transaction !== undefined && { transaction }) } };
    });
  }

  /** Does something with the journal while nobody else in this process changes the same roots. */
  alone<Value>({ reach }: Author, work: (journal: Journal) => Promise<Value>): Promise<Value> {
    return this.#turns.take(reach.roots, async () => work(await this.journal()));
  }

  /** The journal, in which all that was cut off is settled. One that cannot be opened is tried again with the next change. */
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
    await this.#turns.idle();
    const journal = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    journal?.close();
  }

  async #settle(journal: Journal, change: Change): Promise<void> {
    if (!journal.claim(change, change.doing ?? "make")) return;
    // What hangs stays unfinished; the next one who opens the journal tries again.
    await withTimeout({ timeoutMs: this.#deadlineMs, part: "journal" }, "look at files", () =>
      settleNow(journal, change),
    ).catch(() => {
      journal.leave(change);
    });
  }

  /** Keeps the contents and writes down the intention; a sweep of another process in between makes it begin again. */
  async #begin(journal: Journal, author: Author, { steps, contents }: Draft) {
    const kept = [...contents].filter(([, bytes]) => bytes.length <= journal.limits.fileBytes);
    const hashes = new Set(kept.map(([hash]) => hash));
    const written = steps.map((step): Step => ({ ...step, side: "old", temporary: temporaryName() }));
    const canUndo = steps.every(({ kind, before }) => kind === "move" || isKept(before, hashes));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      for (const [hash, bytes] of kept) await keep(journal, hash, bytes);
      const change = journal.begin(author, written, [...hashes]);
      if (change !== undefined) return { change, canUndo };
    }
    throw new ToolError(
      "Cannot write to the journal: other processes use it too much. Nothing was changed; try again.",
      {
        code: "UNAVAILABLE",
      },
    );
  }

  /** Old changes are forgotten in the course of new ones; where that fails, the next one tries again. */
  #prune(journal: Journal): void {
    try {
      journal.prune();
    } catch {
      return;
    }
  }
}

const isKept = (state: Step["before"], kept: ReadonlySet<string>): boolean =>
  state.kind !== "file" || kept.has(state.hash);

async function keep(journal: Journal, hash: string, bytes: Uint8Array): Promise<void> {
  try {
    await journal.blobs.keep(hash, bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "FULL";
    throw new ToolError(
      `Cannot keep the old content for undo: ${isFull ? "the disk of the journal is full" : message}. Nothing was changed.`,
      { code: "UNAVAILABLE", cause: error },
    );
  }
}
