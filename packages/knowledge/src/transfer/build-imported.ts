import type { Chunk } from "../chunks/chunk.js";
import { removeMembers, retain } from "../collections/garbage.js";
import { promote } from "../collections/promote.js";
import type { DocumentKind } from "../documents/reading.js";
import { locateIn } from "../documents/source-map.js";
import type { Embedder } from "../embedders/embedder.js";
import { type Question, readGolden, writeGolden } from "../evaluation/questions.js";
import { deleteDraftVersion, findIdenticalVersion, finishVersion } from "../ingest/build-version.js";
import { embedChunks } from "../ingest/embed-chunks.js";
import { documentId, embeddingHash } from "../ingest/fingerprint.js";
import { indexVersion, isSameVectorSpace, planIndex, type VectorSpace } from "../ingest/index-version.js";
import type { IngestProgress } from "../ingest/ingest-options.js";
import type { IngestRun } from "../ingest/run.js";
import { readMembers, VersionDraft } from "../ingest/version-draft.js";
import { DocumentWriter, findRevision, type PreparedDocument } from "../ingest/write-revision.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { Manifest, PackedChunk, PackedDocument } from "./pack-format.js";
import { type PackFile, readPack } from "./read-pack.js";

/** The inputs for building an imported version. */
export interface ImportBuild {
  readonly context: KnowledgeContext;
  readonly run: IngestRun;
  readonly progress: IngestProgress;
  readonly signal: AbortSignal;
  readonly pack: PackFile;
  readonly manifest: Manifest;
  readonly embedder: Embedder | undefined;
  /** Whether the vectors of the pack are used. */
  readonly hasVectors: boolean;
  readonly isNew: boolean;
  readonly warnings: string[];
}

/** The result of an import. */
export interface ImportResult {
  readonly collection: string;
  readonly version: number;
  /** Whether the collection is new. */
  readonly created: boolean;
  readonly documents: number;
  readonly chunks: number;
  readonly embedder: string;
  readonly licenses: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

const MEMBERS_AT_ONCE = 2000;

/** Writes the content of a pack as a version of a collection, and promotes it. */
export async function buildImported(build: ImportBuild): Promise<ImportResult> {
  const { context, run, progress, signal, manifest, embedder, isNew, warnings } = build;
  const draft = await collectDocuments(build);
  const space: VectorSpace =
    embedder === undefined
      ? { embedder: "", dimension: 0 }
      : { embedder: embedder.name, dimension: embedder.dimension };
  const same = await findUnchangedVersion(run, draft, space);
  if (same !== undefined) await deleteDraftVersion(run);
  else {
    await writeMembers(run, draft, signal);
    const plan = await planIndex(run, space, draft.chunks);
    const onProgress = (stage: "embed" | "index") => (done: number) => progress.at(stage, done, draft.chunks);
    if (embedder !== undefined) await embedChunks(run, embedder, plan.fresh, onProgress("embed"), signal);
    await indexVersion(run, space, plan, onProgress("index"), signal);
    const { chunk_size: size, chunk_overlap: overlap } = manifest.collection;
    await finishVersion({ context, run, cut: { size, overlap } }, draft, space);
  }
  const version = same ?? run.version;
  if (version !== run.parent?.number) {
    const switched = await promote(context, run.collection.name, version);
    warnings.push(...switched.warnings);
  }
  await retain(context, run.collection.id, signal);
  return {
    collection: run.collection.name,
    version,
    created: isNew,
    documents: draft.documents,
    chunks: draft.chunks,
    embedder: space.embedder,
    licenses: manifest.licenses,
    warnings,
  };
}

/** Returns the version that already has exactly these documents: the active one, or an import that was not promoted. */
async function findUnchangedVersion(
  run: IngestRun,
  draft: VersionDraft,
  space: VectorSpace,
): Promise<number | undefined> {
  const { parent } = run;
  if (parent !== undefined && !draft.isChanged && isSameVectorSpace(parent, space)) return parent.number;
  return (await findIdenticalVersion(run, draft.checksum(), space))?.number;
}

async function collectDocuments(build: ImportBuild): Promise<VersionDraft> {
  const { context, run, progress, pack, manifest } = build;
  const { collection } = run;
  const draft = new VersionDraft(await readMembers(run.store, collection.id, run.parent?.number), run.counts);
  const writer = new DocumentWriter(run, () => context.now());
  const seen = new Set<string>();
  const questions: Question[] = [];
  await readPack(pack, {
    async document(packed, text, chunks) {
      const document = documentId(collection.name, packed.source);
      seen.add(document);
      if (build.hasVectors) await keepVectors(run, manifest.embedder, text, chunks);
      const { fingerprint, edition } = packed;
      const known = await run.store.read((sql) => findRevision(sql, { document, fingerprint, edition }));
      const before = draft.parent.get(document);
      const take = (revision: number): void => {
        if (before?.revision === revision) draft.keep();
        else draft.take(document, { revision, fingerprint, chunks: chunks.length });
      };
      if (known !== undefined) take(known.id);
      else await writer.add(prepare(document, packed, text, chunks), take);
      progress.at("read", seen.size, manifest.version.documents);
    },
    question(question) {
      questions.push(question);
    },
  });
  await writer.flush();
  for (const document of draft.parent.keys()) if (!seen.has(document)) draft.drop(document);
  draft.finish();
  // Existing questions of the collection are kept.
  await run.write(async (sql) => {
    if (questions.length > 0 && (await readGolden(sql, collection.id)).length === 0)
      await writeGolden(sql, collection.id, questions);
  });
  return draft;
}

function prepare(
  document: string,
  packed: PackedDocument,
  text: string,
  chunks: readonly PackedChunk[],
): PreparedDocument {
  const { source, fingerprint, edition, sha256, bytes, origin, url, modified_at: modifiedAt, kind, title } = packed;
  const { license, language, encoding, metadata } = packed;
  const map = Buffer.from(packed.map, "base64");
  return {
    document,
    fingerprint,
    edition,
    sha256,
    bytes,
    modifiedAt: modifiedAt ?? undefined,
    source: {
      source,
      metadata: {},
      title,
      ...(url !== null && { url }),
      ...(origin === "file" && { realPath: source }),
    },
    reading: {
      kind: kind as DocumentKind,
      title,
      ...(license !== null && { license }),
      ...(language !== null && { language }),
      encoding,
      text,
      blocks: [],
      metadata,
      map,
      locate: locateIn(map),
    },
    chunks: chunks.map((chunk, ordinal) => toChunk(chunk, ordinal, text)),
  };
}

const toChunk = (
  { first, last, type, headings, tokens, content }: PackedChunk,
  ordinal: number,
  text: string,
): Chunk => ({
  ordinal,
  start: first,
  end: last,
  type: type as Chunk["type"],
  headings,
  tokens,
  content: content ?? text.slice(first, last),
});

async function keepVectors(
  run: IngestRun,
  embedder: string,
  text: string,
  chunks: readonly PackedChunk[],
): Promise<void> {
  await run.write(async (sql) => {
    for (const { first, last, headings, content, vector } of chunks) {
      if (vector === undefined) continue;
      await sql.run(
        "INSERT INTO embeddings (embedder, hash, scale, vector) VALUES (?, ?, ?, ?) ON CONFLICT (hash, embedder) DO NOTHING",
        embedder,
        embeddingHash(headings, content ?? text.slice(first, last)),
        vector[0],
        Buffer.from(vector[1], "base64"),
      );
    }
  });
}

async function writeMembers(run: IngestRun, draft: VersionDraft, signal: AbortSignal): Promise<void> {
  const { id } = run.collection;
  await removeMembers(run.store, id, run.version, signal);
  const revisions = draft.revisions();
  for (let at = 0; at < revisions.length; at += MEMBERS_AT_ONCE) {
    signal.throwIfAborted();
    await run.write(async (sql) => {
      for (const revision of revisions.slice(at, at + MEMBERS_AT_ONCE))
        await sql.run(
          "INSERT INTO members (collection, version, revision) VALUES (?, ?, ?)",
          id,
          run.version,
          revision,
        );
    });
  }
}
