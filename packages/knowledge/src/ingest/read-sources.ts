import { setMaxListeners } from "node:events";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import type { Cut } from "../collections/collection.js";
import { kindByName } from "../documents/kind.js";
import type { Reader } from "../documents/reader.js";
import { tooLarge, UnreadableDocument } from "../documents/reading.js";
import { roomFor } from "../large-buffer.js";
import { type Source, secretContent } from "./discover.js";
import { Pace } from "./embed-chunks.js";
import { documentId, fingerprintOf, sha256 } from "./fingerprint.js";
import type { Outcome } from "./ingest-options.js";
import { type Gathering, type Known, knownKey } from "./version-draft.js";
import type { Prepared } from "./write-revision.js";

/** What documents are read with, and where they go. */
export interface Reading {
  /** Revisions that need not be read again. */
  readonly known: ReadonlyMap<string, Known>;
  readonly collection: string;
  readonly reach: FileAccess | undefined;
  readonly reader: Reader;
  readonly cut: Cut;
  /** The number of the version where every document is read again, else 0. */
  readonly edition: number;
  readonly mostBytes: number;
  readonly gathering: Gathering;
  /** Takes a document that was read; `written` is told its revision. */
  readonly write: (prepared: Prepared, written: (revision: number) => void) => Promise<void>;
  readonly note: (outcome: Outcome) => Promise<void>;
  readonly hear: (done: number) => void;
  readonly signal: AbortSignal;
}

/** How many documents are read ahead of the one that is written, and from which size on one is read alone. */
const DOCUMENTS_AHEAD = 16;
const LARGE_DOCUMENT = 1_000_000;

/** As all who read documents say it, in whatever thread. */
const NO_TEXT = "there is no text in it";

/** What is left to do with a document that was read: to write it, or to note why not. */
type Rest = () => Promise<void>;

/** Reads and cuts the documents that are not there yet in the form that they have now. */
export async function readSources(reading: Reading, sources: readonly Source[]): Promise<void> {
  const pace = new Pace();
  const ahead: Promise<Rest>[] = [];
  // Each document that is read ahead waits for it, which is no leak.
  setMaxListeners(2 * DOCUMENTS_AHEAD, reading.signal);
  let done = 0;
  const finish = async (most: number): Promise<void> => {
    while (ahead.length > most) {
      await (await ahead.shift())?.();
      reading.signal.throwIfAborted();
      done += 1;
      reading.hear(done);
      await pace.rest();
    }
  };
  try {
    for await (const loaded of load(reading.reach, sources, reading.mostBytes)) {
      reading.signal.throwIfAborted();
      const isLarge = (loaded.bytes?.length ?? 0) > LARGE_DOCUMENT;
      if (isLarge) await finish(0);
      ahead.push(readOne(reading, loaded));
      // Whoever waits for it hears of its failure; until somebody does, it ends nothing.
      ahead.at(-1)?.catch(() => undefined);
      await finish(isLarge ? 0 : DOCUMENTS_AHEAD);
    }
    await finish(0);
  } finally {
    await Promise.allSettled(ahead);
  }
}

async function readOne(reading: Reading, { source, bytes, reason, isTooLarge, modifiedAt }: Loaded): Promise<Rest> {
  const { gathering, collection, cut, edition } = reading;
  const document = documentId(collection, source.source);
  const refuse = (status: "failed" | "skipped", why: string): Rest => {
    return () => reading.note(gathering.refuse(document, source.source, status, why));
  };
  if (bytes === undefined) return refuse(isTooLarge ? "skipped" : "failed", reason ?? "it is gone");
  const secret = secretContent(bytes);
  if (secret !== undefined) return () => reading.note(gathering.hide(document, source.source, secret));
  const hash = await sha256(bytes);
  const fingerprint = fingerprintOf(hash, source, cut);
  if (edition === 0 && gathering.parent.get(document)?.fingerprint === fingerprint) return async () => gathering.keep();
  const identity = { document, fingerprint, edition };
  const success = { source: source.source, status: "success", document } as const;
  const there = reading.known.get(knownKey(document, fingerprint));
  if (there !== undefined && there.edition >= edition)
    return () => {
      gathering.take(document, { ...there, fingerprint });
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
        gathering.take(document, { revision, fingerprint, chunks: chunks.length }),
      );
      await reading.note(success);
    };
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    if (error.message === NO_TEXT) return () => reading.note(gathering.empty(document, source.source, NO_TEXT));
    return refuse("skipped", error.message);
  }
}

/** A document's bytes, or why it has none. */
export interface Loaded {
  readonly source: Source;
  readonly bytes?: Uint8Array;
  readonly modifiedAt?: string | undefined;
  readonly reason?: string;
  /** Nothing is wrong with it but its size. */
  readonly isTooLarge?: true;
}

/** How many files are opened ahead of those that are worked on; larger ones wait for their turn, so that few are held at once. */
const FILES_AHEAD = 8;
const LARGE_FILE = 1_000_000;

/** Loads documents one after the other, and small ones a little ahead. */
export async function* load(
  reach: FileAccess | undefined,
  sources: readonly Source[],
  most: number,
): AsyncGenerator<Loaded, void> {
  const started: Promise<Loaded | undefined>[] = [];
  let next = 0;
  try {
    for (const source of sources) {
      while (next < sources.length && started.length < FILES_AHEAD) {
        const one = loadOne(reach, sources[next++] as Source, Math.min(most, LARGE_FILE), most);
        // Whoever waits for it hears of its failure; until somebody does, it ends nothing.
        one.catch(() => undefined);
        started.push(one);
      }
      yield (await started.shift()) ?? (await loadOne(reach, source, most, most)) ?? { source, reason: "it is gone" };
    }
  } finally {
    await Promise.allSettled(started);
  }
}

/** Undefined = it has more than `now` bytes, and less than `most`. */
async function loadOne(
  reach: FileAccess | undefined,
  source: Source,
  now: number,
  most: number,
): Promise<Loaded | undefined> {
  const { text, place, source: shown } = source;
  if (text !== undefined) return { source, bytes: bytesOf(text) };
  if (reach === undefined || place === undefined) return { source, reason: "it has no content" };
  try {
    await using file = await reach.openFound(shown, place);
    const { size, mtime } = file.stats;
    const reason = tooLarge(size, most);
    if (reason !== undefined) return { source, reason, isTooLarge: true };
    if (size > now) return undefined;
    const bytes = await reach.attempt(shown, () => readBytes(file.handle, shown, size));
    return { source, bytes, modifiedAt: mtime.toISOString() };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { source, reason: error.message };
  }
}

/** In a buffer of their own: those that many small ones share cannot be moved to another thread. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The bytes of a file that has so many of them, in a buffer that is theirs alone. */
export async function readBytes(handle: Pick<FileHandle, "read">, name: string, size: number): Promise<Uint8Array> {
  // What reads PDF makes a copy of what does not fill its buffer.
  const bytes = Buffer.allocUnsafeSlow(kindByName(name) === "pdf" ? size : roomFor(size));
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
