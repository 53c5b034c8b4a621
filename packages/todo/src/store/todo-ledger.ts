import type { StoreSchema } from "@toolwright/kit/storage";
import { SQLITE_FORMS } from "./forms.js";
import { POSTGRES_FORMS } from "./postgres-forms.js";

/** How tasks are kept. */
export const TODO_LEDGER: StoreSchema = {
  what: "the tasks",
  sqlite: SQLITE_FORMS,
  postgres: POSTGRES_FORMS,
  schema: "toolwright_todo",
  lock: 7_207_611_014,
  newest: "SELECT max(seq) AS seq FROM events",
};
