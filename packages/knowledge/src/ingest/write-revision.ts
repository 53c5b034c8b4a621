import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { insertRows, type Sql } from "@toolwright/kit/storage";
import type { Chunk } from "../chunks/chunk.js";
import type { Read } from "../documents/reader.js";
import type { SomeText } from "../documents/reading.js";
import type { Source } from "./discover.js";
import { chunkId, embeddingHash } from "./fingerprint.js";
import type { Outcome } from "./ingest-options.js";
import type { IngestRun } from "./run.js";

/** A document that was read and split, ready to write. */
export interface PreparedDocument {
  readonly document: string;
  readonly source: Source;
  readonly fingerprint: string;
  /** 0, or the number of the version for which it was read again. */
  readonly edition: number;
  readonly sha256: string;
  readonly bytes: number;
  readonly modifiedAt: string | undefined;
  readonly reading: Read["reading"];
  readonly chunks: readonly Chunk[];
}

/** Returns the row of a complete revision; undefined if there is none. */
export async function findRevision(
  sql: Sql,
  { document, fingerprint, edition }: Pick<PreparedDocument, "document" | "fingerprint" | "edition">,
): Promise<{ readonly id: number; readonly chunks: number } | undefined> {
  const row = await sql.get(
    "SELECT id, chunks FROM revisions WHERE document = ? AND fingerprint = ? AND edition >= ? AND is_whole = 1 ORDER BY edition DESC LIMIT 1",
    document,
    fingerprint,
    edition,
  );
  return row && { id: Number(row["id"]), chunks: Number(row["chunks"]) };
}

/** Creates a revision without passages, and removes an incomplete one of an earlier run. */
async function beginRevision(sql: Sql, collection: number, prepared: PreparedDocument, at: string): Promise<number> {
  const { document, source, fingerprint, edition, sha256, bytes, modifiedAt = null, reading, chunks } = prepared;
  await sql.run(
    "INSERT INTO documents (id, collection, source) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
    document,
    collection,
    source.source,
  );
  await sql.run(
    "DELETE FROM revisions WHERE document = ? AND fingerprint = ? AND edition = ? AND is_whole = 0",
    document,
    fingerprint,
    edition,
  );
  const row = await sql.get(
    `INSERT INTO revisions (document, fingerprint, edition, sha256, is_whole, origin, url, kind, title, license, language,
       encoding, bytes, chunks, modified_at, metadata, created_at)
     VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    document,
    fingerprint,
    edition,
    sha256,
    source.realPath === undefined ? "text" : "file",
    source.url ?? null,
    reading.kind,
    source.title ?? reading.title,
    reading.license ?? null,
    reading.language ?? null,
    reading.encoding,
    bytes,
    chunks.length,
    modifiedAt ?? at,
    JSON.stringify({ ...reading.metadata, ...source.metadata }),
    at,
  );
  const revision = Number(row?.["id"]);
  await sql.run("INSERT INTO maps (revision, map) VALUES (?, ?)", revision, reading.map);
  return revision;
}

/** Marks a revision as complete, so that versions can use it. */
async function finishRevision(sql: Sql, revision: number): Promise<void> {
  await sql.run("UPDATE revisions SET is_whole = 1 WHERE id = ?", revision);
}

async function writeChunks(
  sql: Sql,
  revision: number,
  { document, fingerprint, edition }: PreparedDocument,
  chunks: readonly Chunk[],
): Promise<void> {
  const rows = chunks.map(({ ordinal, start, end, type, headings, tokens, content }) => [
    chunkId(document, fingerprint, edition, ordinal),
    revision,
    ordinal,
    start,
    end,
    type,
    JSON.stringify(headings),
    tokens,
    embeddingHash(headings, content),
    content,
  ]);
  const columns = "id, revision, ordinal, first, last, type, headings, tokens, hash, content";
  await insertRows(sql, `INSERT INTO chunks (${columns})`, rows);
}

/** The size of a stored text part, in UTF-16 units. */
const PART = 65_536;

/** Splits a text into parts without splitting characters. */
function* partsOf(text: SomeText): Generator<{ part: number; first: number; line: number; text: string }, void> {
  let line = 0;
  for (let first = 0, part = 0; first < text.length || part === 0; part += 1) {
    let end = Math.min(text.length, first + PART);
    const whole = text.slice(first, end);
    const code = whole.charCodeAt(whole.length - 1);
    if (end < text.length && code >= 0xd800 && code < 0xdc00) end -= 1;
    const piece = whole.slice(0, end - first);
    yield { part, first, line, text: piece };
    for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", at + 1)) line += 1;
    first = end;
  }
}

async function writePart(
  sql: Sql,
  revision: number,
  { part, first, line, text }: { part: number; first: number; line: number; text: string },
): Promise<void> {
  await sql.run(
    "INSERT INTO texts (revision, part, first, line, text) VALUES (?, ?, ?, ?, ?)",
    revision,
    part,
    first,
    line,
    text,
  );
}

/** The amount of text per transaction, in UTF-16 units: a few milliseconds of work. */
const SLICE = 200_000;
const MAX_OUTCOMES = 200;

/** Writes small documents in batches to save transactions, and a large one in several transactions. */
export class DocumentWriter {
  readonly #run: IngestRun;
  readonly #now: () => string;
  #waiting: { readonly prepared: PreparedDocument; readonly written: (revision: number) => void }[] = [];
  #outcomes: Outcome[] = [];
  #size = 0;

  constructor(run: IngestRun, now: () => string) {
    this.#run = run;
    this.#now = now;
  }

  /** Queues a document; `written` is called with its revision. */
  async add(prepared: PreparedDocument, written: (revision: number) => void): Promise<void> {
    const size = prepared.reading.text.length;
    if (size > SLICE) written(await this.#writeLarge(prepared));
    else {
      this.#waiting.push({ prepared, written });
      this.#size += size + 1000;
    }
    if (this.#size > SLICE) await this.flush();
  }

  /** Queues the outcome of a document. */
  async note(outcome: Outcome): Promise<void> {
    this.#outcomes.push(outcome);
    if (this.#outcomes.length >= MAX_OUTCOMES) await this.flush();
  }

  async flush(): Promise<void> {
    const [waiting, outcomes] = [this.#waiting, this.#outcomes];
    if (waiting.length === 0 && outcomes.length === 0) return;
    this.#waiting = [];
    this.#outcomes = [];
    this.#size = 0;
    const revisions = await this.#run.write(async (sql) => {
      const made: number[] = [];
      for (const { prepared } of waiting) made.push(await this.#writeWhole(sql, prepared));
      await this.#run.note(sql, outcomes);
      return made;
    });
    for (const [at, { written }] of waiting.entries()) written(revisions[at] as number);
    await yieldToEventLoop();
  }

  async #writeWhole(sql: Sql, prepared: PreparedDocument): Promise<number> {
    const revision = await beginRevision(sql, this.#run.collection.id, prepared, this.#now());
    for (const part of partsOf(prepared.reading.text)) await writePart(sql, revision, part);
    await writeChunks(sql, revision, prepared, prepared.chunks);
    await finishRevision(sql, revision);
    return revision;
  }

  async #writeLarge(prepared: PreparedDocument): Promise<number> {
    const { collection } = this.#run;
    const revision = await this.#run.write((sql) => beginRevision(sql, collection.id, prepared, this.#now()));
    const parts = partsOf(prepared.reading.text);
    const chunks = prepared.chunks.values();
    await this.#inSlices(
      parts,
      ({ text }) => text.length,
      async (sql, some) => {
        for (const part of some) await writePart(sql, revision, part);
      },
    );
    await this.#inSlices(
      chunks,
      ({ content }) => content.length,
      (sql, some) => writeChunks(sql, revision, prepared, some),
    );
    await this.#run.write((sql) => finishRevision(sql, revision));
    return revision;
  }

  async #inSlices<Item>(
    items: Iterator<Item>,
    sizeOf: (item: Item) => number,
    write: (sql: Sql, some: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    for (let next = items.next(); !next.done; await yieldToEventLoop())
      next = await this.#run.write(async (sql) => {
        let step = next;
        const some: Item[] = [];
        for (let size = 0; !step.done && size < SLICE; step = items.next()) {
          some.push(step.value);
          size += sizeOf(step.value);
        }
        await write(sql, some);
        return step;
      });
  }
}
