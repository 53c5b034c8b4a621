import type { Json } from "../jsonrpc/json.js";

const MAX_DEPTH = 128;

/** Parses text that holds a JSON object or array; nothing where it does not, or is nested deeper than values may be. */
export function parseCompound(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || depthOf(text) > MAX_DEPTH) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    if (letter === '"') quoted = !quoted;
    else if (letter === "\\" && quoted) index++;
    else if (quoted) continue;
    else if (letter === "{" || letter === "[") deepest = Math.max(deepest, ++depth);
    else if (letter === "}" || letter === "]") depth--;
  }
  return deepest;
}
