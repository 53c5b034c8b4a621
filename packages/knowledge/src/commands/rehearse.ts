import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createCollection } from "../collections/create-collection.js";
import { ingest } from "../ingest/ingest.js";
import type { IngestCall, IngestOptions, IngestResult } from "../ingest/ingest-options.js";
import { type KnowledgeContext, openKnowledge } from "../knowledge-context.js";

/** A dry run for a collection that is not there: it is made in a knowledge base that goes with the run, so that nothing is written. */
export async function rehearse(base: KnowledgeContext, call: IngestCall, wish: IngestOptions): Promise<IngestResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "toolwright-kb-"));
  const database = path.join(folder, "knowledge.db");
  const other = openKnowledge({ ...base.settings, database }, base.state, base.host);
  try {
    await createCollection(other, { name: wish.collection });
    return await ingest(other, call, wish);
  } finally {
    await other.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
