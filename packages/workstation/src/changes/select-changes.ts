import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { ChangeAuthor } from "./journal.js";
import { type Change, type ChangeTable, pathsOf, type TransactionTable } from "./journal-tables.js";

/** The part of the journal in which changes are selected. */
interface ReadableJournal {
  readonly changes: ChangeTable;
  readonly transactions: TransactionTable;
  isOthers(change: Change): boolean;
}

const PAGE_SIZE = 200;

/** Which changes are selected. */
export interface Selection {
  /** How many. A transaction that has ended counts as one. */
  readonly count: number;
  /** Only changes after this one. */
  readonly after?: number;
  readonly without?: ReadonlySet<number>;
}

/** The changes that an author can undo, newest first. */
export function* undoable(journal: ReadableJournal, author: ChangeAuthor): Generator<Change> {
  for (const change of latest(journal, author)) if (change.state === "done") yield change;
}

/** The changes that were undone since the last one that was made, in the order in which they were made. */
export function redoable(journal: ReadableJournal, author: ChangeAuthor): Change[] {
  const found: Change[] = [];
  for (const change of latest(journal, author)) {
    if (change.state === "done") break;
    found.unshift(change);
  }
  return found;
}

/** Selects as many of the changes as were asked for. */
export function selectChanges(
  journal: ReadableJournal,
  changes: Iterable<Change>,
  { count, after = 0, without }: Selection,
): Change[] {
  const selected: Change[] = [];
  const units = new Set<string>();
  for (const change of changes) {
    if (change.id <= after) break;
    if (without?.has(change.id)) continue;
    units.add(unitOf(journal, change));
    if (units.size > count) break;
    selected.push(change);
  }
  return selected;
}

/** What counts as one. */
function unitOf(journal: ReadableJournal, { id, transaction }: Change): string {
  const hasEnded = transaction !== undefined && journal.transactions.find(transaction)?.state !== "open";
  return hasEnded ? `transaction ${transaction}` : `change ${id}`;
}

function* latest(journal: ReadableJournal, { principal, access }: ChangeAuthor): Generator<Change> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = journal.changes.latest(principal, before, PAGE_SIZE);
    for (const change of page)
      if (!journal.isOthers(change) && pathsOf(change).every((realPath) => access.isVisible(realPath))) yield change;
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.id;
  }
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}/;

/** Whether a checkpoint with this name could be confused with a change or a time. */
export const isAmbiguousName = (name: string): boolean => /^\d+$/.test(name) || ISO_TIME.test(name);

/** Returns the last change before a checkpoint, change or time. */
export function changeBefore(journal: ReadableJournal, author: ChangeAuthor, since: string | number): number {
  if (typeof since === "number") return since;
  const checkpoint = journal.transactions.findCheckpoint(author, since);
  if (checkpoint !== undefined) return checkpoint.change;
  if (/^\d+$/.test(since)) return Number(since);
  const time = ISO_TIME.test(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(time)) return journal.changes.lastBefore(time);
  const found = nearest(since, journal.transactions.checkpointNames(author));
  const suggestion = found === undefined ? "" : ` Did you mean ${JSON.stringify(found)}?`;
  throw new ToolError(`There is no checkpoint ${JSON.stringify(since)}.${suggestion}`, {
    code: "NOT_FOUND",
    details: { checkpoint: since, ...(found !== undefined && { suggestion: found }) },
  });
}
