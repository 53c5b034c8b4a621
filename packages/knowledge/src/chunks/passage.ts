import { rowEnd } from "../documents/plain-text.js";
import type { SomeText } from "../documents/reading.js";
import { countQuarters, cutAt } from "./cut.js";

/** "header": headings only. "text": also a mixture of types. */
export const CHUNK_TYPES = ["text", "code", "table", "header", "list"] as const;

/** The position of a passage in its document, with its properties. */
export interface Passage {
  readonly ordinal: number;
  /** Offsets in `Reading.text`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly type: (typeof CHUNK_TYPES)[number];
  /** The headings that apply to the whole passage. */
  readonly headings: readonly string[];
  /** The estimated number of tokens in its content. */
  readonly tokens: number;
  /** The table header to repeat before a later part of a table. */
  readonly head?: string;
}

/** A passage with its content. */
export interface Chunk extends Omit<Passage, "head"> {
  /** `text.slice(start, end)`. In a later part of a table, preceded by the table header and "\n". */
  readonly content: string;
}

/** Adds the content to a passage. If the text is not a string, the content is read on demand. */
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

/** The maximum size of passages and the overlap of adjacent ones, in tokens. */
export interface ChunkOptions {
  readonly size: number;
  readonly overlap: number;
}

/** A part of a table. */
export interface TablePart {
  readonly start: number;
  readonly end: number;
}

/** A table, split between rows. All parts after the first repeat the header. */
export interface CutTable {
  /** Empty if it would take too much space in each part. */
  readonly head: string;
  readonly parts: readonly TablePart[];
}

/** Finds the end of a row. In CSV, line breaks inside quotes do not count. */
type RowEnd = (text: string, start: number, end: number) => number;

const lineEnd: RowEnd = (text, start, end) => {
  const found = text.indexOf("\n", start);
  return found === -1 || found > end ? end : found;
};

const RULE = /^[\s|:-]+$/;

/** Splits a table between rows. Parts have at most `quarters` including the header; the first one has at most `firstQuarters`. */
export function cutTable(
  text: string,
  { start, end }: TablePart,
  {
    isCsv,
    quarters,
    firstQuarters,
  }: { readonly isCsv: boolean; readonly quarters: number; readonly firstQuarters: number },
): CutTable {
  const endOf = isCsv ? rowEnd : lineEnd;
  let headEnd = endOf(text, start, end);
  const second = isCsv ? headEnd : endOf(text, headEnd + 1, end);
  if (second > headEnd && second - headEnd < 2000 && RULE.test(text.slice(headEnd + 1, second))) headEnd = second;
  const headQuarters = countQuarters(text, start, headEnd) + 1;
  const isRepeated = headQuarters * 3 <= quarters;
  const rest = isRepeated ? quarters - headQuarters : quarters;
  const parts: TablePart[] = [];
  let [partStart, partEnd, used] = [start, start, 0];
  let limit = firstQuarters;
  const close = (): void => {
    if (partEnd > partStart) parts.push({ start: partStart, end: partEnd });
    limit = rest;
    used = 0;
  };
  for (let at = start; at < end; ) {
    const next = endOf(text, at, end);
    const cost = countQuarters(text, at, next) + 1;
    if (used + cost > limit && used > 0) {
      close();
      partStart = at;
    }
    if (cost > limit) {
      for (let from = at; from < next; from = partStart) {
        partEnd = cutAt(text, from, next, limit, false);
        close();
        partStart = partEnd;
      }
      partStart = next + 1;
    } else used += cost;
    partEnd = next;
    at = next + 1;
  }
  close();
  return { head: isRepeated ? text.slice(start, headEnd) : "", parts };
}
