import { ToolError } from "@toolwright/engine";
import { insertRows } from "@toolwright/kit/storage";
import type { Cut, Version } from "../collections/collection.js";
import { GATES_FAILED } from "../collections/errors.js";
import { findCollection, findVersion } from "../collections/find-collection.js";
import { removeMembers } from "../collections/garbage.js";
import { promote } from "../collections/promote.js";
import type { Embedder } from "../embedders/embedder.js";
import type { Base } from "../knowledge-context.js";
import { toVersion } from "../store/rows.js";
import { embedChunks } from "./embed-chunks.js";
import { type IndexPlan, indexVersion, isSameForm, planIndex, type VectorForm } from "./index-version.js";
import type { IngestCall, IngestResult, IngestWish, Progress } from "./ingest-options.js";
import type { Run } from "./run.js";
import { type Build, lookThrough } from "./scan-sources.js";
import { Gathering, readKnown, readMembers } from "./version-draft.js";
import { Writer } from "./write-revision.js";

const WORDS_ONLY: VectorForm = { embedder: "", dimension: 0 };
const MEMBERS_AT_ONCE = 2000;

/** Does all stages of a run. */
export async function buildVersion(build: Build): Promise<IngestResult> {
  const { run, progress, signal } = build;
  const warnings: string[] = [];
  const gathering = await gather(build, warnings);
  const faults: string[] = [];
  const embedder = await openEmbedder(build, faults);
  let form: VectorForm =
    embedder === undefined ? WORDS_ONLY : { embedder: embedder.name, dimension: embedder.dimension };
  // Vectors that are there are not given up because none can be made now.
  const same =
    (faults.length > 0 && run.parent !== undefined ? await findSame(build, gathering, run.parent) : undefined) ??
    (await findSame(build, gathering, form));
  if (same !== undefined) return settle(build, gathering, same, { warnings, faults });
  if (gathering.documents === 0 && run.parent === undefined)
    return settle(build, gathering, undefined, { warnings, faults });
  await writeMembers(run, gathering, signal);
  let plan = await planIndex(run, form, gathering.chunks);
  if (embedder !== undefined && !(await embed(build, embedder, plan, faults))) {
    form = WORDS_ONLY;
    const other = await findSame(build, gathering, form);
    if (other !== undefined) return settle(build, gathering, other, { warnings, faults });
    plan = await planIndex(run, form, gathering.chunks);
  }
  const { passages } = plan;
  const hear = (done: number): void => progress.at("index", done, passages, `${done} of ${passages} passages`);
  hear(0);
  await indexVersion(run, form, plan, hear, signal);
  const version = await finishVersion(build, gathering, form);
  return settle(build, gathering, version, { warnings, faults });
}

async function gather(build: Build, warnings: string[]): Promise<Gathering> {
  const { run, base, wish } = build;
  const parent = await readMembers(run.ledger, run.collection.id, run.parent?.number);
  const gathering = new Gathering(parent, run.counts);
  const writer = new Writer(run, () => base.now());
  const { unknown, folder } = await lookThrough(build, gathering, {
    of: run.collection,
    known: await readKnown(run.ledger, run.collection.id, run.parent?.number),
    edition: wish.force ? run.version : 0,
    write: (prepared, written) => writer.add(prepared, written),
    note: (outcome) => writer.note(outcome),
  });
  await writer.flush();
  gathering.finish();
  gathering.folder = folder;
  warnings.push(...unknownKinds(unknown));
  return gathering;
}

async function openEmbedder({ base, wish }: Build, faults: string[]): Promise<Embedder | undefined> {
  if (wish.embed === false) return undefined;
  try {
    return await base.embedder();
  } catch (error) {
    faults.push(messageOf(error));
    return undefined;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes the vectors that are missing. Says whether all of them are there now: a version has all or none. */
async function embed(
  { run, progress, signal }: Build,
  embedder: Embedder,
  { fresh, passages }: IndexPlan,
  faults: string[],
): Promise<boolean> {
  const hear = (done: number): void =>
    progress.at("embed", done, passages, `${done} of ${passages} passages with ${embedder.name}`);
  try {
    hear(0);
    await embedChunks(run, embedder, fresh, hear, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    faults.push(messageOf(error));
    return false;
  }
}

/** The version that has just these documents already: the parent, or one that was built and not promoted. */
async function findSame(
  { run, wish, cut }: Build,
  gathering: Gathering,
  form: VectorForm,
): Promise<Version | undefined> {
  const { parent } = run;
  if (wish.force) return undefined;
  const isSame =
    parent !== undefined &&
    !gathering.isChanged &&
    isSameForm(parent, form) &&
    parent.chunkSize === cut.size &&
    parent.chunkOverlap === cut.overlap;
  return isSame ? parent : findTwin(run, gathering.checksum(), form);
}

/** Writes down the documents of the version, which nobody can ask yet. */
async function writeMembers(run: Run, gathering: Gathering, signal: AbortSignal): Promise<void> {
  const { id } = run.collection;
  await removeMembers(run.ledger, id, run.version, signal);
  const revisions = gathering.revisions();
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

/** A version that may not answer stays, so that it can be looked at. */
async function tryPromote({ base, run, signal }: Build, { number }: Version, warnings: string[]): Promise<boolean> {
  try {
    const { warnings: further } = await promote(base, run.collection.name, number, { signal });
    warnings.push(...further);
    return true;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== GATES_FAILED) throw error;
    warnings.push(error.message);
    return false;
  }
}

/** What is to be told: of the documents, and of vectors that were wanted and could not be made. */
interface Told {
  readonly warnings: string[];
  readonly faults: readonly string[];
}

/** Lets the version answer where that is wished, and says what it came to. */
async function settle(
  build: Build,
  gathering: Gathering,
  version: Version | undefined,
  { warnings, faults }: Told,
): Promise<IngestResult> {
  const { run, progress } = build;
  if (version?.number !== run.version) await dropVersion(run);
  if (version === undefined) warnings.push("Nothing could be taken, so there is no version.");
  else for (const fault of faults) warnings.push(withoutVectors(version, fault));
  const isNew = version !== undefined && version.number !== run.parent?.number;
  const held = isNew ? await letAnswer(build, version, { warnings, faults }) : undefined;
  // While a version waits, what answers are the documents of before, if there are any.
  if (held === undefined || run.parent === undefined) await keepFolder(run, gathering);
  progress.at("promote", 1, 1, version === undefined ? "nothing" : `version ${version.number}`);
  return {
    run: run.id,
    collection: run.collection.name,
    version: version?.number ?? null,
    promoted: version !== undefined && held === undefined,
    dry_run: false,
    delta: gathering.delta,
    documents: gathering.documents,
    chunks: gathering.chunks,
    embedder: version?.embedder ?? "",
    is_new: isNew,
    ...(held !== undefined && held !== "wished" && { held }),
    ...gathering.counts,
    outcomes: gathering.told,
    warnings,
  };
}

async function keepFolder(run: Run, { folder, documents }: Gathering): Promise<void> {
  if (folder === undefined || folder === run.collection.folder || documents === 0) return;
  await run.write((sql) => sql.run("UPDATE collections SET folder = ? WHERE id = ?", folder, run.collection.id));
}

const withoutVectors = ({ embedder }: Version, fault: string): string =>
  embedder === ""
    ? `There are no vectors, and words alone find passages: ${fault} Ingest again when that is mended.`
    : `No vectors can be made now: ${fault} Those of before serve.`;

/** Lets a version answer that does not yet. Says why it waits; undefined = it answers. */
async function letAnswer(
  build: Build,
  version: Version,
  { warnings, faults }: Told,
): Promise<"wished" | "gates" | "vectors" | undefined> {
  const { wish, run, progress } = build;
  const { number, embedder } = version;
  if (wish.promote === false) return "wished";
  if (faults.length > 0 && embedder === "" && run.parent !== undefined && run.parent.embedder !== "") {
    warnings.push(
      `Version ${run.parent.number}, which has vectors, goes on answering until then; kb_promote lets version ${number} answer all the same.`,
    );
    return "vectors";
  }
  progress.at("evaluate", 0, 1, `version ${number}`);
  return (await tryPromote(build, version, warnings)) ? undefined : "gates";
}

/** Says what an ingest would do. Documents are read, and nothing is written. */
export async function dryRun(
  base: Base,
  call: IngestCall,
  wish: IngestWish,
  cut: Cut,
  progress: Progress,
): Promise<IngestResult> {
  const ledger = await base.ledger();
  const collection = await ledger.read((sql) => findCollection(sql, wish.collection));
  const parent = await readMembers(ledger, collection.id, collection.active ?? undefined);
  const gathering = new Gathering(parent, { succeeded: 0, skipped: 0, failed: 0 });
  const { unknown } = await lookThrough({ base, call, wish, cut, progress, signal: call.signal }, gathering, {
    of: collection,
    known: await readKnown(ledger, collection.id, collection.active ?? undefined),
    edition: wish.force ? Number.MAX_SAFE_INTEGER : 0,
    write: async (_, written) => written(0),
    note: async () => undefined,
  });
  gathering.finish();
  return {
    run: null,
    collection: collection.name,
    version: collection.active,
    promoted: false,
    dry_run: true,
    delta: gathering.delta,
    documents: gathering.documents,
    chunks: gathering.chunks,
    embedder: collection.embedder ?? "",
    is_new: false,
    ...gathering.counts,
    outcomes: gathering.told,
    warnings: unknownKinds(unknown),
  };
}

/** How many endings are told. */
const MOST_ENDINGS = 8;

/** Files that nobody has named and that are of no known kind are counted by what they end in, not listed. */
export function unknownKinds(counts: ReadonlyMap<string, number>): string[] {
  const sorted = [...counts].toSorted(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return [];
  const told = sorted.slice(0, MOST_ENDINGS).map(([ending, count]) => `${count} ${ending}`);
  const rest = sorted.length > MOST_ENDINGS ? ", and others" : "";
  return [
    `${total} ${total === 1 ? "file is" : "files are"} of no known kind and left out: ${told.join(", ")}${rest}.`,
  ];
}

/** From now on the version can be asked and promoted; it never changes again. */
export function finishVersion(
  { base, run, cut }: Pick<Build, "base" | "run" | "cut">,
  gathering: Gathering,
  { embedder, dimension }: VectorForm,
): Promise<Version> {
  const { id } = run.collection;
  const at = base.now();
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
      gathering.documents,
      gathering.chunks,
      Number(size?.["bytes"] ?? 0),
      gathering.checksum(),
      JSON.stringify(gathering.delta),
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

/** A version that is ready and has the same documents and vectors, such as one whose run was killed before it was promoted. */
export async function findTwin(run: Run, checksum: string, form: VectorForm): Promise<Version | undefined> {
  const row = await run.ledger.read((sql) =>
    sql.get(
      "SELECT * FROM versions WHERE collection = ? AND status = 'ready' AND checksum = ? AND embedder = ? AND dimension = ? AND number > ? ORDER BY number DESC LIMIT 1",
      run.collection.id,
      checksum,
      form.embedder,
      form.dimension,
      run.parent?.number ?? 0,
    ),
  );
  return row && toVersion(row);
}

/** Takes the version away that is being built: it is not needed. */
export async function dropVersion(run: Run): Promise<void> {
  await removeMembers(run.ledger, run.collection.id, run.version);
  await run.write((sql) =>
    sql.run(
      "DELETE FROM versions WHERE collection = ? AND number = ? AND status = 'building'",
      run.collection.id,
      run.version,
    ),
  );
}
