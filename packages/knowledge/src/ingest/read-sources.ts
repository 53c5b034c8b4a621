import { setMaxListeners } from "node:events";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Cut } from "../collections/collection.js";
import { kindByName } from "../documents/kind.js";
import type { Reader } from "../documents/reader.js";
import { tooLarge, UnreadableDocument } from "../documents/reading.js";
import { bufferSize } from "../large-buffer.js";
import { type Source, secretContent } from "./discover.js";
import { YieldTimer } from "./embed-chunks.js";
import { documentId, fingerprintOf, sha256 } from "./fingerprint.js";
import type { Outcome } from "./ingest-options.js";
import { type KnownRevision, revisionKey, type VersionDraft } from "./version-draft.js";
import type { PreparedDocument } from "./write-revision.js";

/** The dependencies and options for reading documents. */
export interface Reading {
  /** Revisions that need not be read again. */
  readonly known: ReadonlyMap<string, KnownRevision>;
  readonly collection: string;
  readonly access: FileAccess | undefined;
  readonly reader: Reader;
  readonly cut: Cut;
  /** The number of the new version if every document is read again, else 0. */
  readonly edition: number;
  readonly maxBytes: number;
  readonly draft: VersionDraft;
  /** Writes a document, and passes its revision to `written`. */
  readonly write: (prepared: PreparedDocument, written: (revision: number) => void) => Promise<void>;
  readonly note: (outcome: Outcome) => Promise<void>;
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** The number of documents that are read ahead. Documents above the size limit are read alone. */
const DOCUMENTS_AHEAD = 16;
const LARGE_DOCUMENT = 1_000_000;

/** The same text in all threads; it is compared below. */
const NO_TEXT = "it contains no text";

/** The remaining step for a document: write it, or record why it was not read. */
type FinishDocument = () => Promise<void>;

/** Reads and splits the documents that have no revision with their current fingerprint. */
export async function readSources(reading: Reading, sources: readonly Source[]): Promise<void> {
  const yieldTimer = new YieldTimer();
  const ahead: Promise<FinishDocument>[] = [];
  // Each document that is read ahead adds a listener; this is not a leak.
  setMaxListeners(2 * DOCUMENTS_AHEAD, reading.signal);
  let done = 0;
  const finish = async (limit: number): Promise<void> => {
    while (ahead.length > limit) {
      await (await ahead.shift())?.();
      reading.signal.throwIfAborted();
      done += 1;
      reading.onProgress(done);
      await yieldTimer.yieldIfDue();
    }
  };
  try {
    for await (const loaded of load(reading.access, sources, reading.maxBytes)) {
      reading.signal.throwIfAborted();
      const isLarge = (loaded.bytes?.length ?? 0) > LARGE_DOCUMENT;
      if (isLarge) await finish(0);
      ahead.push(readSource(reading, loaded));
      // The promise is awaited later. This prevents an unhandled rejection until then.
      ahead.at(-1)?.catch(() => undefined);
      await finish(isLarge ? 0 : DOCUMENTS_AHEAD);
    }
    await finish(0);
  } finally {
    await Promise.allSettled(ahead);
  }
}

async function readSource(
  reading: Reading,
  { source, bytes, reason, isTooLarge, modifiedAt }: LoadedFile,
): Promise<FinishDocument> {
  const { draft, collection, cut, edition } = reading;
  const document = documentId(collection, source.source);
  const refuse = (status: "failed" | "skipped", why: string): FinishDocument => {
    return () => reading.note(draft.refuse(document, source.source, status, why));
  };
  if (bytes === undefined) return refuse(isTooLarge ? "skipped" : "failed", reason ?? "the file no longer exists");
  const secret = secretContent(bytes);
  if (secret !== undefined) return () => reading.note(draft.hide(document, source.source, secret));
  const hash = await sha256(bytes);
  const fingerprint = fingerprintOf(hash, source, cut);
  if (edition === 0 && draft.parent.get(document)?.fingerprint === fingerprint) return async () => draft.keep();
  const identity = { document, fingerprint, edition };
  const success = { source: source.source, status: "success", document } as const;
  const existing = reading.known.get(revisionKey(document, fingerprint));
  if (existing !== undefined && existing.edition >= edition)
    return () => {
      draft.take(document, { ...existing, fingerprint });
      return reading.note(success);
    };
  try {
    const size = bytes.length;
    const file = { name: source.source, bytes, isOwned: true } as const;
    const { reading: read, chunks } = await reading.reader.readAndCut(file, cut, reading.signal);
    if (chunks.length === 0) throw new UnreadableDocument(NO_TEXT);
    const prepared = { ...identity, source, sha256: hash, bytes: size, modifiedAt, reading: read, chunks };
    return async () => {
      await reading.write(prepared, (revision) =>
        draft.take(document, { revision, fingerprint, chunks: chunks.length }),
      );
      await reading.note(success);
    };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    if (error.message === NO_TEXT) return () => reading.note(draft.empty(document, source.source, NO_TEXT));
    return refuse("skipped", error.message);
  }
}

/** The bytes of a file, or why there are none. */
interface LoadedFile {
  readonly source: Source;
  readonly bytes?: Uint8Array;
  readonly modifiedAt?: string | undefined;
  readonly reason?: string;
  /** Only its size is the problem. */
  readonly isTooLarge?: true;
}

/** The number of files that are opened ahead. Larger files are loaded one at a time to save memory. */
const FILES_AHEAD = 8;
const LARGE_FILE = 1_000_000;

/** Loads documents in order, and small ones ahead of time. */
async function* load(
  access: FileAccess | undefined,
  sources: readonly Source[],
  limit: number,
): AsyncGenerator<LoadedFile, void> {
  const started: Promise<LoadedFile | undefined>[] = [];
  let next = 0;
  try {
    for (const source of sources) {
      while (next < sources.length && started.length < FILES_AHEAD) {
        const one = loadOne(access, sources[next++] as Source, Math.min(limit, LARGE_FILE), limit);
        // The promise is awaited later. This prevents an unhandled rejection until then.
        one.catch(() => undefined);
        started.push(one);
      }
      yield (await started.shift()) ??
        (await loadOne(access, source, limit, limit)) ?? { source, reason: "the file no longer exists" };
    }
  } finally {
    await Promise.allSettled(started);
  }
}

/** Returns undefined if the file has more than `maxNow` bytes and at most `limit`. */
async function loadOne(
  access: FileAccess | undefined,
  source: Source,
  maxNow: number,
  limit: number,
): Promise<LoadedFile | undefined> {
  const { text, realPath, source: displayPath } = source;
  if (text !== undefined) return { source, bytes: bytesOf(text) };
  if (access === undefined || realPath === undefined) return { source, reason: "it has no content" };
  try {
    await using file = await access.openFileAt(displayPath, realPath);
    const { size, mtime } = file.stats;
    const reason = tooLarge(size, limit);
    if (reason !== undefined) return { source, reason, isTooLarge: true };
    if (size > maxNow) return undefined;
    const bytes = await access.withTimeout(displayPath, () => readBytes(file.handle, displayPath, size));
    return { source, bytes, modifiedAt: mtime.toISOString() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { source, reason: error.message };
  }
}

/** Uses a separate buffer: buffers from the shared pool cannot be transferred to another thread. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Reads the bytes of a file of the given size into a separate buffer.
 *
 * @public A program of the tests uses it.
 */
export async function readBytes(handle: Pick<FileHandle, "read">, name: string, size: number): Promise<Uint8Array> {
  // The PDF parser copies the bytes if they do not fill their buffer.
  const bytes = Buffer.allocUnsafeSlow(kindByName(name) === "pdf" ? size : bufferSize(size));
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
