import type { Question } from "../evaluation/questions.js";

/** The form of the file; another number means that older programs cannot read it. */
export const FORM = 1;

/** What stands at the head of a pack. */
export interface Manifest {
  readonly kbpack: number;
  readonly created_at: string;
  readonly collection: {
    readonly name: string;
    readonly description: string;
    readonly chunk_size: number;
    readonly chunk_overlap: number;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly version: {
    readonly number: number;
    readonly documents: number;
    readonly chunks: number;
    readonly bytes: number;
    readonly checksum: string;
  };
  /** What made the vectors that are in it; "" = there are none. */
  readonly embedder: string;
  readonly dimension: number;
  readonly licenses: Readonly<Record<string, number>>;
}

/** A document, without its text and passages: these follow. */
export interface PackedDocument {
  readonly source: string;
  readonly fingerprint: string;
  readonly edition: number;
  readonly sha256: string;
  readonly origin: "file" | "text";
  readonly url: string | null;
  readonly kind: string;
  readonly title: string;
  readonly license: string | null;
  readonly language: string | null;
  readonly encoding: string;
  readonly bytes: number;
  readonly modified_at: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** In base64. */
  readonly map: string;
  /** How many pieces of text and how many passages follow. */
  readonly parts: number;
  readonly chunks: number;
}

/** A passage; its content is left out where it is just what stands there. */
export interface PackedChunk {
  readonly first: number;
  readonly last: number;
  readonly type: string;
  readonly headings: readonly string[];
  readonly tokens: number;
  readonly content?: string;
  /** The vector: a scale, and a byte a component in base64. */
  readonly vector?: readonly [scale: number, bytes: string];
}

/** What stands at the end of a pack; the hash is of all lines before. */
interface PackEnd {
  readonly documents: number;
  readonly chunks: number;
  readonly sha256: string;
}

/** A line of a pack. */
export type PackLine =
  | { readonly manifest: Manifest }
  | { readonly document: PackedDocument }
  | { readonly text: string }
  | { readonly chunks: readonly PackedChunk[] }
  | { readonly question: Question }
  | { readonly end: PackEnd };
