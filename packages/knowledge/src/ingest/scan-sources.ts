import { stat } from "node:fs/promises";
import path from "node:path";
import type { FileAccess } from "@toolwright/kit/files";
import type { Collection, Cut } from "../collections/collection.js";
import { otherDocumentsError, otherFolderError } from "../collections/errors.js";
import { READER_FILE, Reader } from "../documents/reader.js";
import { READ_LIMITS } from "../documents/reading.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { type DiscoveredSources, discover, type SkippedSource } from "./discover.js";
import { documentId } from "./fingerprint.js";
import type { IngestCall, IngestOptions, IngestProgress, Outcome } from "./ingest-options.js";
import { type Reading, readSources } from "./read-sources.js";
import type { IngestRun } from "./run.js";
import type { Member, VersionDraft } from "./version-draft.js";

/** What an ingest looks with, whether it writes or not. */
export interface ScanContext {
  readonly context: KnowledgeContext;
  readonly call: IngestCall;
  readonly options: IngestOptions;
  readonly cut: Cut;
  readonly progress: IngestProgress;
  readonly signal: AbortSignal;
}

/** What a version is built with: what documents are looked through with, and the hold on the collection. */
export interface BuildContext extends ScanContext {
  readonly run: IngestRun;
}

/** What was seen beside the documents. */
interface ScanResult extends Pick<DiscoveredSources, "unknown"> {
  /** What the paths are relative to; undefined where none is. */
  readonly folder: string | undefined;
}

/** From so many documents on a second thread pays, which reads while this one writes. */
const BUSY_DOCUMENTS = 32;

/** Finds the documents, reads those that are new, and takes out those that are gone. */
export async function scanSources(
  { context, call, options, cut, progress, signal }: ScanContext,
  draft: VersionDraft,
  {
    of,
    known,
    edition,
    write,
    note,
  }: Pick<Reading, "known" | "edition" | "write" | "note"> & { readonly of: Collection },
): Promise<ScanResult> {
  const { maxDocuments: limit, maxDocumentBytes: mostBytes } = context.settings;
  const access =
    (options.paths ?? []).length === 0 ? undefined : await context.fileAccess({ ...toFileCaller(call), signal });
  progress.at("discover", 0, 0);
  const found = await discover(access, options, limit, (count) => progress.at("discover", count, 0));
  const folder = access && (await resolveFolder(access, of, found, draft.parent));
  if (access !== undefined) await refuseMissing(access, draft, found);
  for (const skipped of found.skipped) await note(refuse(draft, options.collection, skipped));
  const total = found.sources.length;
  const onProgress = (done: number): void => progress.at("read", done, total);
  const limits = { ...READ_LIMITS, bytes: mostBytes };
  const reader = new Reader({ file: READER_FILE, limits, isBusy: total >= BUSY_DOCUMENTS });
  const { collection } = options;
  try {
    onProgress(0);
    await readSources(
      { known, collection, access, reader, cut, edition, mostBytes, draft, write, note, onProgress, signal },
      found.sources,
    );
  } finally {
    await reader.close();
  }
  if (options.delete_missing !== false)
    for (const { document } of missingMembers(draft.parent, found)) draft.drop(document);
  return { unknown: found.unknown, folder };
}

/** Only what was asked of a call: its methods may need it whole. */
const toFileCaller = (call: IngestCall): Pick<IngestCall, "supports" | "roots"> => ({
  supports: (what) => call.supports(what),
  roots: () => call.roots(),
});

/** A text that was given under the name of such a file is another thing, and stays. */
function refuse(draft: VersionDraft, collection: string, { source, reason, isSecret }: SkippedSource): Outcome {
  const document = documentId(collection, source);
  return isSecret && draft.parent.get(document)?.origin === "file"
    ? draft.hide(document, source, reason)
    : draft.refuse(document, source, "skipped", reason);
}

/** A path that is not there is right where it was: then its documents go. Else it was mistyped. */
async function refuseMissing(access: FileAccess, draft: VersionDraft, { missing }: DiscoveredSources): Promise<void> {
  for (const one of missing) {
    const isKnown = [...draft.parent.values()].some(
      ({ source, origin }) => origin === "file" && (source === one || source.startsWith(`${one}/`)),
    );
    // It throws, with the name that was meant.
    if (!isKnown) await (await access.openFile(one)).handle.close();
  }
}

/**
 * The folder that the paths of an ingest are relative to; undefined where none of them is, or nobody knows of those of before.
 * Throws if the documents of the collection are those of another one. One that is not here any more was moved, or is that of
 * another machine.
 */
async function resolveFolder(
  access: FileAccess,
  { name, folder }: Collection,
  found: DiscoveredSources,
  parent: ReadonlyMap<string, Member>,
): Promise<string | undefined> {
  const [here] = access.roots;
  if (here === undefined || !hasRelative(found)) return undefined;
  if (folder !== null && folder !== here && (await folderExists(access, folder)))
    throw otherFolderError(name, folder, here);
  if (folder !== null || hasKnownSource(parent, found)) return here;
  if (missingMembers(parent, found).some(isRelative)) throw otherDocumentsError(name, here);
  return undefined;
}

/** Whether one of the documents of before was come by, or there are none: else they may be those of any folder. */
function hasKnownSource(parent: ReadonlyMap<string, Member>, found: DiscoveredSources): boolean {
  const before = [...parent.values()].filter((member) => member.origin === "file" && isRelative(member));
  const seen = foundPaths(found);
  return before.length === 0 || before.some(({ source }) => seen.has(source));
}

const isRelative = ({ source }: Pick<Member, "source">): boolean => !path.isAbsolute(source);

function hasRelative({ sources, skipped, folders, missing }: DiscoveredSources): boolean {
  const files = sources.filter(({ place }) => place !== undefined);
  const named = [...files, ...skipped].map(({ source }) => source);
  return [...folders, ...missing, ...named].some((source) => !path.isAbsolute(source));
}

/** Whether there is such a folder on this machine, reached or not. */
export const folderExists = (access: FileAccess, folder: string): Promise<boolean> =>
  access.withTimeout(folder, async () => {
    try {
      return (await stat(folder)).isDirectory();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOENT" && code !== "ENOTDIR";
    }
  });

/** The paths of all files that were come by, taken or not. */
const foundPaths = ({ sources, skipped }: DiscoveredSources): ReadonlySet<string> =>
  new Set([...sources, ...skipped].map(({ source }) => source));

/** The documents of before whose files should have been come by, and were not. */
function missingMembers(parent: ReadonlyMap<string, Member>, found: DiscoveredSources): readonly Member[] {
  const { folders, missing } = found;
  const seen = foundPaths(found);
  const isGone = (source: string): boolean =>
    folders.some((folder) => (folder === "" ? !path.isAbsolute(source) : source.startsWith(folder))) ||
    missing.some((one) => source === one || source.startsWith(`${one}/`));
  return [...parent.values()].filter(({ source, origin }) => origin === "file" && !seen.has(source) && isGone(source));
}
