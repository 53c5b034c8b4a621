import { createHash } from "node:crypto";
import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { ToolError } from "@toolwright/engine";
import { type OpenEntry, temporaryName } from "@toolwright/kit/files";
import type { SqlRow, SqlStore } from "@toolwright/kit/storage";
import type { Collection, Version } from "../collections/collection.js";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import { readGolden } from "../evaluation/questions.js";
import type { IngestCall } from "../ingest/ingest-options.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { textOf } from "../store/rows.js";
import { FORM, type Manifest, type PackedChunk, type PackedDocument, type PackLine } from "./pack-format.js";

/** The options of an export. */
export interface ExportOptions {
  readonly collection: string;
  readonly version?: number | undefined;
  /** The file; its name must end with ".kbpack". */
  readonly path: string;
  /** Includes the vectors; the default is true. */
  readonly vectors?: boolean | undefined;
}

/** The result of an export. */
export interface Exported {
  readonly path: string;
  readonly collection: string;
  readonly version: number;
  readonly documents: number;
  readonly chunks: number;
  /** The embedder; empty if there are no vectors. */
  readonly embedder: string;
  readonly bytes: number;
}

/** Writes a version of a collection to a file with a checksum. */
export async function exportCollection(
  context: KnowledgeContext,
  call: IngestCall,
  options: ExportOptions,
): Promise<Exported> {
  const { vectors = true, path } = options;
  if (!path.endsWith(".kbpack"))
    throw new ToolError(`Cannot export to ${JSON.stringify(path)}: the name must end with ".kbpack".`, {
      code: "INVALID_ARGUMENT",
      details: { path },
    });
  const store = await context.store();
  const { collection, version } = await store.read(async (sql) => {
    const found = await findCollection(sql, options.collection);
    return { collection: found, version: await answeringVersion(sql, found, options.version) };
  });
  const access = await context.fileAccess(call);
  await using entry = await access.openEntry(path, { create: true });
  const onProgress = (done: number): void =>
    call.onProgress?.({ stage: "Exporting documents", done, total: version.documents, unit: "documents" });
  const { signal } = call;
  const lines = linesOfPack({ store, collection, version, vectors, at: context.now(), onProgress, signal });
  const bytes = await writeFile(entry, lines, signal);
  return {
    path: access.displayPath(entry.realPath),
    collection: collection.name,
    version: version.number,
    documents: version.documents,
    chunks: version.chunks,
    embedder: vectors ? version.embedder : "",
    bytes,
  };
}

/** Replaces the file atomically. The content is streamed. */
async function writeFile(entry: OpenEntry, lines: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
  const temporary = entry.folder.at(temporaryName());
  const handle = await open(temporary, "wx");
  try {
    try {
      await pipeline(Readable.from(lines), createGzip(), (packed) => append(handle, packed), { signal });
      await handle.sync();
    } finally {
      await handle.close();
    }
    const { size } = await stat(temporary);
    await rename(temporary, entry.path);
    await entry.folder.sync();
    return size;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function append(handle: FileHandle, packed: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const bytes of packed) await handle.appendFile(bytes);
}

/** The inputs for writing a pack. */
interface PackOptions {
  readonly store: SqlStore;
  readonly collection: Collection;
  readonly version: Version;
  readonly vectors: boolean;
  readonly at: string;
  readonly onProgress: (documents: number) => void;
  readonly signal: AbortSignal;
}

const PAGE = 500;
const CHUNKS_PER_LINE = 50;

/** Generates the lines of a pack in order. Revisions are immutable, so each can be read separately. */
async function* linesOfPack(options: PackOptions): AsyncGenerator<string, void> {
  const hash = createHash("sha256");
  const counts = { documents: 0, chunks: 0 };
  for await (const line of bodyOf(options, counts)) {
    const written = `${JSON.stringify(line)}\n`;
    hash.update(written);
    yield written;
  }
  const end: PackLine = { end: { ...counts, sha256: hash.digest("hex") } };
  yield `${JSON.stringify(end)}\n`;
}

async function* bodyOf(
  options: PackOptions,
  counts: { documents: number; chunks: number },
): AsyncGenerator<PackLine, void> {
  const { store, collection, version, signal, onProgress } = options;
  yield { manifest: await manifestOf(options) };
  for (let after = 0; ; ) {
    const from = after;
    const rows = await store.read((sql) =>
      sql.all(
        `SELECT m.revision, r.*, d.source FROM members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document
         WHERE m.collection = ? AND m.version = ? AND m.revision > ? ORDER BY m.revision LIMIT ?`,
        collection.id,
        version.number,
        from,
        PAGE,
      ),
    );
    for (const row of rows) {
      signal.throwIfAborted();
      yield* documentOf(options, row);
      counts.documents += 1;
      counts.chunks += Number(row["chunks"]);
      onProgress(counts.documents);
    }
    if (rows.length < PAGE) break;
    after = Number(rows.at(-1)?.["revision"]);
  }
  const questions = await store.read((sql) => readGolden(sql, collection.id));
  for (const question of questions) yield { question };
}

async function manifestOf({ store, collection, version, vectors, at }: PackOptions): Promise<Manifest> {
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT r.license, count(*) AS count FROM members m JOIN revisions r ON r.id = m.revision
       WHERE m.collection = ? AND m.version = ? AND r.license IS NOT NULL GROUP BY r.license ORDER BY r.license`,
      collection.id,
      version.number,
    ),
  );
  const { name, description, metadata } = collection;
  const { number, documents, chunks, bytes, chunkSize, chunkOverlap } = version;
  const hasVectors = vectors && version.embedder !== "";
  return {
    kbpack: FORM,
    created_at: at,
    collection: { name, description, chunk_size: chunkSize, chunk_overlap: chunkOverlap, metadata },
    version: { number, documents, chunks, bytes, checksum: version.checksum ?? "" },
    embedder: hasVectors ? version.embedder : "",
    dimension: hasVectors ? version.dimension : 0,
    licenses: Object.fromEntries(rows.map((row) => [String(row["license"]), Number(row["count"])])),
  };
}

async function* documentOf({ store, version, vectors }: PackOptions, row: SqlRow): AsyncGenerator<PackLine, void> {
  const revision = Number(row["id"]);
  const { texts, chunks, map } = await store.read(async (sql) => ({
    texts: await sql.all("SELECT text FROM texts WHERE revision = ? ORDER BY part", revision),
    map: await sql.get("SELECT map FROM maps WHERE revision = ?", revision),
    chunks: await sql.all(
      `SELECT c.first, c.last, c.type, c.headings, c.tokens, c.content, e.scale, e.vector FROM chunks c
       LEFT JOIN embeddings e ON e.hash = c.hash AND e.embedder = ? WHERE c.revision = ? ORDER BY c.ordinal`,
      vectors ? version.embedder : "",
      revision,
    ),
  }));
  const parts = texts.map((part) => String(part["text"]));
  yield { document: toDocument(row, map?.["map"] as Uint8Array, parts.length, chunks.length) };
  for (const text of parts) yield { text };
  const whole = parts.join("");
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_LINE)
    yield { chunks: chunks.slice(start, start + CHUNKS_PER_LINE).map((chunk) => toChunk(chunk, whole)) };
}

const toDocument = (row: SqlRow, map: Uint8Array, parts: number, chunks: number): PackedDocument => ({
  source: String(row["source"]),
  fingerprint: String(row["fingerprint"]),
  edition: Number(row["edition"]),
  sha256: String(row["sha256"]),
  origin: row["origin"] === "file" ? "file" : "text",
  url: textOf(row["url"]),
  kind: String(row["kind"]),
  title: String(row["title"]),
  license: textOf(row["license"]),
  language: textOf(row["language"]),
  encoding: String(row["encoding"]),
  bytes: Number(row["bytes"]),
  modified_at: textOf(row["modified_at"]),
  metadata: JSON.parse(String(row["metadata"])) as Record<string, string>,
  map: Buffer.from(map).toString("base64"),
  parts,
  chunks,
});

function toChunk(row: SqlRow, text: string): PackedChunk {
  const [first, last, content] = [Number(row["first"]), Number(row["last"]), String(row["content"])];
  const { vector } = row;
  return {
    first,
    last,
    type: String(row["type"]),
    headings: JSON.parse(String(row["headings"])) as string[],
    tokens: Number(row["tokens"]),
    ...(content !== text.slice(first, last) && { content }),
    ...(vector instanceof Uint8Array && {
      vector: [Number(row["scale"]), Buffer.from(vector).toString("base64")] as const,
    }),
  };
}
