import { againInPostgres } from "./again.js";

againInPostgres(async () => {
  await import("../search/hybrid.test.js");
  await import("../search/versions.test.js");
  await import("../search/words.test.js");
});
