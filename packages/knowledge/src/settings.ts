import type { InferInput } from "@toolwright/engine";
import { EMBEDDER_SETTINGS } from "./embedders/settings.js";

/** The settings of the pack. */
export const SETTINGS = {
  type: "object",
  properties: {
    database: {
      type: "string",
      minLength: 1,
      description:
        "The database: a SQLite file, or postgres://user@host/name with pgvector. The default is a file in the state folder.",
    },
    readOnly: { type: "boolean", default: false, description: "Omits all tools that change the knowledge base." },
    embedder: EMBEDDER_SETTINGS,
    maxDocumentBytes: {
      type: "integer",
      minimum: 1024,
      default: 40_000_000,
      description: "Larger files are skipped. A higher limit needs more memory.",
    },
    maxDocuments: {
      type: "integer",
      minimum: 1,
      default: 100_000,
      description: "The maximum number of documents in one ingest or import.",
    },
    keepVersions: {
      type: "integer",
      minimum: 2,
      maximum: 1000,
      default: 10,
      description: "The number of versions that are kept of each collection, besides the active and the pinned one.",
    },
    citationsRequired: {
      type: "boolean",
      default: true,
      description: "Whether kb_answer refuses to answer if no passage supports the answer.",
    },
  },
} as const;

/** The settings with their defaults. */
export type Settings = InferInput<typeof SETTINGS>;
