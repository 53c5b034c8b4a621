import { insertRows, type Sql } from "@toolwright/kit/storage";
import type { Chunk } from "../chunks/chunk.js";
import type { Read } from "../documents/reader.js";
import type { SomeText } from "../documents/reading.js";
import { chunkId, embeddingHash } from "./fingerprint.js";
import type { Source } from "./source.js";

/** A document that was read and cut, to be written. */
export interface Prepared {
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

/** The row of a revision that is whole; undefined where there is none. */
export async function findRevision(
  sql: Sql,
  { document, fingerprint, edition }: Pick<Prepared, "document" | "fingerprint" | "edition">,
): Promise<{ readonly id: number; readonly chunks: number } | undefined> {
  const row = await sql.get(
    "SELECT id, chunks FROM revisions WHERE document = ? AND fingerprint = ? AND edition >= ? AND is_whole = 1 ORDER BY edition DESC LIMIT 1",
    document,
    fingerprint,
    edition,
  );
  return row && { id: Number(row["id"]), chunks: Number(row["chunks"]) };
}

/** Begins a revision, without its passages. What an earlier run has left of it goes. */
export async function beginRevision(sql: Sql, collection: number, prepared: Prepared, at: string): Promise<number> {
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
    source.place === undefined ? "text" : "file",
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

/** From now on a version may have it. */
export async function finishRevision(sql: Sql, revision: number): Promise<void> {
  await sql.run("UPDATE revisions SET is_whole = 1 WHERE id = ?", revision);
}

/** Writes passages. */
export async function writeChunks(
  sql: Sql,
  revision: number,
  { document, fingerprint, edition }: Prepared,
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

/** How much of a text lies in one row, in UTF-16 units. */
const PART = 65_536;

/** A text in parts, none of which ends inside of a character. */
export function* partsOf(text: SomeText): Generator<{ part: number; first: number; line: number; text: string }, void> {
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

/** Writes a part of the text. */
export async function writePart(
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
