import { againInPostgres } from "./again.js";

againInPostgres(async () => {
  await import("../ingest/delta.test.js");
  await import("../ingest/emptied.test.js");
  await import("../ingest/embedder-down.test.js");
  await import("../ingest/folders.test.js");
  await import("../ingest/runs.test.js");
});
