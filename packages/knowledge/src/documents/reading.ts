/** What files are read as. */
export const DOCUMENT_KINDS = ["markdown", "text", "html", "pdf", "docx", "csv", "json", "code"] as const;
/** What a file is read as. */
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A part of a document that belongs together: offsets are UTF-16 units of `Reading.text`. */
export interface Block {
  readonly type: "heading" | "text" | "code" | "table" | "list";
  readonly start: number;
  readonly end: number;
  /** Of a heading: 1 is the highest. Of other blocks: absent. */
  readonly level?: number;
  /** The headings above it, the highest first; of code, the names of what it is in. */
  readonly headings: readonly string[];
}

/** Where a range of a text stands in the file as it lies on disk. */
export interface SourceSpan {
  /** Absent where the text does not stand in the file as it is: PDF and DOCX are packed. */
  readonly byte_start?: number;
  readonly byte_end?: number;
  /** From 1. Of a PDF: lines of the page's text. Of a DOCX: paragraphs of the document. */
  readonly line_start: number;
  readonly line_end: number;
  /** From 1, of a PDF. */
  readonly page?: number;
  /** Where the range ends on a later page: `line_end` counts there. */
  readonly page_end?: number;
}

/** A document as text, with the way back to its source. */
export interface Reading {
  readonly kind: DocumentKind;
  readonly title: string;
  /** An SPDX id. */
  readonly license?: string;
  /** Of code, its programming language; of prose, what it declares. */
  readonly language?: string;
  /** Of the bytes, as WHATWG names it; that of the text inside, where they are packed. */
  readonly encoding: string;
  /** With "\n" line ends and without a byte order mark; otherwise as written, so that offsets stay true. */
  readonly text: string;
  /** In order, without overlap; between them is only what is blank. */
  readonly blocks: readonly Block[];
  /** Front matter, `<meta>`, properties of a DOCX or PDF. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What `locate` knows, to be stored: `locateIn(map)` gives it back. */
  readonly map: Uint8Array;
  /** Where a range of `text` stands in the source. */
  readonly locate: (start: number, end: number) => SourceSpan;
}

/** A text of which parts can be had; a string is one. */
export interface SomeText {
  readonly length: number;
  slice(start: number, end: number): string;
}

/** What reading one document may take. */
export interface ReadLimits {
  /** Of the file. */
  readonly bytes: number;
  /** Of what is unpacked from it, all together. */
  readonly unpackedBytes: number;
  /** Of its text, in UTF-16 units. */
  readonly characters: number;
  /** Of one line of a file of text. */
  readonly lineBytes: number;
  readonly pages: number;
}

/** What suits documents that people write, and keeps a process below 300 MB. */
export const READ_LIMITS: ReadLimits = {
  bytes: 40_000_000,
  unpackedBytes: 64_000_000,
  characters: 32_000_000,
  lineBytes: 10_000_000,
  pages: 5_000,
};

/** A document that cannot be read; its message is the reason, a clause for people ("it is encrypted with a password"). */
export class UnreadableDocument extends Error {
  override readonly name = "UnreadableDocument";
}

/** More blocks take more memory than their text; hardly a book has a tenth of that. */
const MAX_BLOCKS = 250_000;

/** Throws for a document of too many blocks, while they are counted. */
export function refuseMany(blocks: number): void {
  if (blocks > MAX_BLOCKS) throw new UnreadableDocument(`it has more than ${MAX_BLOCKS} paragraphs. Split it`);
}

/** Why a file of that many bytes is not read; undefined: it may be. Asked before it is opened, it need not be in memory. */
export const tooLarge = (byteLength: number, limit: number): string | undefined =>
  byteLength > limit ? `it has ${byteLength} bytes; at most ${limit} are read` : undefined;
