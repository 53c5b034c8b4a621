import type { Reach } from "../../../files/reach.js";
import { chunk } from "../chunks/chunk.js";
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
  readonly reach: Reach | undefined;
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

/** Reads and cuts the documents that are not there yet in the form that they have now. */
export async function readSources(reading: Reading, sources: readonly Source[]): Promise<void> {
  const pace = new Pace();
  let done = 0;
  for await (const loaded of load(reading.reach, sources, reading.mostBytes)) {
    reading.signal.throwIfAborted();
    await readOne(reading, loaded);
    done += 1;
    reading.hear(done);
    await pace.rest();
  }
}

async function readOne(reading: Reading, { source, bytes, reason, isTooLarge, modifiedAt }: Loaded): Promise<void> {
  const { gathering, collection, cut, edition } = reading;
  const document = documentId(collection, source.source);
  const refuse = (status: "failed" | "skipped", why: string): Promise<void> =>
    reading.note(gathering.refuse(document, source.source, status, why));
  if (bytes === undefined) return refuse(isTooLarge ? "skipped" : "failed", reason ?? "it is gone");
  const secret = secretContent(bytes);
  if (secret !== undefined) return refuse("skipped", secret);
  const hash = await sha256(bytes);
  const fingerprint = fingerprintOf(hash, source, cut);
  if (edition === 0 && gathering.parent.get(document)?.fingerprint === fingerprint) return gathering.keep();
  const identity = { document, fingerprint, edition };
  const success = { source: source.source, status: "success", document } as const;
  const there = reading.known.get(knownKey(document, fingerprint));
  if (there !== undefined && there.edition >= edition) {
    gathering.take(document, { ...there, fingerprint });
    return reading.note(success);
  }
  try {
    const size = bytes.length;
    const read = await reading.reader.read({ name: source.source, bytes, isOwned: true }, reading.signal);
    const chunks = chunk(read, cut);
    if (chunks.length === 0) throw new UnreadableDocument("there is no text in it");
    const prepared = { ...identity, source, sha256: hash, bytes: size, modifiedAt, reading: read, chunks };
    await reading.write(prepared, (revision) =>
      gathering.take(document, { revision, fingerprint, chunks: chunks.length }),
    );
    await reading.note(success);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    await refuse("skipped", error.message);
  }
}
