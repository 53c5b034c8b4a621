import type { Json } from "../jsonrpc/json.js";

/** What a server sent, where it is text as it should be. */
export function textOf(value: Json | undefined, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}
