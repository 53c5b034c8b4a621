import { type Body, SLICE_BYTES, slicesOf } from "./body.js";

const LINE_END = 10;

/** Where the lines of a text are, as far as it pays to remember. */
export interface Lines {
  readonly count: number;
  /** Bytes of the longest one, without its end. */
  readonly longest: number;
  /** How many line ends lie before each slice. */
  readonly before: readonly number[];
}

/** Counts the lines of a text. */
export async function countLines(body: Body): Promise<Lines> {
  const before: number[] = [];
  let ends = 0;
  let longest = 0;
  let lineStart = 0;
  for await (const { at, bytes } of slicesOf(body)) {
    before.push(ends);
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, end + 1)) {
      ends += 1;
      longest = Math.max(longest, at + end - lineStart);
      lineStart = at + end + 1;
    }
  }
  const hasRest = lineStart < body.bytes;
  return { count: ends + (hasRest ? 1 : 0), longest: Math.max(longest, body.bytes - lineStart), before };
}

/** The byte at which a line begins; lines are counted from 1. */
export async function startOfLine(body: Body, { before }: Lines, line: number): Promise<number> {
  if (line <= 1) return 0;
  const slice = lastBelow(before, line - 1);
  const bytes = await body.read(slice * SLICE_BYTES, SLICE_BYTES);
  let end = -1;
  for (let ends = before[slice] ?? 0; ends < line - 1; ends += 1) end = bytes.indexOf(LINE_END, end + 1);
  return slice * SLICE_BYTES + end + 1;
}

/** The number of the line in which a byte lies. */
export async function lineAt(body: Body, { before }: Lines, at: number): Promise<number> {
  const slice = Math.min(Math.floor(at / SLICE_BYTES), before.length - 1);
  if (slice < 0) return 1;
  const bytes = await body.read(slice * SLICE_BYTES, at - slice * SLICE_BYTES);
  return (before[slice] ?? 0) + countEnds(bytes) + 1;
}

function countEnds(bytes: Buffer): number {
  let ends = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, end + 1)) ends += 1;
  return ends;
}

/** The last slice with fewer line ends before it. */
function lastBelow(before: readonly number[], ends: number): number {
  let [low, high] = [0, before.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((before[middle] as number) < ends) low = middle;
    else high = middle - 1;
  }
  return low;
}
