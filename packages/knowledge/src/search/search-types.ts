/** Restricts the passages that are searched. */
export interface Filters {
  /** Document kinds such as "markdown" or "pdf". */
  readonly document_types?: readonly string[];
  /** The last modification of the document, both ends included: a date or a time in ISO 8601. */
  readonly date_range?: { readonly start?: string; readonly end?: string };
  /** Metadata of the document. A list matches if it contains the value. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly chunk_types?: readonly string[];
  /** The minimum score after fusion. */
  readonly min_score?: number;
}

/** A collection to search. The default version is the pinned one, else the active one. */
export interface WantedCollection {
  readonly name: string;
  readonly version?: number | undefined;
}

/** The weight of each retriever in the score. */
export interface Weights {
  readonly vector: number;
  readonly words: number;
}

/** What to search, and how. */
export interface SearchOptions {
  readonly query: string;
  readonly collections: readonly WantedCollection[];
  readonly top_k: number;
  readonly filters?: Filters | undefined;
  /** The default depends on the embedder. */
  readonly weights?: Weights | undefined;
  /** Adds terms of the best passages to the query; the default is true. */
  readonly expand?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly mode?: "hybrid" | "words" | "vector" | undefined;
  /** For how many seconds the result may be reused while the versions stay the same. */
  readonly cache_ttl?: number | undefined;
  /** For evaluations: endpoints get their full timeout, and a query that cannot be embedded is an error. */
  readonly isMeasured?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The source of a passage. */
export interface Citation {
  readonly title: string;
  readonly source_path?: string;
  readonly source_url?: string;
  /** The source and its lines, such as "docs/a.md#L10-L24". */
  readonly anchor: string;
  readonly license?: string;
  readonly version: number;
  readonly line_start: number;
  readonly line_end: number;
  readonly byte_start?: number;
  readonly byte_end?: number;
  readonly page?: number;
}

/** The part of one term in a BM25 score. */
export interface ExplainedTerm {
  readonly term: string;
  readonly origin: "query" | "expansion";
  /** The weight in the query, or the one that feedback gave it. */
  readonly weight: number;
  /** How often the passage contains it, including its title and headings. */
  readonly tf: number;
  /** The number of passages that contain it, and the inverse document frequency. */
  readonly df: number;
  readonly idf: number;
  readonly contribution: number;
}

/** How a score was computed. */
export interface Explanation {
  readonly words?: {
    /** The sum of the contributions of the terms. */
    readonly score: number;
    readonly rank?: number;
    /** Compared with the best candidate and blended with the rerank scores: `window`, `proximity` and `heading`. */
    readonly normalised: number;
    readonly weight: number;
    /** The share of the query terms in the best window of two or three sentences, from 0 to 1. */
    readonly window?: number;
    /** The share of the adjacent query terms that are close to each other, from 0 to 1. */
    readonly proximity?: number;
    /** The share of the best matching heading that the query names, from 0 to 1. */
    readonly heading?: number;
    readonly length: number;
    readonly average_length: number;
    readonly terms: readonly ExplainedTerm[];
  };
  readonly vector?: {
    readonly cosine: number;
    readonly rank?: number;
    /** Compared with the candidates and blended with the rerank score `window`. */
    readonly normalised: number;
    readonly weight: number;
    /** The cosine of the nearest window. */
    readonly window?: number;
  };
  readonly expansion_terms: readonly string[];
}

/** A range of a text in UTF-16 code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A passage that was found. */
export interface Hit {
  readonly chunk_id: string;
  readonly document_id: string;
  /** The name of the collection. */
  readonly collection_id: string;
  readonly version: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly chunk_type: string;
  readonly content: string;
  /** The part of the content that matches the query best. */
  readonly snippet: string;
  /** The query words in the snippet. */
  readonly highlights: readonly TextSpan[];
  readonly score: number;
  /** The cosine. */
  readonly vector_score?: number;
  readonly bm25_score?: number;
  readonly citation: Citation;
  /** The metadata of the document. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly explain?: Explanation;
}

/** The result of a search. */
export interface SearchResult {
  readonly results: readonly Hit[];
  readonly query_info: {
    /** The query as it was parsed. */
    readonly processed_query: string;
    readonly query_terms: readonly string[];
    readonly expansion_terms: readonly string[];
    /** How many passages contain a query term, fulfil the query, or are near in meaning. */
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
  /** The name of the embedder; empty if vectors were not searched. */
  readonly embedder: string;
  /** What was not searched as requested, and how to fix it. */
  readonly warnings: readonly string[];
}
