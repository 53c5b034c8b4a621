/** The kinds of documents. */
export const DOCUMENT_KINDS = ["markdown", "text", "html", "pdf", "docx", "csv", "json", "code"] as const;

/** The kind of a document. */
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A coherent part of a document. Offsets are UTF-16 units of `Reading.text`. */
export interface Block {
  readonly type: "heading" | "text" | "code" | "table" | "list";
  readonly start: number;
  readonly end: number;
  /** The level of a heading, from 1; absent for other blocks. */
  readonly level?: number;
  /** The enclosing headings, outermost first; in code, the names of the enclosing declarations. */
  readonly headings: readonly string[];
}

/** The location of a text range in the source file. */
export interface SourceSpan {
  /** Absent if the file does not contain the text as is, as with PDF and DOCX. */
  readonly byte_start?: number;
  readonly byte_end?: number;
  /** Starts at 1. In a PDF, lines of the page; in a DOCX, paragraphs of the document. */
  readonly line_start: number;
  readonly line_end: number;
  /** Starts at 1; only for a PDF. */
  readonly page?: number;
  /** The last page, if it differs; `line_end` refers to it. */
  readonly page_end?: number;
}

/** A document as text, with a map to its source. */
export interface Reading {
  readonly kind: DocumentKind;
  readonly title: string;
  /** The SPDX id. */
  readonly license?: string;
  /** The programming language of code, or the declared language of prose. */
  readonly language?: string;
  /** The WHATWG name of the file's encoding; for packed formats, that of the text inside. */
  readonly encoding: string;
  /** Line ends are "\n", without a byte order mark; otherwise unchanged, so that offsets are stable. */
  readonly text: string;
  /** Ordered and without overlap; only whitespace lies between them. */
  readonly blocks: readonly Block[];
  /** Metadata of front matter, `<meta>` elements, or DOCX and PDF properties. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The source map in serialised form; `locateIn(map)` restores `locate`. */
  readonly map: Uint8Array;
  /** Locates a range of `text` in the source. */
  readonly locate: (start: number, end: number) => SourceSpan;
}

/** A text that can be read in parts, such as a string. */
export interface SomeText {
  readonly length: number;
  slice(start: number, end: number): string;
}

/** The limits for reading one document. */
export interface ReadLimits {
  /** The size of the file. */
  readonly bytes: number;
  /** The total size of unpacked data. */
  readonly unpackedBytes: number;
  /** The length of the text in UTF-16 units. */
  readonly characters: number;
  /** The length of a line in a text file. */
  readonly lineBytes: number;
  readonly pages: number;
}

/** Limits that suit documents for people and keep the process below 300 MB. */
export const READ_LIMITS: ReadLimits = {
  bytes: 40_000_000,
  unpackedBytes: 64_000_000,
  characters: 32_000_000,
  lineBytes: 10_000_000,
  pages: 5_000,
};

/** A document cannot be read. The message is a clause with the reason, such as "it is encrypted with a password". */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
}

/** Blocks can take more memory than their text. Books rarely have a tenth of this. */
const MAX_BLOCKS = 250_000;

/** Throws if a document has too many blocks. */
export function refuseMany(blocks: number): void {
  if (blocks > MAX_BLOCKS) throw new UnreadableDocument(`it has more than ${MAX_BLOCKS} paragraphs. Split it`);
}

/** Why a file of this size is not read; undefined if it is. Allows a check before the file is opened. */
export const tooLarge = (byteLength: number, limit: number): string | undefined =>
  byteLength > limit ? `it has ${byteLength} bytes; at most ${limit} are read` : undefined;
