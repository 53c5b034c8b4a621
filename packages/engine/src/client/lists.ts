import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { ConnectionFailed } from "./errors.js";

/** More than any list needs: a server may give a new cursor each time and never come to an end. */
const MOST = { pages: 1000, entries: 100_000 };

/** Everything that a list holds, over all its pages; what is no entry is left out. */
export async function listAll(
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  method: string,
  member: string,
): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  const seen = new Set<Json>();
  let cursor: Json | undefined;
  for (;;) {
    const page = await request(method, cursor === undefined ? {} : { cursor });
    const found = page[member];
    if (!Array.isArray(found)) throw new ConnectionFailed(`The server's answer to ${method} has no list "${member}"`);
    for (const entry of found) if (isObject(entry)) entries.push(entry);
    cursor = page["nextCursor"] ?? undefined;
    if (cursor === undefined) return entries;
    const sign = seen.has(cursor) ? "the server gave one cursor twice" : `more follow ${entries.length} entries`;
    if (seen.has(cursor) || seen.size === MOST.pages || entries.length >= MOST.entries)
      throw new ConnectionFailed(`The pages of ${method} never end: ${sign}`);
    seen.add(cursor);
  }
}
