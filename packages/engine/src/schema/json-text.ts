import { nestsDeeperThan } from "../jsonrpc/depth.js";
import type { Json } from "../jsonrpc/json.js";

const MAX_DEPTH = 128;

/** Parses text that holds a JSON object or array; nothing where it does not, or is nested deeper than values may be. */
export function parseCompound(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || nestsDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
