import type { JsonObject } from "@toolwright/engine";
import { asObject, objectsIn, type Reply, resultOf, sayReply, type Talk } from "./wire/connection.js";
import { type Era, HANDSHAKES, NEWEST_HANDSHAKE, STATELESS } from "./wire/protocol.js";

/** A list with all of its pages. */
interface ListWalk {
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
    if (result === undefined) return end(`${method} got ${sayReply(reply)}`);
    if (!Array.isArray(page)) return end(`the result of ${method} has no array "${member}"`);
    for (const item of objectsIn(page)) items.push(item);
    cursor = result["nextCursor"] ?? undefined;
    if (cursor === undefined) return end();
    if (seen.has(cursor)) return end(`${method} returns the same cursor again: its pages never end`);
    seen.add(cursor);
  } while (replies.length < MOST_PAGES && items.length <= MOST_ITEMS);
  return end(`${method} has more than ${replies.length} pages: they seem never to end`);
}

/** What was seen in one revision. */
export interface Visit {
  readonly era: Era;
  readonly opening: Reply;
  /** Whether the server speaks this very revision. */
  readonly isSpoken: boolean;
  readonly capabilities: JsonObject;
  /** What came to each question, by its method. */
  readonly replies: ReadonlyMap<string, Reply>;
  /** The lists that were walked, by their method. */
  readonly lists: ReadonlyMap<ListMethod, ListWalk>;
  /** Every message that came. */
  readonly heard: readonly JsonObject[];
}

/** A method that lists something. */
export type ListMethod = keyof typeof LISTS;

/** The methods that list something: the capability that each needs, and the member that holds the list. */
const LISTS = {
  "tools/list": { capability: "tools", member: "tools" },
  "resources/list": { capability: "resources", member: "resources" },
  "resources/templates/list": { capability: "resources", member: "resourceTemplates" },
  "prompts/list": { capability: "prompts", member: "prompts" },
} as const;

const LIST_METHODS = Object.keys(LISTS) as ListMethod[];

/** What was seen of a server in all revisions. */
export interface Survey {
  readonly visits: readonly Visit[];
  /** The newest handshake that it speaks; else what stands alone; undefined = none. */
  readonly best: Visit | undefined;
  readonly stateless: Visit | undefined;
  readonly server: { readonly name: string; readonly version: string };
  /** Whether any client can come to an agreement with it, or could if it had a token. */
  readonly isUsable: boolean;
  /** The tools as the best visit saw them. */
  readonly tools: readonly JsonObject[];
}

/** Visits a server in every revision, and looks at all that it lists. */
export async function makeSurvey(
  open: (era: Era) => Promise<Talk>,
  share: (era: Era) => Promise<Talk>,
): Promise<Survey> {
  const newest = await visit(await share(NEWEST_HANDSHAKE));
  const visits = [newest];
  for (const era of [...HANDSHAKES.filter((one) => one !== NEWEST_HANDSHAKE), STATELESS]) {
    const talk = await open(era);
    try {
      visits.push(await visit(talk));
    } finally {
      await talk.close();
    }
  }
  const stateless = visits.find(({ era, isSpoken }) => isSpoken && !era.handshake);
  const best = visits.find(({ isSpoken }) => isSpoken) ?? stateless;
  const tools = best?.lists.get("tools/list")?.items ?? [];
  const isUsable = visits.some(({ opening, isSpoken }) => isSpoken || opening.status === 401 || opening.status === 403);
  return { visits, best, stateless, server: nameOf(best), isUsable, tools };
}

async function visit(talk: Talk): Promise<Visit> {
  const { era, opening } = talk;
  const result = resultOf(opening);
  const isSpoken = era.handshake
    ? result?.["protocolVersion"] === era.version
    : [result?.["supportedVersions"]].flat().includes(era.version);
  const capabilities = asObject(result?.["capabilities"]) ?? {};
  const replies = new Map<string, Reply>();
  const lists = new Map<ListMethod, ListWalk>();
  if (isSpoken) {
    if (era.handshake) replies.set("ping", await talk.ask("ping"));
    for (const method of LIST_METHODS) {
      const { capability, member } = LISTS[method];
      if (capability in capabilities) lists.set(method, await walkList(talk, method, member));
      else replies.set(method, await talk.ask(method));
    }
  }
  return { era, opening, isSpoken, capabilities, replies, lists, heard: talk.heard() };
}

function nameOf(best: Visit | undefined): Survey["server"] {
  const result = best && resultOf(best.opening);
  const meta = asObject(result?.["_meta"]);
  const info = asObject(result?.["serverInfo"]) ?? asObject(meta?.["io.modelcontextprotocol/serverInfo"]) ?? {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { name: text(info["name"]), version: text(info["version"]) };
}
