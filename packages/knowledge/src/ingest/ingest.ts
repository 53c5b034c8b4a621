import { ToolError } from "@toolwright/engine";
import { type Cut, checkCut } from "../collections/collection.js";
import { findCollection } from "../collections/find-collection.js";
import { retain } from "../collections/garbage.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { buildVersion, dryRun } from "./build-version.js";
import { type IngestCall, type IngestOptions, IngestProgress, type IngestResult } from "./ingest-options.js";
import { IngestRun } from "./run.js";

export type { IngestCall, IngestOptions, IngestResult } from "./ingest-options.js";

/**
 * Builds a new version of a collection from documents, and promotes it. The next run resumes an interrupted one: documents that
 * were read, split and embedded are reused.
 */
export async function ingest(
  context: KnowledgeContext,
  call: IngestCall,
  options: IngestOptions,
): Promise<IngestResult> {
  validateOptions(options);
  const progress = new IngestProgress(call.onProgress);
  const cut = await findCut(context, options);
  if (options.dry_run) return dryRun(context, call, options, cut, progress);
  const run = await IngestRun.take(context, progress, options.collection, cut);
  const signal = AbortSignal.any([call.signal, run.lost]);
  try {
    const result = await buildVersion({ context, call, options, cut, progress, run, signal });
    // Also if nothing changed: an interrupted run may have left data.
    await removeOld(context, run, signal);
    await run.end("done", result.warnings[0] ?? null);
    return result;
  } catch (error) {
    // The original error matters, not a failure to record it.
    await run.fail(error, call.signal.aborted).catch(() => undefined);
    throw error;
  }
}

async function removeOld(context: KnowledgeContext, { collection }: IngestRun, signal: AbortSignal): Promise<void> {
  await retain(context, collection.id, signal).catch((error: unknown) =>
    context.host.log({
      level: "warning",
      message: `knowledge: old versions of ${collection.name} could not be removed`,
      error,
    }),
  );
}

function validateOptions({ paths = [], texts = [] }: IngestOptions): void {
  if (paths.length === 0 && texts.length === 0)
    throw new ToolError("Nothing to ingest: specify paths of files or folders, or texts.", {
      code: "INVALID_ARGUMENT",
    });
  const names = new Set<string>();
  const twice = texts.find(({ name }) => names.size === names.add(name).size);
  if (twice !== undefined)
    throw new ToolError(
      `Cannot ingest two texts with the name ${JSON.stringify(twice.name.slice(0, 100))}: names must be unique.`,
      {
        code: "INVALID_ARGUMENT",
      },
    );
  const wrong = texts.find(({ name }) => /\p{Cc}/u.test(name) || name.trim() === "");
  if (wrong === undefined) return;
  throw new ToolError(`Cannot use ${JSON.stringify(wrong.name.slice(0, 100))} as the name of a text.`, {
    code: "INVALID_ARGUMENT",
  });
}

async function findCut(context: KnowledgeContext, options: IngestOptions): Promise<Cut> {
  const store = await context.store();
  const { chunkSize, chunkOverlap } = await store.read((sql) => findCollection(sql, options.collection));
  const size = options.chunk_size ?? chunkSize;
  return checkCut({ size, overlap: options.chunk_overlap ?? Math.min(chunkOverlap, size / 4) });
}
