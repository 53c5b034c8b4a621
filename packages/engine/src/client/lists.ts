import type { Json, JsonObject } from "../jsonrpc/json.js";

/** Everything that a list holds, over all its pages. */
export async function listAll(
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  method: string,
  member: string,
): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  const seen = new Set<Json>();
  let cursor: Json | undefined;
  do {
    const page = await request(method, cursor === undefined ? {} : { cursor });
    const found = page[member];
    if (!Array.isArray(found)) throw new TypeError(`The server's answer to ${method} has no list "${member}"`);
    entries.push(...(found as JsonObject[]));
    cursor = page["nextCursor"];
    if (cursor !== undefined && seen.has(cursor))
      throw new TypeError(`The pages of ${method} never end: the server gave one cursor twice`);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined && cursor !== null);
  return entries;
}
