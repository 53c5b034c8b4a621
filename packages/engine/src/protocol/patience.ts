import type { JsonObject } from "../jsonrpc/json.js";

/** The `_meta` key that says how long whoever sent a request waits for its answer, in milliseconds from now. */
export const PATIENCE_KEY = "toolwright/timeoutMs";

/** Reads how long the caller of a request waits from its `_meta`; undefined = for ever, as what is no such time means too. */
export function readPatience(meta: JsonObject | undefined): number | undefined {
  const given = meta?.[PATIENCE_KEY];
  return typeof given === "number" && given > 0 ? given : undefined;
}
