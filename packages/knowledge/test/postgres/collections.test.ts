import { againInPostgres } from "./again.js";

againInPostgres(async () => {
  await import("../collections/collections.test.js");
  await import("../collections/garbage.test.js");
  await import("../evaluation/evaluate.test.js");
  await import("../flows/flows.test.js");
});
