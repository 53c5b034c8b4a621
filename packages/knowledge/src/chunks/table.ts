import { rowEnd } from "../documents/csv.js";
import { cutAt } from "./cut.js";
import { countQuarters } from "./tokens.js";

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
  let most = firstQuarters;
  const close = (): void => {
    if (partEnd > partStart) parts.push({ start: partStart, end: partEnd });
    most = rest;
    used = 0;
  };
  for (let at = start; at < end; ) {
    const next = endOf(text, at, end);
    const cost = countQuarters(text, at, next) + 1;
    if (used + cost > most && used > 0) {
      close();
      partStart = at;
    }
    if (cost > most) {
      for (let from = at; from < next; from = partStart) {
        partEnd = cutAt(text, from, next, most, false);
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
