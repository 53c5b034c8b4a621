import { ToolError } from "@toolwright/engine";

/** The options of an embedding request. */
export interface EmbedOptions {
  /** Some models distinguish queries from passages. */
  readonly kind: "query" | "passage";
  /** A search is waiting that can continue without vectors: endpoints are called once, with a short timeout. */
  readonly isUrgent?: boolean;
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors whose cosine expresses similarity of meaning. */
export interface Embedder {
  /** Stored with every version of a collection. Vectors of embedders with different names are never compared. */
  readonly name: string;
  readonly dimension: number;
  /** The recommended number of texts per call. */
  readonly batch: number;
  /** Whether embedding is fast enough to embed passages during a search. */
  readonly isLight?: boolean;
  /** Returns a vector of unit length for each text, or a zero vector for an empty text. Throws a `ToolError`. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** Creates the error of an embedder that is missing or returned an invalid response. */
export const unavailable = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { code: "UNAVAILABLE", ...(cause !== undefined && { cause }) });

/** An endpoint did not respond, or is out of service. Further requests are likely to fail too. */
export class EndpointUnavailable extends ToolError {
  constructor(message: string) {
    super(message, { code: "UNAVAILABLE" });
  }
}

/** The message of an error, for the end of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Normalises a vector to length 1 in place. A zero vector stays unchanged. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] as number) ** 2;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] as number) * factor;
  return vector;
}
