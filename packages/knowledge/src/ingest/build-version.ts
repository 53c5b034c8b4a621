import { ToolError } from "@toolwright/engine";
import { insertRows } from "@toolwright/kit/storage";
import type { Cut, Version } from "../collections/collection.js";
import { GATES_FAILED } from "../collections/errors.js";
import { findCollection, findVersion } from "../collections/find-collection.js";
import { removeMembers } from "../collections/garbage.js";
import { promote } from "../collections/promote.js";
import type { Embedder } from "../embedders/embedder.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { toVersion } from "../store/rows.js";
import { embedChunks } from "./embed-chunks.js";
import { type IndexPlan, indexVersion, isSameVectorSpace, planIndex, type VectorSpace } from "./index-version.js";
import type { IngestCall, IngestOptions, IngestProgress, IngestResult } from "./ingest-options.js";
import type { IngestRun } from "./run.js";
import { type BuildContext, scanSources } from "./scan-sources.js";
import { readKnown, readMembers, VersionDraft } from "./version-draft.js";
import { DocumentWriter } from "./write-revision.js";

const WORDS_ONLY: VectorSpace = { embedder: "", dimension: 0 };
const MEMBERS_AT_ONCE = 2000;

/** Runs all stages of an ingest. */
export async function buildVersion(build: BuildContext): Promise<IngestResult> {
  const { run, progress, signal } = build;
  const warnings: string[] = [];
  const draft = await collectDocuments(build, warnings);
  const vectorErrors: string[] = [];
  const embedder = await openEmbedder(build, vectorErrors);
  let space: VectorSpace =
    embedder === undefined ? WORDS_ONLY : { embedder: embedder.name, dimension: embedder.dimension };
  // Existing vectors are kept if new ones cannot be created now.
  const same =
    (vectorErrors.length > 0 && run.parent !== undefined
      ? await findUnchangedVersion(build, draft, run.parent)
      : undefined) ?? (await findUnchangedVersion(build, draft, space));
  if (same !== undefined) return finishBuild(build, draft, same, { warnings, vectorErrors });
  if (draft.documents === 0 && run.parent === undefined)
    return finishBuild(build, draft, undefined, { warnings, vectorErrors });
  await writeMembers(run, draft, signal);
  let plan = await planIndex(run, space, draft.chunks);
  if (embedder !== undefined && !(await embed(build, embedder, plan, vectorErrors))) {
    space = WORDS_ONLY;
    const other = await findUnchangedVersion(build, draft, space);
    if (other !== undefined) return finishBuild(build, draft, other, { warnings, vectorErrors });
    plan = await planIndex(run, space, draft.chunks);
  }
  const { passages } = plan;
  const onProgress = (done: number): void => progress.at("index", done, passages);
  onProgress(0);
  await indexVersion(run, space, plan, onProgress, signal);
  const version = await finishVersion(build, draft, space);
  return finishBuild(build, draft, version, { warnings, vectorErrors });
}

async function collectDocuments(build: BuildContext, warnings: string[]): Promise<VersionDraft> {
  const { run, context, options } = build;
  const parent = await readMembers(run.store, run.collection.id, run.parent?.number);
  const draft = new VersionDraft(parent, run.counts);
  const writer = new DocumentWriter(run, () => context.now());
  const { unknown, folder } = await scanSources(build, draft, {
    of: run.collection,
    known: await readKnown(run.store, run.collection.id, run.parent?.number),
    edition: options.force ? run.version : 0,
    write: (prepared, written) => writer.add(prepared, written),
    note: (outcome) => writer.note(outcome),
  });
  await writer.flush();
  draft.finish();
  draft.folder = folder;
  warnings.push(...unknownKinds(unknown));
  return draft;
}

async function openEmbedder({ context, options }: BuildContext, vectorErrors: string[]): Promise<Embedder | undefined> {
  if (options.embed === false) return undefined;
  try {
    return await context.embedder();
  } catch (error) {
    vectorErrors.push(messageOf(error));
    return undefined;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Creates the missing vectors. Returns whether all exist now: a version has vectors for all passages or none. */
async function embed(
  { run, progress, signal }: BuildContext,
  embedder: Embedder,
  { fresh, passages }: IndexPlan,
  vectorErrors: string[],
): Promise<boolean> {
  const onProgress = (done: number): void => progress.at("embed", done, passages);
  try {
    onProgress(0);
    await embedChunks(run, embedder, fresh, onProgress, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    vectorErrors.push(messageOf(error));
    return false;
  }
}

/** Returns the version that already has exactly these documents: the parent, or one that was not promoted. */
async function findUnchangedVersion(
  { run, options, cut }: BuildContext,
  draft: VersionDraft,
  space: VectorSpace,
): Promise<Version | undefined> {
  const { parent } = run;
  if (options.force) return undefined;
  const isSame =
    parent !== undefined &&
    !draft.isChanged &&
    isSameVectorSpace(parent, space) &&
    parent.chunkSize === cut.size &&
    parent.chunkOverlap === cut.overlap;
  return isSame ? parent : findIdenticalVersion(run, draft.checksum(), space);
}

/** Writes the documents of the version, which is not active yet. */
async function writeMembers(run: IngestRun, draft: VersionDraft, signal: AbortSignal): Promise<void> {
  const { id } = run.collection;
  await removeMembers(run.store, id, run.version, signal);
  const revisions = draft.revisions();
  for (let at = 0; at < revisions.length; at += MEMBERS_AT_ONCE) {
    signal.throwIfAborted();
    await run.write((sql) =>
      insertRows(
        sql,
        "INSERT INTO members (collection, version, revision)",
        revisions.slice(at, at + MEMBERS_AT_ONCE).map((revision) => [id, run.version, revision]),
      ),
    );
  }
}

/** Promotes a version. If its gates fail, it is kept for inspection. */
async function tryPromote(
  { context, run, signal }: BuildContext,
  { number }: Version,
  warnings: string[],
): Promise<boolean> {
  try {
    const { warnings: further } = await promote(context, run.collection.name, number, { signal });
    warnings.push(...further);
    return true;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== GATES_FAILED) throw error;
    warnings.push(error.message);
    return false;
  }
}

/** Warnings about the documents, and errors of the embedder. */
interface Messages {
  readonly warnings: string[];
  readonly vectorErrors: readonly string[];
}

/** Promotes the version if requested, and returns the result of the ingest. */
async function finishBuild(
  build: BuildContext,
  draft: VersionDraft,
  version: Version | undefined,
  { warnings, vectorErrors }: Messages,
): Promise<IngestResult> {
  const { run, progress } = build;
  if (version?.number !== run.version) await deleteDraftVersion(run);
  if (version === undefined) warnings.push("No document could be read, so no version was created.");
  else for (const error of vectorErrors) warnings.push(withoutVectors(version, error));
  const isNew = version !== undefined && version.number !== run.parent?.number;
  const held = isNew ? await promoteIfAllowed(build, version, { warnings, vectorErrors }) : undefined;
  // If the version is held back, the active version still has the documents of the previous folder.
  if (held === undefined || run.parent === undefined) await saveFolder(run, draft);
  progress.at("promote", 1, 1);
  return {
    run: run.id,
    collection: run.collection.name,
    version: version?.number ?? null,
    promoted: version !== undefined && held === undefined,
    dry_run: false,
    delta: draft.delta,
    documents: draft.documents,
    chunks: draft.chunks,
    embedder: version?.embedder ?? "",
    is_new: isNew,
    ...(held !== undefined && held !== "requested" && { held }),
    ...draft.counts,
    outcomes: draft.outcomes,
    warnings,
  };
}

async function saveFolder(run: IngestRun, { folder, documents }: VersionDraft): Promise<void> {
  if (folder === undefined || folder === run.collection.folder || documents === 0) return;
  await run.write((sql) => sql.run("UPDATE collections SET folder = ? WHERE id = ?", folder, run.collection.id));
}

const withoutVectors = ({ embedder }: Version, error: string): string =>
  embedder === ""
    ? `There are no vectors, so passages are found only by words: ${error} Ingest again when this is fixed.`
    : `No vectors can be created now: ${error} The existing vectors stay in use.`;

/** Promotes a version. Returns why it is held back; undefined if it is active. */
async function promoteIfAllowed(
  build: BuildContext,
  version: Version,
  { warnings, vectorErrors }: Messages,
): Promise<"requested" | "gates" | "vectors" | undefined> {
  const { options, run, progress } = build;
  const { number, embedder } = version;
  if (options.promote === false) return "requested";
  if (vectorErrors.length > 0 && embedder === "" && run.parent !== undefined && run.parent.embedder !== "") {
    warnings.push(
      `Version ${run.parent.number}, which has vectors, stays active until then. Promote version ${number} to use it anyway.`,
    );
    return "vectors";
  }
  progress.at("evaluate", 0, 1);
  return (await tryPromote(build, version, warnings)) ? undefined : "gates";
}

/** Reports what an ingest would change. Documents are read, and nothing is written. */
export async function dryRun(
  context: KnowledgeContext,
  call: IngestCall,
  options: IngestOptions,
  cut: Cut,
  progress: IngestProgress,
): Promise<IngestResult> {
  const store = await context.store();
  const collection = await store.read((sql) => findCollection(sql, options.collection));
  const parent = await readMembers(store, collection.id, collection.active ?? undefined);
  const draft = new VersionDraft(parent, { succeeded: 0, skipped: 0, failed: 0 });
  const { unknown } = await scanSources({ context, call, options, cut, progress, signal: call.signal }, draft, {
    of: collection,
    known: await readKnown(store, collection.id, collection.active ?? undefined),
    edition: options.force ? Number.MAX_SAFE_INTEGER : 0,
    write: async (_, written) => written(0),
    note: async () => undefined,
  });
  draft.finish();
  return {
    run: null,
    collection: collection.name,
    version: collection.active,
    promoted: false,
    dry_run: true,
    delta: draft.delta,
    documents: draft.documents,
    chunks: draft.chunks,
    embedder: collection.embedder ?? "",
    is_new: false,
    ...draft.counts,
    outcomes: draft.outcomes,
    warnings: unknownKinds(unknown),
  };
}

/** The maximum number of extensions in the warning. */
const MAX_EXTENSIONS = 8;

/** Files of unknown kinds in folders are counted by extension, not listed. */
function unknownKinds(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].toSorted(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const extensions = sorted.slice(0, MAX_EXTENSIONS).map(([extension, count]) => `${count} ${extension}`);
  const rest = sorted.length > MAX_EXTENSIONS ? ", and others" : "";
  return [`Skipped ${total} ${total === 1 ? "file" : "files"} of unknown kind: ${extensions.join(", ")}${rest}.`];
}

/** Marks the version as ready. It is immutable from now on. */
export function finishVersion(
  { context, run, cut }: Pick<BuildContext, "context" | "run" | "cut">,
  draft: VersionDraft,
  { embedder, dimension }: VectorSpace,
): Promise<Version> {
  const { id } = run.collection;
  const at = context.now();
  return run.write(async (sql) => {
    const size = await sql.get(
      "SELECT sum(r.bytes) AS bytes FROM members m JOIN revisions r ON r.id = m.revision WHERE m.collection = ? AND m.version = ?",
      id,
      run.version,
    );
    await sql.run(
      `UPDATE versions SET status = 'ready', embedder = ?, dimension = ?, documents = ?, chunks = ?, bytes = ?, checksum = ?,
       delta = ?, ready_at = ? WHERE collection = ? AND number = ?`,
      embedder,
      dimension,
      draft.documents,
      draft.chunks,
      Number(size?.["bytes"] ?? 0),
      draft.checksum(),
      JSON.stringify(draft.delta),
      at,
      id,
      run.version,
    );
    await sql.run(
      "UPDATE collections SET embedder = ?, dimension = ?, chunk_size = ?, chunk_overlap = ?, updated_at = ? WHERE id = ?",
      embedder,
      dimension,
      cut.size,
      cut.overlap,
      at,
      id,
    );
    return findVersion(sql, run.collection, run.version);
  });
}

/** Returns a ready version with the same documents and vectors, such as one whose run ended before promotion. */
export async function findIdenticalVersion(
  run: IngestRun,
  checksum: string,
  space: VectorSpace,
): Promise<Version | undefined> {
  const row = await run.store.read((sql) =>
    sql.get(
      "SELECT * FROM versions WHERE collection = ? AND status = 'ready' AND checksum = ? AND embedder = ? AND dimension = ? AND number > ? ORDER BY number DESC LIMIT 1",
      run.collection.id,
      checksum,
      space.embedder,
      space.dimension,
      run.parent?.number ?? 0,
    ),
  );
  return row && toVersion(row);
}

/** Deletes the version that is being built. */
export async function deleteDraftVersion(run: IngestRun): Promise<void> {
  await removeMembers(run.store, run.collection.id, run.version);
  await run.write((sql) =>
    sql.run(
      "DELETE FROM versions WHERE collection = ? AND number = ? AND status = 'building'",
      run.collection.id,
      run.version,
    ),
  );
}
