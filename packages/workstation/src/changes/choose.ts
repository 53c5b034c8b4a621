import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { Author } from "./author.js";
import type { BundleTable } from "./bundle-table.js";
import { type Change, placesOf } from "./change.js";
import type { ChangeTable } from "./journal-table.js";

/** The part of the journal in which changes are looked up. */
interface Ledger {
  readonly table: ChangeTable;
  readonly bundles: BundleTable;
  isOthers(change: Change): boolean;
}

/** How many changes are looked through at a time. */
const PAGE = 200;

/** Which changes are to be undone or made again. */
export interface Choice {
  /** How many; a transaction that has ended counts as one. */
  readonly count: number;
  /** Only those after this change. */
  readonly after?: number;
  /** None of these. */
  readonly without?: ReadonlySet<number>;
}

/** The changes of somebody that can be undone, newer ones first, as far as they can reach them. */
export function* undoable(journal: Ledger, author: Author): Generator<Change> {
  for (const change of latest(journal, author)) if (change.state === "done") yield change;
}

/** The changes that were undone after the last one that stands, in the order in which they were made. */
export function redoable(journal: Ledger, author: Author): Change[] {
  const found: Change[] = [];
  for (const change of latest(journal, author)) {
    if (change.state === "done") break;
    found.unshift(change);
  }
  return found;
}

/** As many as were asked for. */
export function take(journal: Ledger, changes: Iterable<Change>, { count, after = 0, without }: Choice): Change[] {
  const taken: Change[] = [];
  const units = new Set<string>();
  for (const change of changes) {
    if (change.id <= after) break;
    if (without?.has(change.id)) continue;
    units.add(unitOf(journal, change));
    if (units.size > count) break;
    taken.push(change);
  }
  return taken;
}

/** What is undone as one. */
function unitOf(journal: Ledger, { id, bundle }: Change): string {
  const hasEnded = bundle !== undefined && journal.bundles.find(bundle)?.state !== "open";
  return hasEnded ? `transaction ${bundle}` : `change ${id}`;
}

function* latest(journal: Ledger, { principal, reach }: Author): Generator<Change> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = journal.table.latest(principal, before, PAGE);
    for (const change of page)
      if (!journal.isOthers(change) && placesOf(change).every((place) => reach.isVisible(place))) yield change;
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.id;
  }
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}/;

/** Whether a name for a checkpoint would be taken for a change or a moment. */
export const isTakenForOther = (name: string): boolean => /^\d+$/.test(name) || ISO_TIME.test(name);

/** The last change before a checkpoint, a change or a moment. */
export function changeBefore(journal: Ledger, author: Author, since: string | number): number {
  if (typeof since === "number") return since;
  const marked = journal.bundles.marked(author, since);
  if (marked !== undefined) return marked.change;
  if (/^\d+$/.test(since)) return Number(since);
  const time = ISO_TIME.test(since) ? Date.parse(since) : Number.NaN;
  if (!Number.isNaN(time)) return journal.table.lastBefore(time);
  const names = journal.bundles.marks(author);
  const found = nearest(since, names);
  throw new ToolError(
    `There is no checkpoint ${JSON.stringify(since)}.${found === undefined ? "" : ` Did you mean ${JSON.stringify(found)}?`}`,
    { code: "NOT_FOUND", details: { checkpoint: since, ...(found !== undefined && { suggestion: found }) } },
  );
}
