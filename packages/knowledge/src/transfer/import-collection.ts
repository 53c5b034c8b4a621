import type { FileAccess } from "@toolwright/kit/files";
import { checkCut } from "../collections/collection.js";
import { createCollection } from "../collections/create-collection.js";
import { namesOf } from "../collections/find-collection.js";
import type { Embedder } from "../embedders/embedder.js";
import { embeddedText } from "../ingest/fingerprint.js";
import { type IngestCall, IngestProgress } from "../ingest/ingest-options.js";
import { IngestRun } from "../ingest/run.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { quantise } from "../vectors/quantise.js";
import { buildImported, type ImportResult } from "./build-imported.js";
import type { Manifest, PackedChunk, PackedDocument } from "./pack-format.js";
import { type PackFile, type PackListener, readPack } from "./read-pack.js";

export type { ImportResult } from "./build-imported.js";

/** The options of an import. */
export interface ImportOptions {
  readonly path: string;
  /** The default is the name in the file. */
  readonly name?: string | undefined;
}

/**
 * Imports a pack as a new collection, or as a new version of an existing one. The whole file is validated before anything is
 * written.
 */
export async function importCollection(
  context: KnowledgeContext,
  call: IngestCall,
  options: ImportOptions,
): Promise<ImportResult> {
  const access = await context.fileAccess(call);
  await using file = await openPack(context, access, options.path, call.signal);
  const sample = new VectorSample();
  const manifest = await readPack(file.pack, sample);
  const warnings: string[] = [];
  const embedder = await openEmbedder(context, warnings);
  const hasVectors = await trustVectors(manifest, embedder, sample, warnings, call.signal);
  const name = options.name ?? manifest.collection.name;
  const isNew = await ensureCollection(context, name, manifest);
  const progress = new IngestProgress(call.onProgress);
  const { chunk_size: size, chunk_overlap: overlap } = manifest.collection;
  const run = await IngestRun.take(context, progress, name, checkCut({ size, overlap }));
  const signal = AbortSignal.any([call.signal, run.lost]);
  try {
    const pack = { ...file.pack, signal };
    const result = await buildImported({
      context,
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
    // The original error matters, not a failure to record it.
    await run.fail(error, call.signal.aborted).catch(() => undefined);
    throw error;
  }
}

async function openPack(
  context: KnowledgeContext,
  access: FileAccess,
  path: string,
  signal: AbortSignal,
): Promise<AsyncDisposable & { readonly pack: PackFile }> {
  const { handle, stats } = await access.openFile(path);
  const pack = { handle, path, size: stats.size, maxDocuments: context.settings.maxDocuments, signal };
  return { pack, [Symbol.asyncDispose]: () => handle.close() };
}

async function openEmbedder(context: KnowledgeContext, warnings: string[]): Promise<Embedder | undefined> {
  try {
    return await context.embedder();
  } catch (error) {
    warnings.push(
      `There are no vectors, so passages are found only by words: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
}

/**
 * Uses the vectors of the pack if the embedder has the same name and produces the same vectors. Otherwise they are created again.
 */
async function trustVectors(
  { embedder: name, dimension }: Manifest,
  embedder: Embedder | undefined,
  sample: VectorSample,
  warnings: string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (name === "" || embedder === undefined) return false;
  if (embedder.name !== name || embedder.dimension !== dimension) {
    warnings.push(`The vectors in the file are from ${name}; new ones were created with ${embedder.name}.`);
    return false;
  }
  if (await sample.agrees(embedder, signal)) return true;
  warnings.push(`The vectors in the file differ from those that ${name} creates; new ones were created.`);
  return false;
}

async function ensureCollection(context: KnowledgeContext, name: string, { collection }: Manifest): Promise<boolean> {
  const store = await context.store();
  const names = await store.read(namesOf);
  if (names.includes(name)) return false;
  const { description, chunk_size, chunk_overlap, metadata } = collection;
  await createCollection(context, { name, description, chunk_size, chunk_overlap, metadata });
  return true;
}

const SAMPLE_SIZE = 8;
/** Quantisation and different processors change vectors slightly. */
const MIN_COSINE = 0.98;

/** Keeps a random sample of passages with their vectors for verification. */
class VectorSample implements PackListener {
  readonly #taken: { readonly text: string; readonly bytes: Int8Array }[] = [];
  #seen = 0;

  document(_document: PackedDocument, text: string, chunks: readonly PackedChunk[]): void {
    for (const { first, last, content, headings, vector } of chunks) {
      if (vector === undefined) continue;
      this.#seen += 1;
      const item = {
        text: embeddedText(headings, content ?? text.slice(first, last)),
        bytes: Int8Array.from(Buffer.from(vector[1], "base64")),
      };
      // Reservoir sampling: every passage has the same probability.
      const at = this.#seen <= SAMPLE_SIZE ? this.#taken.length : Math.floor(Math.random() * this.#seen);
      if (at < SAMPLE_SIZE) this.#taken[at] = item;
    }
  }

  /** Whether an embedder produces the same vectors for the sampled texts. */
  async agrees(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
    if (this.#taken.length === 0) return false;
    const texts = this.#taken.map(({ text }) => text);
    const vectors = await embedder.embed(texts, { kind: "passage", signal });
    return this.#taken.every(
      ({ bytes }, at) => cosine(bytes, quantise(vectors[at] as Float32Array).bytes) > MIN_COSINE,
    );
  }
}

function cosine(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return 0;
  let [product, first, second] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? 0;
    product += value * against;
    first += value * value;
    second += against * against;
  }
  return first === 0 && second === 0 ? 1 : product / Math.sqrt(first * second || 1);
}
