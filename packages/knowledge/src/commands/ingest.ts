import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type CommandContext, Failure, isMissing } from "@toolwright/kit/cli";
import { drawTable, type Screen, say, sayJson, visible } from "@toolwright/kit/terminal";
import { createCollection } from "../collections/create-collection.js";
import { namesOf } from "../collections/find-collection.js";
import { ingest } from "../ingest/ingest.js";
import type { IngestCall, IngestOptions, IngestResult, Outcome } from "../ingest/ingest-options.js";
import { KnowledgeContext } from "../knowledge-context.js";
import { count, parseMetadata } from "./format.js";
import { type CommonInput, interruptible, toCall, withKnowledge } from "./open-knowledge.js";

interface IngestInput extends CommonInput {
  readonly paths: readonly string[];
  readonly collection: string | undefined;
  readonly metadata: readonly string[];
  readonly keepMissing: boolean;
  readonly noPromote: boolean;
  readonly noEmbed: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly chunkSize: number | undefined;
  readonly chunkOverlap: number | undefined;
}

const INTERRUPTED = "Interrupted. The active version is unchanged; the same command continues the ingest";

/** `toolwright kb ingest` */
export const runIngest = (input: IngestInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(
    ctx,
    input,
    async (context) => {
      const options = toOptions(input);
      const { collection, dry_run: isDryRun = false } = options;
      // A dry run does not create a knowledge base.
      const names = isDryRun && isMissing(context.database) ? [] : await (await context.store()).read(namesOf);
      const exists = names.includes(collection);
      // A mistyped path must not create a collection.
      if (!exists) for (const name of input.paths) if (!existsSync(name)) throw new Failure(`"${name}" does not exist`);
      if (!exists && !isDryRun) await createCollection(context, { name: collection });
      const work = exists || !isDryRun ? ingest : ingestIntoScratch;
      const result = await interruptible(ctx, INTERRUPTED, () => work(context, toCall(ctx), options));
      const isHeld = options.promote !== false && !isDryRun && !result.promoted;
      if (result.failed > 0 || isHeld) process.exitCode = 1;
      if (input.json) return sayJson(result);
      if (input.quiet) for (const warning of result.warnings) process.stderr.write(`! ${visible(warning)}\n`);
      const shown = showIngest(result, ctx.screen, input.quiet === true);
      if (shown !== "") await say(shown);
    },
    { creates: true },
  );

function toOptions(input: IngestInput): IngestOptions {
  return {
    collection: input.collection ?? defaultName(input.paths),
    paths: input.paths,
    delete_missing: !input.keepMissing,
    force: input.force,
    dry_run: input.dryRun,
    promote: !input.noPromote,
    embed: !input.noEmbed,
    metadata: parseMetadata(input.metadata),
    chunk_size: input.chunkSize,
    chunk_overlap: input.chunkOverlap,
  };
}

/** The name of the folder; for files and several paths, that of the current folder. */
function defaultName(paths: readonly string[]): string {
  const [only, another] = paths;
  const isFolder =
    only !== undefined && another === undefined && statSync(only, { throwIfNoEntry: false })?.isDirectory();
  const name = path
    .basename(path.resolve(isFolder ? only : "."))
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "documents" : name;
}

/** A dry run for a collection that does not exist: it is created in a temporary knowledge base. */
async function ingestIntoScratch(
  { settings, host }: KnowledgeContext,
  call: IngestCall,
  options: IngestOptions,
): Promise<IngestResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "toolwright-kb-"));
  const scratch = new KnowledgeContext({ ...settings, database: path.join(folder, "knowledge.db") }, host);
  try {
    await createCollection(scratch, { name: options.collection });
    return await ingest(scratch, call, options);
  } finally {
    await scratch.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The maximum number of listed documents. */
const MAX_LISTED = 20;

/** The result, and the documents that were not ingested; in quiet mode only those that failed. */
function showIngest(result: IngestResult, screen: Screen, isQuiet: boolean): string {
  const { paint } = screen;
  const withStatus = (status: Outcome["status"]) => result.outcomes.filter((outcome) => outcome.status === status);
  const title = `${paint.red("✗")} ${count(result.failed, "document")} failed`;
  const failed = listOutcomes(title, withStatus("failed"), result.failed, screen);
  if (isQuiet) return failed.join("\n");
  // Unchanged documents are counted as skipped, too.
  const left = Math.max(withStatus("skipped").length, result.skipped - result.delta.unchanged);
  const skipped = listOutcomes(`${count(left, "document")} skipped`, withStatus("skipped"), left, screen);
  const warnings = result.warnings.map((warning) => paint.yellow(`! ${visible(warning)}`));
  return [...summarize(result, screen), ...failed, ...skipped, ...warnings].join("\n");
}

function summarize({ delta, documents, chunks, ...result }: IngestResult, { paint }: Screen): string[] {
  const { added, modified, removed, unchanged, kept = 0 } = delta;
  const rest = `${unchanged} unchanged${kept === 0 ? "" : `, ${kept} kept as before`}`;
  const changes = paint.faint(`${added} added, ${modified} modified, ${removed} removed, ${rest}`);
  const counts = `${count(documents, "document")}, ${count(chunks, "passage")}`;
  const name = paint.bold(result.collection);
  if (result.dry_run)
    return [`${name} would have ${counts}`, changes, paint.faint("This was a dry run: nothing was written.")];
  if (result.version === null) return [`${paint.red("✗")} ${name} has no new version`, changes];
  const { version, collection } = result;
  if (result.held === "gates")
    return [
      `${paint.red("✗")} ${name} version ${version} failed its quality gates and is not active: ${counts}`,
      `To search it, run: toolwright kb search WORDS -c ${collection} --version ${version}`,
      changes,
    ];
  const state = result.promoted ? (result.is_new ? "is active" : "is up to date") : "is ready and not active";
  const mark = result.held === undefined ? paint.green("✓") : paint.red("✗");
  const hint = result.promoted ? [] : [`To make it active, run: toolwright kb promote ${collection} ${version}`];
  return [`${mark} ${name} version ${version} ${state}: ${counts}`, ...hint, changes];
}

function listOutcomes(title: string, outcomes: readonly Outcome[], total: number, { paint, width }: Screen): string[] {
  if (total === 0) return [];
  const shown = outcomes.slice(0, MAX_LISTED);
  const table = drawTable<Outcome>(
    [
      { name: "  document", text: ({ source }) => `  ${source}`, gives: "path" },
      { name: "reason", text: ({ reason = "" }) => reason, gives: "words" },
    ],
    shown,
    { width, head: paint.faint },
  );
  const left = total - shown.length;
  return [
    "",
    title,
    ...(shown.length > 0 ? [table] : []),
    ...(left > 0 ? [paint.faint(`  and ${left} more; --json lists more of them`)] : []),
  ];
}
