import { numberOf } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { createCollection } from "../collections/create-collection.js";
import type { Deed } from "./bench.js";

/** `toolwright kb create`: makes a collection that has nothing in it yet. */
export const create: Deed = async ({ base, options, words: [name = ""], screen: { paint } }) => {
  const made = await createCollection(base, {
    name,
    description: options["--description"]?.[0],
    chunk_size: numberOf(options, "--chunk-size", 64, 4096),
    chunk_overlap: numberOf(options, "--chunk-overlap", 0, 1024),
  });
  const { description, chunkSize, chunkOverlap, createdAt } = made;
  if (options["--json"])
    return sayJson({ name, description, chunk_size: chunkSize, chunk_overlap: chunkOverlap, created_at: createdAt });
  if (options["--quiet"]) return;
  await say(`${paint.green("✓")} ${paint.bold(name)} is there; "toolwright kb ingest PATH -c ${name}" fills it`);
};
