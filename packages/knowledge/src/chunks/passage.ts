import type { SomeText } from "../documents/reading.js";

/** "header" has headings only; "text" also stands for what is of several types. */
export const CHUNK_TYPES = ["text", "code", "table", "header", "list"] as const;

/** Where a passage of a document is, and what is known of it. */
export interface Passage {
  readonly ordinal: number;
  /** Offsets in `Reading.text`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly type: (typeof CHUNK_TYPES)[number];
  /** The headings above all of it. */
  readonly headings: readonly string[];
  /** Of its content, estimated. */
  readonly tokens: number;
  /** Of a later part of a table: the table's head. */
  readonly head?: string;
}

/** A passage of a document that is found and cited as one. */
export interface Chunk extends Omit<Passage, "head"> {
  /** `text.slice(start, end)`; a later part of a table has the table's head before it, and one "\n". */
  readonly content: string;
}

/** A passage with its content; that of a text which is no string is taken from it when somebody wants it. */
export function toChunk(text: SomeText, passage: Passage): Chunk {
  const { ordinal, start, end, type, headings, tokens } = passage;
  if (typeof text === "string")
    return { ordinal, start, end, type, headings, tokens, content: contentOf(text, passage) };
  return {
    ordinal,
    start,
    end,
    type,
    headings,
    tokens,
    get content() {
      return contentOf(text, passage);
    },
  };
}

function contentOf(text: SomeText, { start, end, head }: Passage): string {
  const own = text.slice(start, end);
  return head === undefined ? own : `${head}\n${own}`;
}

/** How large passages are at most, and how much of one the next has again, in tokens. */
export interface ChunkOptions {
  readonly size: number;
  readonly overlap: number;
}
