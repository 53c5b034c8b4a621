import { stat } from "node:fs/promises";
import path from "node:path";
import type { FileAccess } from "@toolwright/kit/files";
import type { Collection, Cut } from "../collections/collection.js";
import { otherDocuments, otherFolder } from "../collections/errors.js";
import { READER_FILE, Reader } from "../documents/reader.js";
import { READ_LIMITS } from "../documents/reading.js";
import type { Base } from "../knowledge-context.js";
import { type Discovered, discover, type Refused } from "./discover.js";
import { documentId } from "./fingerprint.js";
import type { IngestCall, IngestWish, Outcome, Progress } from "./ingest-options.js";
import { type Reading, readSources } from "./read-sources.js";
import type { Run } from "./run.js";
import type { Gathering, Member } from "./version-draft.js";

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

/**
 * The folder that the paths of an ingest are relative to; undefined where none of them is, or nobody knows of those of before.
 * Throws where the documents of the collection are those of another one. One that is not here any more was moved, or is that of
 * another machine.
 */
export async function folderOf(
  reach: FileAccess,
  { name, folder }: Collection,
  found: Discovered,
  parent: ReadonlyMap<string, Member>,
): Promise<string | undefined> {
  const [here] = reach.roots;
  if (here === undefined || !hasRelative(found)) return undefined;
  if (folder !== null && folder !== here && (await isHere(reach, folder))) throw otherFolder(name, folder, here);
  if (folder !== null || isAmong(parent, found)) return here;
  if (goneFrom(parent, found).some(isRelative)) throw otherDocuments(name, here);
  return undefined;
}

/** Whether one of the documents of before was come by, or there are none: else they may be those of any folder. */
function isAmong(parent: ReadonlyMap<string, Member>, found: Discovered): boolean {
  const before = [...parent.values()].filter((member) => member.origin === "file" && isRelative(member));
  const seen = seenIn(found);
  return before.length === 0 || before.some(({ source }) => seen.has(source));
}

const isRelative = ({ source }: Pick<Member, "source">): boolean => !path.isAbsolute(source);

function hasRelative({ sources, refused, folders, missing }: Discovered): boolean {
  const files = sources.filter(({ place }) => place !== undefined);
  const named = [...files, ...refused].map(({ source }) => source);
  return [...folders, ...missing, ...named].some((source) => !path.isAbsolute(source));
}

/** Whether there is such a folder on this machine, reached or not. */
export const isHere = (reach: FileAccess, folder: string): Promise<boolean> =>
  reach.attempt(folder, async () => {
    try {
      return (await stat(folder)).isDirectory();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOENT" && code !== "ENOTDIR";
    }
  });

/** The paths of all files that were come by, taken or not. */
export const seenIn = ({ sources, refused }: Discovered): ReadonlySet<string> =>
  new Set([...sources, ...refused].map(({ source }) => source));

/** The documents of before whose files should have been come by, and were not. */
export function goneFrom(parent: ReadonlyMap<string, Member>, found: Discovered): readonly Member[] {
  const { folders, missing } = found;
  const seen = seenIn(found);
  const isGone = (source: string): boolean =>
    folders.some((folder) => (folder === "" ? !path.isAbsolute(source) : source.startsWith(folder))) ||
    missing.some((one) => source === one || source.startsWith(`${one}/`));
  return [...parent.values()].filter(({ source, origin }) => origin === "file" && !seen.has(source) && isGone(source));
}
