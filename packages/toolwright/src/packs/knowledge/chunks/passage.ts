/** A passage of a document that is found and cited as one. */
export interface Chunk {
  readonly ordinal: number;
  /** Offsets in `Reading.text`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** "header" has headings only; "text" also stands for what is of several types. */
  readonly type: "text" | "code" | "table" | "header" | "list";
  /** The headings above all of it. */
  readonly headings: readonly string[];
  /** Of `content`, estimated. */
  readonly tokens: number;
  /** `text.slice(start, end)`; a later part of a table has the table's head before it, and one "\n". */
  readonly content: string;
}

/** How large passages are at most, and how much of one the next has again, in tokens. */
export interface ChunkOptions {
  readonly size: number;
  readonly overlap: number;
}
