import type { JsonObject } from "../jsonrpc/json.js";

/** The `_meta` key that says how long whoever sent a request waits for its answer, in milliseconds from now. */
export const PATIENCE_KEY = "toolwright/timeoutMs";

/** Reads how long the caller of a request waits from its `_meta`; what is no such time means for ever. */
export function readPatience(meta: JsonObject | undefined): number {
  const given = meta?.[PATIENCE_KEY];
  return typeof given === "number" && given > 0 ? given : Number.POSITIVE_INFINITY;
}
