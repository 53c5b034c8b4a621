import type { Base } from "../base.js";
import type { Cut } from "../collections/cut.js";
import { findCollection } from "../collections/find-collection.js";
import { Gathering } from "./gathering.js";
import { lookThrough } from "./look.js";
import { readKnown, readMembers } from "./members.js";
import type { Progress } from "./progress.js";
import type { IngestCall, IngestResult, IngestWish } from "./wish.js";

/** Says what an ingest would do. Documents are read, and nothing is written. */
export async function dryRun(
  base: Base,
  call: IngestCall,
  wish: IngestWish,
  cut: Cut,
  progress: Progress,
): Promise<IngestResult> {
  const ledger = await base.ledger();
  const collection = await ledger.read((sql) => findCollection(sql, wish.collection));
  const parent = await readMembers(ledger, collection.id, collection.active ?? undefined);
  const gathering = new Gathering(parent, { succeeded: 0, skipped: 0, failed: 0 });
  const { unknown } = await lookThrough({ base, call, wish, cut, progress, signal: call.signal }, gathering, {
    of: collection,
    known: await readKnown(ledger, collection.id, collection.active ?? undefined),
    edition: wish.force ? Number.MAX_SAFE_INTEGER : 0,
    write: async (_, written) => written(0),
    note: async () => undefined,
  });
  gathering.finish();
  return {
    run: null,
    collection: collection.name,
    version: collection.active,
    promoted: false,
    dry_run: true,
    delta: gathering.delta,
    documents: gathering.documents,
    chunks: gathering.chunks,
    embedder: collection.embedder ?? "",
    is_new: false,
    ...gathering.counts,
    outcomes: gathering.told,
    warnings: unknownKinds(unknown),
  };
}

/** How many endings are told. */
const MOST_ENDINGS = 8;

/** Files that nobody has named and that are of no known kind are counted by what they end in, not listed. */
export function unknownKinds(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].toSorted(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const told = sorted.slice(0, MOST_ENDINGS).map(([ending, count]) => `${count} ${ending}`);
  const rest = sorted.length > MOST_ENDINGS ? ", and others" : "";
  return [
    `${total} ${total === 1 ? "file is" : "files are"} of no known kind and left out: ${told.join(", ")}${rest}.`,
  ];
}
