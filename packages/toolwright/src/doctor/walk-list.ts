import type { JsonObject } from "@toolwright/engine";
import { objectsIn, type Reply, resultOf, sayReply } from "./wire/reply.js";
import type { Talk } from "./wire/talk.js";

/** A list with all of its pages. */
export interface ListWalk {
  readonly items: readonly JsonObject[];
  readonly replies: readonly Reply[];
  /** What is wrong with it, in words; undefined = it came to its end. */
  readonly trouble: string | undefined;
}

/** No list of which more pages have to be asked for. */
const MOST_PAGES = 100;
const MOST_ITEMS = 20_000;

/** Asks for a list, page by page. */
export async function walkList(talk: Talk, method: string, member: string): Promise<ListWalk> {
  const items: JsonObject[] = [];
  const replies: Reply[] = [];
  const seen = new Set<unknown>();
  const end = (trouble?: string): ListWalk => ({ items, replies, trouble });
  let cursor: unknown;
  do {
    const reply = await talk.ask(method, cursor === undefined ? {} : { cursor });
    replies.push(reply);
    const result = resultOf(reply);
    const page = result?.[member];
    if (result === undefined) return end(`${method} gave ${sayReply(reply)}`);
    if (!Array.isArray(page)) return end(`the result of ${method} has no array "${member}"`);
    for (const item of objectsIn(page)) items.push(item);
    cursor = result["nextCursor"] ?? undefined;
    if (cursor === undefined) return end();
    if (seen.has(cursor)) return end(`${method} gives the same cursor again: its pages never end`);
    seen.add(cursor);
  } while (replies.length < MOST_PAGES && items.length <= MOST_ITEMS);
  return end(`${method} has more than ${replies.length} pages: they seem never to end`);
}
