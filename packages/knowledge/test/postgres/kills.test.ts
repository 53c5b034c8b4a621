import { againInPostgres } from "./again.js";

// Each one starts a process; the full number is tried in a file.
process.env["KNOWLEDGE_KILLS"] ??= "2";
process.env["KNOWLEDGE_MEGABYTES"] ??= "1";

againInPostgres(async () => {
  await import("../ingest/kills.test.js");
});
