import { expect, test } from "vitest";
import { IngestProgress } from "../../src/ingest/ingest-options.js";
import { IngestRun } from "../../src/ingest/run.js";
import { openBench } from "../kit.js";

// A SQLite database that cannot be written, such as on a full disk, still answers reads.
test("an ingest whose end cannot be recorded, for example on a full disk, does not keep the collection", async () => {
  const { call, context } = await openBench();
  await call("kb_create", { name: "docs" });
  const run = await IngestRun.take(context, new IngestProgress(), "docs", { size: 512, overlap: 50 });
  const store = await context.store();
  await store.read((sql) => sql.all("PRAGMA query_only = 1"));
  await expect(run.fail(new Error("the disk is full"), false)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await store.read((sql) => sql.all("PRAGMA query_only = 0"));
  expect(await call("kb_ingest", { collection: "docs", texts: [{ name: "a", text: "words" }] })).toMatchObject({
    documents: 1,
    failed: 0,
  });
});
