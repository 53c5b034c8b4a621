import { existsSync, statSync } from "node:fs";
import { Failure, isMissing, numberOf, UsageError } from "@toolwright/kit/cli";
import { remark, say, sayJson } from "@toolwright/kit/terminal";
import { createCollection } from "../collections/create-collection.js";
import { ingest } from "../ingest/ingest.js";
import type { IngestCall, IngestOptions, IngestResult } from "../ingest/ingest-options.js";
import type { Bench, Deed } from "./bench.js";
import { allNames, portableName } from "./names.js";
import { metadataOf } from "./options.js";
import { rehearse } from "./rehearse.js";
import { showIngest } from "./show-ingest.js";
import { withBar } from "./with-bar.js";
import { forPeople } from "./words.js";

const INTERRUPTED =
  "Interrupted. What answered before answers still, and what was read is kept: the same command goes on from there";

/** `toolwright kb ingest`: takes files and folders into a collection, which is made where it is not there. */
export const ingestAll: Deed = async (bench) => {
  const { base, options, screen } = bench;
  const wish = wishOf(bench);
  // A dry run makes no knowledge base either.
  const names = wish.dry_run && isMissing(base.database) ? [] : await allNames(base);
  const isThere = names.includes(wish.collection);
  const work = (call: IngestCall): Promise<IngestResult> =>
    isThere || !wish.dry_run ? ingest(base, call, wish) : rehearse(base, call, wish);
  if (!isThere && !wish.dry_run) {
    // A word that was mistyped makes no collection.
    for (const path of wish.paths ?? []) if (!existsSync(path)) throw new Failure(`"${path}" does not exist`, 1);
    await createCollection(base, { name: wish.collection });
  }
  const result = await withBar(bench, INTERRUPTED, work);
  const mayNotAnswer = wish.promote !== false && !wish.dry_run && !result.promoted;
  if (result.failed > 0 || mayNotAnswer) process.exitCode = 1;
  if (options["--json"]) return sayJson(result);
  const isQuiet = options["--quiet"] !== undefined;
  if (isQuiet) for (const warning of result.warnings) remark(`! ${forPeople(warning)}`);
  const shown = showIngest(result, screen, isQuiet);
  if (shown !== "") await say(shown);
};

function wishOf({ options, words }: Bench): IngestOptions {
  const [collection = defaultName(words), second] = options["--collection"] ?? [];
  if (second !== undefined) throw new UsageError("kb ingest fills one collection; --collection is given twice");
  return {
    collection,
    paths: words,
    delete_missing: options["--keep-missing"] === undefined,
    force: options["--force"] !== undefined,
    dry_run: options["--dry-run"] !== undefined,
    promote: options["--no-promote"] === undefined,
    embed: options["--no-embed"] === undefined,
    metadata: metadataOf(options),
    chunk_size: numberOf(options, "--chunk-size", 64, 4096),
    chunk_overlap: numberOf(options, "--chunk-overlap", 0, 1024),
  };
}

/** One folder has its name; files, or several paths, that of the folder in which we are. */
function defaultName(paths: readonly string[]): string {
  const [only, another] = paths;
  const isFolder =
    only !== undefined && another === undefined && statSync(only, { throwIfNoEntry: false })?.isDirectory();
  return portableName(isFolder ? only : ".");
}
