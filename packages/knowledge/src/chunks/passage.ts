import { rowEnd } from "../documents/plain-text.js";
import type { SomeText } from "../documents/reading.js";
import { countQuarters, cutAt } from "./cut.js";

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

/** A part of a table that is too large to stay whole. */
export interface TablePart {
  readonly start: number;
  readonly end: number;
}

/** A table in parts of whole rows; those after the first need the head in front of them. */
export interface CutTable {
  /** Empty where it would take too much of each part. */
  readonly head: string;
  readonly parts: readonly TablePart[];
}

/** How a row ends: of CSV not within quotes. */
type RowEnd = (text: string, start: number, end: number) => number;

const lineEnd: RowEnd = (text, start, end) => {
  const found = text.indexOf("\n", start);
  return found === -1 || found > end ? end : found;
};

const RULE = /^[\s|:-]+$/;

/** Cuts a table at its rows into parts that have at most so many quarters with the head in front, the first one `firstQuarters`. */
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
