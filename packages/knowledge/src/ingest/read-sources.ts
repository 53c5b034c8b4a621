import { setMaxListeners } from "node:events";
import type { FileAccess } from "@toolwright/kit/files";
import type { Cut } from "../collections/cut.js";
import type { Reader } from "../documents/reader.js";
import { UnreadableDocument } from "../documents/reading.js";
import { documentId, fingerprintOf, sha256 } from "./fingerprint.js";
import type { Gathering } from "./gathering.js";
import { type Loaded, load } from "./load.js";
import { type Known, knownKey } from "./members.js";
import { Pace } from "./pace.js";
import { secretContent } from "./secrets.js";
import type { Source } from "./source.js";
import type { Outcome } from "./wish.js";
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
const AHEAD = 16;
const LARGE = 1_000_000;

/** As all who read documents say it, in whatever thread. */
const NO_TEXT = "there is no text in it";

/** What is left to do with a document that was read: to write it, or to note why not. */
type Rest = () => Promise<void>;

/** Reads and cuts the documents that are not there yet in the form that they have now. */
export async function readSources(reading: Reading, sources: readonly Source[]): Promise<void> {
  const pace = new Pace();
  const ahead: Promise<Rest>[] = [];
  // Each document that is read ahead waits for it, which is no leak.
  setMaxListeners(2 * AHEAD, reading.signal);
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
      const isLarge = (loaded.bytes?.length ?? 0) > LARGE;
      if (isLarge) await finish(0);
      ahead.push(readOne(reading, loaded));
      // Whoever waits for it hears of its failure; until somebody does, it ends nothing.
      ahead.at(-1)?.catch(() => undefined);
      await finish(isLarge ? 0 : AHEAD);
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
