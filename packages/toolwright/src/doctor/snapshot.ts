import type { JsonObject } from "@toolwright/engine";
import { asObject, type Conversation, describeReply, objectsIn, type Reply, resultOf } from "./wire/connection.js";
import { HANDSHAKES, NEWEST_HANDSHAKE, type ProtocolRevision, STATELESS } from "./wire/protocol.js";

/** A list with all of its pages. */
interface ListWalk {
  readonly items: readonly JsonObject[];
  readonly replies: readonly Reply[];
  /** What is wrong with it; undefined if it is complete. */
  readonly problem: string | undefined;
}

/** No longer list is read. */
const MAX_PAGES = 100;
const MAX_ITEMS = 20_000;

/** Requests a list page by page. */
export async function walkList(conversation: Conversation, method: string, member: string): Promise<ListWalk> {
  const items: JsonObject[] = [];
  const replies: Reply[] = [];
  const seen = new Set<unknown>();
  const end = (problem?: string): ListWalk => ({ items, replies, problem });
  let cursor: unknown;
  do {
    const reply = await conversation.ask(method, cursor === undefined ? {} : { cursor });
    replies.push(reply);
    const result = resultOf(reply);
    const page = result?.[member];
    if (result === undefined) return end(`${method} got ${describeReply(reply)}`);
    if (!Array.isArray(page)) return end(`the result of ${method} has no array "${member}"`);
    for (const item of objectsIn(page)) items.push(item);
    cursor = result["nextCursor"] ?? undefined;
    if (cursor === undefined) return end();
    if (seen.has(cursor)) return end(`${method} returns the same cursor again: its pages never end`);
    seen.add(cursor);
  } while (replies.length < MAX_PAGES && items.length <= MAX_ITEMS);
  return end(`${method} has more than ${replies.length} pages: they seem never to end`);
}

/** What a server offers in one revision. */
export interface RevisionSnapshot {
  readonly revision: ProtocolRevision;
  readonly opening: Reply;
  /** Whether the server supports exactly this revision. */
  readonly isSupported: boolean;
  readonly capabilities: JsonObject;
  /** The responses, by method. */
  readonly replies: ReadonlyMap<string, Reply>;
  /** The lists, by method. */
  readonly lists: ReadonlyMap<ListMethod, ListWalk>;
  /** Every message received. */
  readonly received: readonly JsonObject[];
}

/** A method that lists something. */
export type ListMethod = keyof typeof LISTS;

/** The list methods, with the capability that each needs and the member that has the list. */
const LISTS = {
  "tools/list": { capability: "tools", member: "tools" },
  "resources/list": { capability: "resources", member: "resources" },
  "resources/templates/list": { capability: "resources", member: "resourceTemplates" },
  "prompts/list": { capability: "prompts", member: "prompts" },
} as const;

const LIST_METHODS = Object.keys(LISTS) as ListMethod[];

/** What a server offers in all revisions. */
export interface ServerSnapshot {
  readonly revisionSnapshots: readonly RevisionSnapshot[];
  /** The newest handshake revision that it supports, otherwise the stateless one; undefined if none. */
  readonly best: RevisionSnapshot | undefined;
  readonly stateless: RevisionSnapshot | undefined;
  readonly server: { readonly name: string; readonly version: string };
  /** Whether any client can negotiate with it, or could with a token. */
  readonly isUsable: boolean;
  /** The tools in the best revision. */
  readonly tools: readonly JsonObject[];
}

/** Connects in every revision, and reads all lists. */
export async function takeSnapshot(
  open: (revision: ProtocolRevision) => Promise<Conversation>,
  share: (revision: ProtocolRevision) => Promise<Conversation>,
): Promise<ServerSnapshot> {
  const newest = await visit(await share(NEWEST_HANDSHAKE));
  const revisionSnapshots = [newest];
  for (const revision of [...HANDSHAKES.filter((one) => one !== NEWEST_HANDSHAKE), STATELESS]) {
    const conversation = await open(revision);
    try {
      revisionSnapshots.push(await visit(conversation));
    } finally {
      await conversation.close();
    }
  }
  const stateless = revisionSnapshots.find(({ revision, isSupported }) => isSupported && !revision.handshake);
  const best = revisionSnapshots.find(({ isSupported }) => isSupported) ?? stateless;
  const tools = best?.lists.get("tools/list")?.items ?? [];
  const isUsable = revisionSnapshots.some(
    ({ opening, isSupported }) => isSupported || opening.status === 401 || opening.status === 403,
  );
  return { revisionSnapshots, best, stateless, server: nameOf(best), isUsable, tools };
}

async function visit(conversation: Conversation): Promise<RevisionSnapshot> {
  const { revision, opening } = conversation;
  const result = resultOf(opening);
  const isSupported = revision.handshake
    ? result?.["protocolVersion"] === revision.version
    : [result?.["supportedVersions"]].flat().includes(revision.version);
  const capabilities = asObject(result?.["capabilities"]) ?? {};
  const replies = new Map<string, Reply>();
  const lists = new Map<ListMethod, ListWalk>();
  if (isSupported) {
    if (revision.handshake) replies.set("ping", await conversation.ask("ping"));
    for (const method of LIST_METHODS) {
      const { capability, member } = LISTS[method];
      if (capability in capabilities) lists.set(method, await walkList(conversation, method, member));
      else replies.set(method, await conversation.ask(method));
    }
  }
  return { revision, opening, isSupported, capabilities, replies, lists, received: conversation.received() };
}

function nameOf(best: RevisionSnapshot | undefined): ServerSnapshot["server"] {
  const result = best && resultOf(best.opening);
  const meta = asObject(result?.["_meta"]);
  const info = asObject(result?.["serverInfo"]) ?? asObject(meta?.["io.modelcontextprotocol/serverInfo"]) ?? {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { name: text(info["name"]), version: text(info["version"]) };
}
