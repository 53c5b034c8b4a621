import { countMerged } from "./merge.js";
import { NO_RANK, ranks } from "./ranks.js";

/** How cl100k_base cuts a text into pieces before it looks for tokens in each. */
const PIECES =
  /'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/** A character of a string has at most three bytes; two of a pair have four. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();
let scratch = new Uint8Array(4096);

/** Counts the tokens of a text exactly as cl100k_base has them; marks such as `<|endoftext|>` are plain text to it. */
export function countTokens(text: string): number {
  const table = ranks();
  let count = 0;
  PIECES.lastIndex = 0;
  for (let start = 0; PIECES.test(text); start = PIECES.lastIndex) {
    const piece = text.slice(start, PIECES.lastIndex);
    if (piece.length * MOST_BYTES > scratch.length) scratch = new Uint8Array(piece.length * MOST_BYTES);
    const { written } = encoder.encodeInto(piece, scratch);
    if (written === 1 || table.rankOf(scratch, 0, written) !== NO_RANK) count++;
    else count += countMerged(table, scratch.subarray(0, written));
  }
  return count;
}
