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

/** The inputs for scanning documents, with or without writing. */
export interface ScanContext {
  readonly context: KnowledgeContext;
  readonly call: IngestCall;
  readonly options: IngestOptions;
  readonly cut: Cut;
  readonly progress: IngestProgress;
  readonly signal: AbortSignal;
}

/** The inputs for building a version: those for scanning, and the lease on the collection. */
export interface BuildContext extends ScanContext {
  readonly run: IngestRun;
}

/** Further results of a scan. */
interface ScanResult extends Pick<DiscoveredSources, "unknown"> {
  /** The folder that the paths are relative to; undefined if no path is relative. */
  readonly folder: string | undefined;
}

/** From this number of documents, a worker thread reads while the main thread writes. */
const BUSY_DOCUMENTS = 32;

/** Finds the documents, reads new ones, and drops those whose files no longer exist. */
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
  const { maxDocuments: limit, maxDocumentBytes: maxBytes } = context.settings;
  const access =
    (options.paths ?? []).length === 0 ? undefined : await context.fileAccess({ ...toFileCaller(call), signal });
  progress.at("discover", 0, 0);
  const found = await discover(access, options, limit, (count) => progress.at("discover", count, 0));
  const folder = access && (await resolveFolder(access, of, found, draft.parent));
  if (access !== undefined) await refuseMissing(access, draft, found);
  for (const skipped of found.skipped) await note(refuse(draft, options.collection, skipped));
  const total = found.sources.length;
  const onProgress = (done: number): void => progress.at("read", done, total);
  const limits = { ...READ_LIMITS, bytes: maxBytes };
  const reader = new Reader({ file: READER_FILE, limits, isBusy: total >= BUSY_DOCUMENTS });
  const { collection } = options;
  try {
    onProgress(0);
    await readSources(
      { known, collection, access, reader, cut, edition, maxBytes, draft, write, note, onProgress, signal },
      found.sources,
    );
  } finally {
    await reader.close();
  }
  if (options.delete_missing !== false)
    for (const { document } of missingMembers(draft.parent, found)) draft.drop(document);
  return { unknown: found.unknown, folder };
}

/** Forwards the methods of a call with their receiver. */
const toFileCaller = (call: IngestCall): Pick<IngestCall, "supports" | "roots"> => ({
  supports: (what) => call.supports(what),
  roots: () => call.roots(),
});

/** A text that was ingested under the name of a secret file is kept. */
function refuse(draft: VersionDraft, collection: string, { source, reason, isSecret }: SkippedSource): Outcome {
  const document = documentId(collection, source);
  return isSecret && draft.parent.get(document)?.origin === "file"
    ? draft.hide(document, source, reason)
    : draft.refuse(document, source, "skipped", reason);
}

/** A missing path is valid if the collection has documents from it: they are removed. Otherwise it is an error. */
async function refuseMissing(access: FileAccess, draft: VersionDraft, { missing }: DiscoveredSources): Promise<void> {
  for (const one of missing) {
    const isKnown = [...draft.parent.values()].some(
      ({ source, origin }) => origin === "file" && (source === one || source.startsWith(`${one}/`)),
    );
    // Throws the "not found" error of file access.
    if (!isKnown) await (await access.openFile(one)).handle.close();
  }
}

/**
 * Returns the folder that the paths of an ingest are relative to; undefined if no path is relative or the folder of existing
 * documents is unknown. Throws if the documents of the collection belong to another folder. A folder that no longer exists was
 * moved or is on another machine.
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

/** Whether the ingest found one of the existing documents, or there are none. Otherwise they may belong to any folder. */
function hasKnownSource(parent: ReadonlyMap<string, Member>, found: DiscoveredSources): boolean {
  const before = [...parent.values()].filter((member) => member.origin === "file" && isRelative(member));
  const seen = foundPaths(found);
  return before.length === 0 || before.some(({ source }) => seen.has(source));
}

const isRelative = ({ source }: Pick<Member, "source">): boolean => !path.isAbsolute(source);

function hasRelative({ sources, skipped, folders, missing }: DiscoveredSources): boolean {
  const files = sources.filter(({ realPath }) => realPath !== undefined);
  const named = [...files, ...skipped].map(({ source }) => source);
  return [...folders, ...missing, ...named].some((source) => !path.isAbsolute(source));
}

/** Whether a folder exists on this machine, even if it is not accessible. */
export const folderExists = (access: FileAccess, folder: string): Promise<boolean> =>
  access.withTimeout(folder, async () => {
    try {
      return (await stat(folder)).isDirectory();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOENT" && code !== "ENOTDIR";
    }
  });

/** The paths of all files that were found, including skipped ones. */
const foundPaths = ({ sources, skipped }: DiscoveredSources): ReadonlySet<string> =>
  new Set([...sources, ...skipped].map(({ source }) => source));

/** Existing documents in the scanned paths whose files were not found. */
function missingMembers(parent: ReadonlyMap<string, Member>, found: DiscoveredSources): readonly Member[] {
  const { folders, missing } = found;
  const seen = foundPaths(found);
  const isGone = (source: string): boolean =>
    folders.some((folder) => (folder === "" ? !path.isAbsolute(source) : source.startsWith(folder))) ||
    missing.some((one) => source === one || source.startsWith(`${one}/`));
  return [...parent.values()].filter(({ source, origin }) => origin === "file" && !seen.has(source) && isGone(source));
}
