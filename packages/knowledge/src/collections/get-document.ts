import { ToolError } from "@toolwright/engine";
import type { Sql, SqlRow } from "@toolwright/kit/storage";
import type { KnowledgeContext } from "../knowledge-context.js";
import { objectOf, textOf, toCollection } from "../store/rows.js";
import { answeringVersion, findCollection } from "./find-collection.js";

/** The options for reading a document. */
export interface DocumentOptions {
  readonly range?:
    | { readonly start: number; readonly end: number; readonly unit?: "characters" | "lines" | undefined }
    | undefined;
  readonly version?: number | undefined;
  /** Lists the passages. */
  readonly chunks?: boolean | undefined;
}

/** The maximum range, in UTF-16 units or lines. */
const MAX_SPAN = 1_000_000;
/** The default range, in UTF-16 units. */
const DEFAULT_SPAN = 20_000;

/** A document in one version. */
export type ShownDocument = Awaited<ReturnType<typeof getDocument>>;

/** Reads a document in the requested or the active version, with the requested range of its text. */
export async function getDocument(context: KnowledgeContext, id: string, options: DocumentOptions = {}) {
  const { range = { start: 0, end: DEFAULT_SPAN }, version: asked, chunks = false } = options;
  checkRange(id, range);
  const store = await context.store();
  return store.read(async (sql) => {
    const { collection, version, row } = await findRevision(sql, id, asked);
    const revision = Number(row["id"]);
    const length = await lengthOf(sql, revision);
    const isLines = range.unit === "lines";
    const text = isLines
      ? await readLines(sql, revision, Math.max(1, range.start), range.end)
      : await readText(sql, revision, range.start, range.end);
    return {
      doc_id: id,
      collection_id: collection,
      version,
      source: String(row["source"]),
      title: String(row["title"]),
      source_url: textOf(row["url"]),
      content_type: String(row["kind"]),
      license: textOf(row["license"]),
      language: textOf(row["language"]),
      encoding: String(row["encoding"]),
      fingerprint: String(row["fingerprint"]),
      sha256: String(row["sha256"]),
      bytes: Number(row["bytes"]),
      characters: length.characters,
      lines: length.lines,
      chunk_count: Number(row["chunks"]),
      modified_at: textOf(row["modified_at"]),
      metadata: objectOf(row["metadata"]) as Record<string, string>,
      range: { start: text.start, end: text.end, unit: isLines ? "lines" : "characters" },
      text: text.text,
      ...(chunks && { chunks: await listChunks(sql, revision) }),
    };
  });
}

function checkRange(id: string, { start, end }: { readonly start: number; readonly end: number }): void {
  if (start <= end && end - start <= MAX_SPAN) return;
  throw new ToolError(
    `Cannot show ${id} from ${start} to ${end}: ${start > end ? "the end is before the start" : `at most ${MAX_SPAN} can be read at once`}.`,
    { code: "INVALID_ARGUMENT", details: { doc_id: id, start, end } },
  );
}

async function findRevision(
  sql: Sql,
  id: string,
  asked: number | undefined,
): Promise<{ readonly collection: string; readonly version: number; readonly row: SqlRow }> {
  const owner = await sql.get(
    "SELECT c.* FROM documents d JOIN collections c ON c.id = d.collection WHERE d.id = ? AND c.name NOT LIKE '#%'",
    id,
  );
  if (owner === undefined) throw noDocument(id, 'no document has this id. Use the "document_id" of a search result.');
  const collection = toCollection(owner);
  const { number } = await answeringVersion(sql, collection, asked);
  const row = await sql.get(
    `SELECT r.*, d.source FROM documents d JOIN revisions r ON r.document = d.id JOIN members m ON m.revision = r.id
     WHERE d.id = ? AND m.collection = ? AND m.version = ?`,
    id,
    collection.id,
    number,
  );
  if (row === undefined)
    throw noDocument(id, `version ${number} of ${JSON.stringify(collection.name)} does not have it.`);
  return { collection: collection.name, version: number, row };
}

const noDocument = (id: string, why: string): ToolError =>
  new ToolError(`Cannot show the document ${JSON.stringify(id.slice(0, 100))}: ${why}`, {
    code: "NOT_FOUND",
    details: { doc_id: id.slice(0, 100) },
  });

async function lengthOf(sql: Sql, revision: number): Promise<{ readonly characters: number; readonly lines: number }> {
  const row = await sql.get(
    "SELECT first, line, text FROM texts WHERE revision = ? ORDER BY part DESC LIMIT 1",
    revision,
  );
  const text = String(row?.["text"] ?? "");
  const breaks = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { characters: Number(row?.["first"]) + text.length, lines: Number(row?.["line"]) + breaks };
}

async function listChunks(sql: Sql, revision: number) {
  const rows = await sql.all(
    "SELECT id, ordinal, first, last, type, headings, tokens FROM chunks WHERE revision = ? ORDER BY ordinal LIMIT 10000",
    revision,
  );
  return rows.map((row) => ({
    chunk_id: String(row["id"]),
    position: Number(row["ordinal"]),
    start: Number(row["first"]),
    end: Number(row["last"]),
    type: String(row["type"]),
    headings: JSON.parse(String(row["headings"])) as string[],
    tokens: Number(row["tokens"]),
  }));
}

/** A range of a document's text with its actual bounds. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads a range of a revision's text. Offsets are UTF-16 units; surrogate pairs are not split. */
async function readText(sql: Sql, revision: number, start: number, end: number): Promise<TextRange> {
  const rows = await sql.all(
    `SELECT first, text FROM texts WHERE revision = ? AND first < ?
     AND part >= (SELECT coalesce(max(part), 0) FROM texts WHERE revision = ? AND first <= ?) ORDER BY part`,
    revision,
    Math.max(end, 1),
    revision,
    start,
  );
  const first = Number(rows[0]?.["first"] ?? 0);
  const whole = rows.map((row) => String(row["text"])).join("");
  let [from, to] = [Math.min(start - first, whole.length), Math.min(end - first, whole.length)];
  if (isInside(whole, from)) from -= 1;
  if (to > from && isInside(whole, to)) to -= 1;
  return { start: first + from, end: first + to, text: whole.slice(from, to) };
}

/** Reads lines of a revision's text from `first` through `last`, counted from 1. */
async function readLines(sql: Sql, revision: number, first: number, last: number): Promise<TextRange> {
  const rows = await sql.all(
    `SELECT line, text FROM texts WHERE revision = ? AND line < ?
     AND part >= (SELECT coalesce(max(part), 0) FROM texts WHERE revision = ? AND line < ?) ORDER BY part`,
    revision,
    Math.max(last, 1),
    revision,
    // A stored part can start within a line, so the line before is included in the lookup.
    first - 1,
  );
  const before = Number(rows[0]?.["line"] ?? 0);
  const lines = rows
    .map((row) => String(row["text"]))
    .join("")
    .split("\n");
  if (lines.at(-1) === "") lines.pop();
  const some = lines.slice(first - 1 - before, last - before);
  return { start: first, end: first + some.length - 1, text: some.join("\n") };
}

/** Whether an offset splits a surrogate pair. */
function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}

/** A document in a list. */
export interface ListedDocument {
  readonly doc_id: string;
  readonly source: string;
  readonly title: string;
}

/** Lists documents of the active version by source. `typed` must be part of the id, source or title. */
export async function listDocuments(
  context: KnowledgeContext,
  name: string,
  typed: string,
  limit: number,
): Promise<readonly ListedDocument[]> {
  const store = await context.store();
  return store.read(async (sql) => {
    const { id, pinned, active } = await findCollection(sql, name);
    const like = `%${typed.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    const rows = await sql.all(
      `SELECT d.id, d.source, r.title FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
       WHERE m.collection = ? AND m.version = ? AND (d.id LIKE ? ESCAPE '\\' OR lower(d.source) LIKE ? ESCAPE '\\'
         OR lower(r.title) LIKE ? ESCAPE '\\') ORDER BY d.source LIMIT ?`,
      id,
      pinned ?? active ?? 0,
      like,
      like,
      like,
      limit,
    );
    return rows.map((row) => ({
      doc_id: String(row["id"]),
      source: String(row["source"]),
      title: String(row["title"]),
    }));
  });
}
