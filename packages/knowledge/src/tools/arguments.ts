/** The argument of all tools that work on one collection. What is no name of one is told by who looks for it: each word here is sent to every client. */
export const COLLECTION = { type: "string", description: "Name." } as const;

/** Names one version. */
export const VERSION = { type: "integer", description: "Number." } as const;

/** Several collections at once. */
export const COLLECTIONS = { type: "array", items: { type: "string" }, maxItems: 10, description: "Several." } as const;

/** Restricts passages. Its form is checked where it is read: each word here is sent to every client. */
export const FILTERS = {
  type: "object",
  description: "document_types [], chunk_types [], date_range {start, end}, metadata {}, min_score.",
} as const;
