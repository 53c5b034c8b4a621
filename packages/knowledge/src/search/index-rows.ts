import type { View, ViewedSegment } from "./views.js";

/** A segment's place among the rows of all that is searched. */
export interface Part extends ViewedSegment {
  readonly view: View;
  /** The number of its first row. */
  readonly offset: number;
  /** A byte a row: 0 = it is not alive, or a filter leaves it out. */
  readonly allowed: Uint8Array;
}

/**
 * All that is searched, as one row of rows. The numbers behind scores (how many passages, how long, with which words) are those of
 * all its versions together, so that passages of several collections compare.
 */
export interface IndexRows {
  readonly parts: readonly Part[];
  readonly size: number;
  /** Of what is alive, filters apart. */
  readonly rows: number;
  readonly averageLength: number;
}

/** A filter says which rows of a segment are allowed; undefined = all that are alive. */
export function toIndexRows(
  views: readonly View[],
  allowedIn: (view: View, segment: ViewedSegment) => Uint8Array | undefined,
): IndexRows {
  const parts: Part[] = [];
  let [size, rows, length] = [0, 0, 0];
  for (const view of views) {
    rows += view.rows;
    length += view.length;
    for (const segment of view.segments) {
      parts.push({ ...segment, view, offset: size, allowed: allowedIn(view, segment) ?? segment.alive });
      size += segment.columns.rows;
    }
  }
  return { parts, size, rows, averageLength: rows === 0 ? 1 : Math.max(1, length / rows) };
}

/** Where a row lies. */
export function placeOf({ parts }: IndexRows, row: number): { readonly part: Part; readonly at: number } {
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((parts[middle] as Part).offset <= row) low = middle;
    else high = middle - 1;
  }
  const part = parts[low] as Part;
  return { part, at: row - part.offset };
}

/** Of equal rows, which one comes first: by the order of the collections, then by that of the passages. */
export function compareRows(index: IndexRows, one: number, other: number): number {
  const [first, second] = [placeOf(index, one), placeOf(index, other)];
  if (first.part.view !== second.part.view) return one - other;
  return (first.part.columns.number[first.at] as number) - (second.part.columns.number[second.at] as number);
}
