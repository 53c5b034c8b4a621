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
    ...gathering.counts,
    outcomes: gathering.told,
    warnings: unknownKinds(unknown),
  };
}

/** Files that nobody has named and that are of no known kind are counted, not listed. */
export const unknownKinds = (count: number): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? "file is" : "files are"} of no known kind and left out.`];
