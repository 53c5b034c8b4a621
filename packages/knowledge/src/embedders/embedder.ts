import { ToolError } from "@toolwright/engine";

/** What one asks of an embedder along with the texts. */
export interface EmbedOptions {
  /** Some models are reported what a text is for. */
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
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** An embedder that cannot be had, or that did not answer as it should. */
export const unavailable = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { code: "UNAVAILABLE", ...(cause !== undefined && { cause }) });

/** An endpoint that gave no answer, or said that it has none for anybody: whoever asks next is not likely to fare better. */
export class EndpointUnavailable extends ToolError {
  constructor(message: string) {
    super(message, { code: "UNAVAILABLE" });
  }
}

/** What an error says, for the end of a sentence. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes a vector's length 1, in place; one of zeros stays. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += (vector[index] as number) ** 2;
  if (squares === 0) return vector;
  const factor = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] as number) * factor;
  return vector;
}
