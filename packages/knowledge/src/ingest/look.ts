import type { FileAccess } from "@toolwright/kit/files";
import type { Base } from "../base.js";
import type { Collection } from "../collections/collection.js";
import type { Cut } from "../collections/cut.js";
import { Reader } from "../documents/reader.js";
import { READER_FILE } from "../documents/reader-file.js";
import { READ_LIMITS } from "../documents/reading.js";
import { discover } from "./discover.js";
import { documentId } from "./fingerprint.js";
import { folderOf } from "./folder.js";
import type { Gathering } from "./gathering.js";
import { goneFrom } from "./gone.js";
import type { Progress } from "./progress.js";
import { type Reading, readSources } from "./read-sources.js";
import type { Run } from "./run.js";
import type { Discovered, Refused } from "./source.js";
import type { IngestCall, IngestWish, Outcome } from "./wish.js";

/** What an ingest looks with, whether it writes or not. */
export interface Look {
  readonly base: Base;
  readonly call: IngestCall;
  readonly wish: IngestWish;
  readonly cut: Cut;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What a version is built with: what documents are looked through with, and the hold on the collection. */
export interface Build extends Look {
  readonly run: Run;
}

/** What was seen beside the documents. */
interface Seen extends Pick<Discovered, "unknown"> {
  /** What the paths are relative to; undefined where none is. */
  readonly folder: string | undefined;
}

/** From so many documents on a second thread pays, which reads while this one writes. */
const MANY = 32;

/** Finds the documents, reads those that are new, and takes out those that are gone. */
export async function lookThrough(
  { base, call, wish, cut, progress, signal }: Look,
  gathering: Gathering,
  {
    of,
    known,
    edition,
    write,
    note,
  }: Pick<Reading, "known" | "edition" | "write" | "note"> & { readonly of: Collection },
): Promise<Seen> {
  const { max_documents: most, max_document_bytes: mostBytes } = base.settings;
  const reach = (wish.paths ?? []).length === 0 ? undefined : await base.reach({ ...callerOf(call), signal });
  progress.at("discover", 0, 0, "looking for documents");
  const found = await discover(reach, wish, most, (count) => progress.at("discover", 0, 0, `${count} documents found`));
  const folder = reach && (await folderOf(reach, of, found, gathering.parent));
  if (reach !== undefined) await refuseMissing(reach, gathering, found);
  for (const refused of found.refused) await note(refuse(gathering, wish.collection, refused));
  const total = found.sources.length;
  const hear = (done: number): void => progress.at("read", done, total, `${done} of ${total} documents`);
  const limits = { ...READ_LIMITS, bytes: mostBytes };
  const reader = new Reader({ file: READER_FILE, limits, isBusy: total >= MANY });
  const { collection } = wish;
  try {
    hear(0);
    await readSources(
      { known, collection, reach, reader, cut, edition, mostBytes, gathering, write, note, hear, signal },
      found.sources,
    );
  } finally {
    await reader.close();
  }
  if (wish.delete_missing !== false)
    for (const { document } of goneFrom(gathering.parent, found)) gathering.drop(document);
  return { unknown: found.unknown, folder };
}

/** Only what was asked of a call: its methods may need it whole. */
const callerOf = (call: IngestCall): Pick<IngestCall, "supports" | "roots"> => ({
  supports: (what) => call.supports(what),
  roots: () => call.roots(),
});

/** A text that was given under the name of such a file is another thing, and stays. */
function refuse(gathering: Gathering, collection: string, { source, reason, isSecret }: Refused): Outcome {
  const document = documentId(collection, source);
  return isSecret && gathering.parent.get(document)?.origin === "file"
    ? gathering.hide(document, source, reason)
    : gathering.refuse(document, source, "skipped", reason);
}

/** A path that is not there is right where it was: then its documents go. Else it was mistyped. */
async function refuseMissing(reach: FileAccess, gathering: Gathering, { missing }: Discovered): Promise<void> {
  for (const one of missing) {
    const isKnown = [...gathering.parent.values()].some(
      ({ source, origin }) => origin === "file" && (source === one || source.startsWith(`${one}/`)),
    );
    // It throws, with the name that was meant.
    if (!isKnown) await (await reach.openFile(one)).handle.close();
  }
}
