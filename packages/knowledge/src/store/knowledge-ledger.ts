import type { StoreSchema } from "@toolwright/kit/storage";
import { SQLITE_FORMS } from "./forms.js";
import { EXTENSION_SCHEMAS, preparePgvector } from "./pgvector.js";
import { POSTGRES_FORMS } from "./postgres-forms.js";

/** How a knowledge base is kept. */
export const KNOWLEDGE_LEDGER: StoreSchema = {
  what: "the knowledge base",
  sqlite: SQLITE_FORMS,
  postgres: POSTGRES_FORMS,
  schema: "toolwright_knowledge",
  lock: 7_207_611_015,
  newest: "SELECT max(seq) AS seq FROM changes",
  prepare: preparePgvector,
  path: EXTENSION_SCHEMAS,
};
