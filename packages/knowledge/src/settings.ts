import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";
import { EMBEDDER_SETTINGS } from "./embedders/settings.js";

/** What people can say of the pack in their configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    ...FILE_SETTINGS,
    database: {
      type: "string",
      minLength: 1,
      description:
        "Where the knowledge base is: a SQLite file, or postgres://user@host/name with pgvector; by default a file in the state folder.",
    },
    read_only: { type: "boolean", default: false, description: "Leaves out every tool that changes something." },
    embedder: EMBEDDER_SETTINGS,
    chunk_size: {
      type: "integer",
      minimum: 64,
      maximum: 4096,
      default: 512,
      description: "Tokens of a passage in a new collection.",
    },
    chunk_overlap: {
      type: "integer",
      minimum: 0,
      maximum: 1024,
      default: 50,
      description: "Tokens that neighbouring passages share in a new collection.",
    },
    max_document_bytes: {
      type: "integer",
      minimum: 1024,
      default: 40_000_000,
      description: "Larger files are skipped; larger ones than by default take more memory.",
    },
    max_documents: { type: "integer", minimum: 1, default: 100_000, description: "Most files of one ingest." },
    keep_versions: {
      type: "integer",
      minimum: 2,
      maximum: 1000,
      default: 10,
      description: "Versions of a collection that are kept; the active and the pinned one always are.",
    },
    citations_required: {
      type: "boolean",
      default: true,
      description: "kb_answer refuses what it cannot cite.",
    },
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
