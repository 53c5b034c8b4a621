import { FORMATS } from "../citations/cited.js";

/** The collection that a tool works on. */
export const COLLECTION = { type: "string", description: "The name of the collection." } as const;

/** A version of a collection. */
export const VERSION = { type: "integer", minimum: 1, description: "A version; default: the active one." } as const;

/** What `kb_hybrid_search` and `kb_answer` search. */
export const SEARCHED = {
  query: { type: "string", description: "Words or a question." },
  collection: { type: "string", description: "Default: all collections." },
  collection_ids: { type: "array", items: { type: "string" }, maxItems: 10, description: "Several collections." },
  version: VERSION,
  filters: {
    type: "object",
    description: "document_types [], chunk_types [], date_range {start, end}, metadata {key: value}, min_score.",
  },
} as const;

/** The way in which citations are written. */
export const CITATION_FORMAT = {
  enum: FORMATS,
  default: "json",
  description: "The citation style; bibtex and ris are for reference managers.",
} as const;

/** Metadata of documents. */
export const METADATA = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Metadata by name. Searches can filter by it.",
} as const;
