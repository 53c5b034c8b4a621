import { ToolError } from "@toolwright/engine";

/** How passages are cut, in tokens. */
export interface Cut {
  readonly size: number;
  readonly overlap: number;
}

/** Throws where passages would have nearly nothing of their own. */
export function checkCut(cut: Cut): Cut {
  const overlap = Math.floor(cut.overlap);
  if (overlap * 2 > cut.size)
    throw new ToolError(
      `Cannot cut passages of ${cut.size} tokens that share ${overlap} with the next: at most half may be shared.`,
      { code: "INVALID_ARGUMENT", details: { chunk_size: cut.size, chunk_overlap: overlap } },
    );
  return { size: cut.size, overlap };
}
