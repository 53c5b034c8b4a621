/** What one asks of an embedder along with the texts. */
export interface EmbedWish {
  /** Some models are told what a text is for. */
  readonly kind: "query" | "passage";
  /** Somebody waits for an answer that can do without vectors: an endpoint is asked once, and not for long. */
  readonly isUrgent?: boolean;
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors whose angles say how near they are in meaning. */
export interface Embedder {
  /** Recorded with every version of a collection: vectors of two names are never compared. */
  readonly name: string;
  readonly dimension: number;
  /** How many texts are best given at once. */
  readonly batch: number;
  /** Whether a text costs microseconds, so that a search can have passages embedded anew. */
  readonly isLight?: boolean;
  /** A vector of unit length for each text; all zero for a text that has nothing in it. Throws a `ToolError`. */
  embed(texts: readonly string[], wish: EmbedWish): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}
