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

/** Where a passage is from, down to the line. */
export interface Citation {
  readonly title: string;
  readonly source_path?: string;
  readonly source_url?: string;
  /** The source and the lines in it, such as "docs/a.md#L10-L24". */
  readonly anchor: string;
  readonly license?: string;
  readonly version: number;
  readonly line_start: number;
  readonly line_end: number;
  readonly byte_start?: number;
  readonly byte_end?: number;
  readonly page?: number;
}

/** What one term gave to the score of words. */
export interface ExplainedTerm {
  readonly term: string;
  readonly origin: "query" | "expansion";
  /** How often it counts, as the query or the feedback weighs it. */
  readonly weight: number;
  /** How often it is in the passage; a title and headings count too. */
  readonly tf: number;
  /** In how many passages of the versions it is, and what that makes it worth. */
  readonly df: number;
  readonly idf: number;
  /** What passages around it give, in which the term counts for more. */
  readonly nearby: number;
  /** What the term gives in all. */
  readonly contribution: number;
}

/** How a score came about: every number that is in it. */
export interface Explanation {
  readonly fusion: "weights" | "rrf";
  readonly words?: {
    /** The sum of the contributions of its terms. */
    readonly score: number;
    readonly rank?: number;
    readonly normalised: number;
    readonly weight: number;
    /** How much of the query's words its best stretch has, from 0 to 1: it is in `normalised`, as are the next two. */
    readonly stretch?: number;
    /** How many of the words that are neighbours in the query stand near each other in it, from 0 to 1. */
    readonly together?: number;
    /** How much of the heading above it, or of one in it, the query names, from 0 to 1. */
    readonly heading?: number;
    readonly length: number;
    readonly average_length: number;
    readonly terms: readonly ExplainedTerm[];
  };
  readonly vector?: {
    readonly cosine: number;
    readonly rank?: number;
    readonly normalised: number;
    readonly weight: number;
    /** The cosine of its nearest stretch: it is in `normalised`, as is the next one. */
    readonly stretch?: number;
    /** The cosine of the stretch that is nearest to what the best passages say. */
    readonly feedback?: number;
  };
  /** What is taken off because a better passage is of the same section. */
  readonly repeated?: number;
  readonly expansion_terms: readonly string[];
}

/** A stretch of a text, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A passage that was found. */
export interface Hit {
  readonly chunk_id: string;
  readonly document_id: string;
  /** The collection's name. */
  readonly collection_id: string;
  readonly version: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly chunk_type: string;
  readonly content: string;
  /** The part of the content that has most of what was asked for. */
  readonly snippet: string;
  /** The words in the snippet that were asked for. */
  readonly highlights: readonly Stretch[];
  readonly score: number;
  /** The cosine. */
  readonly vector_score?: number;
  readonly bm25_score?: number;
  readonly citation: Citation;
  /** What the document says of itself. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly explain?: Explanation;
}

/** What a search found, and how it went. */
export interface SearchAnswer {
  readonly results: readonly Hit[];
  readonly query_info: {
    /** The query as it was understood. */
    readonly processed_query: string;
    readonly query_terms: readonly string[];
    readonly expansion_terms: readonly string[];
    /** How many passages have a word of the query, fulfil it, or are near in meaning. */
    readonly total_results: number;
  };
  readonly performance_metrics: {
    readonly total_ms: number;
    readonly vector_ms: number;
    readonly bm25_ms: number;
    readonly merge_ms: number;
    readonly vector_candidates: number;
    readonly bm25_candidates: number;
    readonly cache_hit: boolean;
  };
  /** The name of the embedder that took part; "" = none did. */
  readonly embedder: string;
  /** What did not go as asked, and what to do about it. */
  readonly warnings: readonly string[];
}
