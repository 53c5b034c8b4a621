import type { Part } from "./index-rows.js";

/** A row and the cosine of its angle with the question. */
export interface NearRow {
  readonly row: number;
  readonly cosine: number;
}

/** A segment whose vectors are asked: rows with a 1 in the mask, a byte a row. */
export interface AskedPart {
  readonly part: Part;
  readonly mask: Uint8Array;
}
