import { againInPostgres } from "./again.js";

againInPostgres(async () => {
  await import("../ingest/delta.test.js");
  await import("../ingest/runs.test.js");
});
