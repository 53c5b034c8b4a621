import type { Part } from "./index-rows.js";

/** Takes the rows out of a mask, a byte a row, that are not alive or that a filter leaves out. */
export function leaveOut(parts: readonly Part[], possible: Uint8Array): void {
  for (const { offset, allowed } of parts)
    for (let row = 0; row < allowed.length; row += 1) if (allowed[row] === 0) possible[offset + row] = 0;
}

/** Rows that have none of the words, in their order: what is demanded of them may be in no index. */
export function unscored(possible: Uint8Array, scores: Float64Array, most: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < possible.length && rows.length < most; row += 1)
    if (possible[row] === 1 && scores[row] === 0) rows.push(row);
  return rows;
}

/** How many rows are possible and certain. */
export function countOf(possible: Uint8Array, certain: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < possible.length; row += 1) count += (possible[row] as number) & (certain[row] as number);
  return count;
}

/** How many rows are possible and not certain. */
export function countUnsure(possible: Uint8Array, certain: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < possible.length; row += 1)
    count += (possible[row] as number) & (1 - (certain[row] as number));
  return count;
}
