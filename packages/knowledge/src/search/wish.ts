/** Which passages may answer at all. */
export interface Filters {
  /** Kinds of documents, such as "markdown" or "pdf". */
  readonly document_types?: readonly string[];
  /** When a document was last changed, both ends included: a day or a time in ISO 8601. */
  readonly date_range?: { readonly start?: string; readonly end?: string };
  /** What a document says of itself; of a list it says, one is enough. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly chunk_types?: readonly string[];
  /** The least score of a result, as it is after fusion. */
  readonly min_score?: number;
}

/** A collection to search, in one of its versions; without a number: the pinned one, else the active one. */
export interface WantedCollection {
  readonly name: string;
  readonly version?: number | undefined;
}

/** How the two legs become one score. */
export type Fusion = "weights" | "rrf";

/** How much each leg counts in the score. */
export interface Weights {
  readonly vector: number;
  readonly words: number;
}

/** What is searched for, and how. */
export interface SearchWish {
  readonly query: string;
  readonly collections: readonly WantedCollection[];
  readonly top_k: number;
  readonly filters?: Filters | undefined;
  readonly fusion?: Fusion | undefined;
  /** By default what suits the embedder. */
  readonly weights?: Weights | undefined;
  /** Whether words of the best passages are looked for too; yes by default. */
  readonly expand?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly mode?: "hybrid" | "words" | "vector" | undefined;
  /** For how many seconds the answer may be given again, as long as the versions are the same. */
  readonly cache_ttl?: number | undefined;
  /** Nobody waits for it, but its answer is judged: an endpoint gets its time, and where the query cannot be embedded, it fails. */
  readonly isMeasured?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}
