import type { FileAccess } from "@toolwright/kit/files";
import type { Base } from "../base.js";
import { createCollection } from "../collections/create-collection.js";
import { checkCut } from "../collections/cut.js";
import { namesOf } from "../collections/find-collection.js";
import type { Embedder } from "../embedders/embedder.js";
import { Progress } from "../ingest/progress.js";
import { Run } from "../ingest/run.js";
import type { IngestCall } from "../ingest/wish.js";
import { buildImported, type ImportResult } from "./build-imported.js";
import type { Manifest } from "./form.js";
import { type PackFile, readPack } from "./read-pack.js";
import { VectorSample } from "./vector-sample.js";

export type { ImportResult } from "./build-imported.js";

/** Which pack is to be read, and under which name. */
export interface ImportWish {
  readonly path: string;
  /** By default the one that the collection had. */
  readonly name?: string | undefined;
}

/**
 * Makes a collection of a pack, or a new version where there is one of that name. All of the file is checked before anything is
 * written.
 */
export async function importCollection(base: Base, call: IngestCall, wish: ImportWish): Promise<ImportResult> {
  const reach = await base.reach(call);
  await using file = await openPack(base, reach, wish.path, call.signal);
  const sample = new VectorSample();
  const manifest = await readPack(file.pack, sample);
  const warnings: string[] = [];
  const embedder = await openEmbedder(base, warnings);
  const hasVectors = await trustVectors(manifest, embedder, sample, warnings, call.signal);
  const name = wish.name ?? manifest.collection.name;
  const isNew = await ensureCollection(base, name, manifest);
  const progress = new Progress(call);
  const { chunk_size: size, chunk_overlap: overlap } = manifest.collection;
  const run = await Run.take(base, progress, name, checkCut({ size, overlap }));
  const signal = AbortSignal.any([call.signal, run.lost]);
  try {
    const pack = { ...file.pack, signal };
    const result = await buildImported({
      base,
      run,
      progress,
      signal,
      pack,
      manifest,
      embedder,
      hasVectors,
      isNew,
      warnings,
    });
    await run.end("done", result.warnings[0] ?? null);
    return result;
  } catch (error) {
    // What went wrong is to be told, not that it could not be written down.
    await run.fail(error, call.signal.aborted).catch(() => undefined);
    throw error;
  }
}

async function openPack(
  base: Base,
  reach: FileAccess,
  path: string,
  signal: AbortSignal,
): Promise<AsyncDisposable & { readonly pack: PackFile }> {
  const { handle, stats } = await reach.openFile(path);
  const pack = { handle, path, size: stats.size, mostDocuments: base.settings.max_documents, signal };
  return { pack, [Symbol.asyncDispose]: () => handle.close() };
}

async function openEmbedder(base: Base, warnings: string[]): Promise<Embedder | undefined> {
  try {
    return await base.embedder();
  } catch (error) {
    warnings.push(
      `There are no vectors, and words alone find passages: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/** Vectors are used where the embedder is the same and makes the same ones; else they are made anew. */
async function trustVectors(
  { embedder: name, dimension }: Manifest,
  embedder: Embedder | undefined,
  sample: VectorSample,
  warnings: string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (name === "" || embedder === undefined) return false;
  if (embedder.name !== name || embedder.dimension !== dimension) {
    warnings.push(`The vectors of the pack are of ${name}; they were made anew with ${embedder.name}.`);
    return false;
  }
  if (await sample.agrees(embedder, signal)) return true;
  warnings.push(`The vectors of the pack are not those that ${name} makes; they were made anew.`);
  return false;
}

async function ensureCollection(base: Base, name: string, { collection }: Manifest): Promise<boolean> {
  const ledger = await base.ledger();
  const names = await ledger.read(namesOf);
  if (names.includes(name)) return false;
  const { description, chunk_size, chunk_overlap, metadata } = collection;
  await createCollection(base, { name, description, chunk_size, chunk_overlap, metadata });
  return true;
}
