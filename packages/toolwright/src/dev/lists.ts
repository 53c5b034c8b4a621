import type { JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type ListName, type Lists, textIn } from "./messages.js";
import type { Memory } from "./router.js";
import type { Code } from "./server-process.js";

/** What became of one list. */
export interface ListChange {
  readonly of: ListName;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Where each list is asked for, and what its items are called by. */
const WAYS = [
  { of: "tools", method: "tools/list", member: "tools", name: "name" },
  { of: "prompts", method: "prompts/list", member: "prompts", name: "name" },
  { of: "resources", method: "resources/list", member: "resources", name: "uri" },
  { of: "resources", method: "resources/templates/list", member: "resourceTemplates", name: "uriTemplate" },
] as const;

/** A server that always has one more page is not asked for ever. */
const MOST_PAGES = 100;

/** Asks code for its lists; `meta` is what each request of a stateless client has. A list that it does not have is empty. */
export async function readLists(code: Code, meta: JsonObject | undefined): Promise<Lists> {
  const lists = { tools: new Map<string, string>(), prompts: new Map<string, string>(), resources: new Map() };
  const { capabilities } = code;
  await Promise.all(
    WAYS.filter(({ of }) => capabilities === undefined || capabilities[of] !== undefined).map(async (way) => {
      for (const item of await readPages(code, way.method, way.member, meta))
        lists[way.of].set(textIn(item, way.name), JSON.stringify(item));
    }),
  );
  return lists;
}

async function readPages(code: Code, method: string, member: string, meta?: JsonObject): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = { ...(cursor !== undefined && { cursor }), ...(meta && { _meta: meta }) };
    const result = await code.ask(method, params).catch((error: unknown): JsonObject => {
      if ((error as Error).name === "Refusal") return {};
      throw error;
    });
    const found = result[member];
    if (Array.isArray(found)) items.push(...found.filter(isObject));
    if (typeof result["nextCursor"] !== "string") break;
    cursor = result["nextCursor"];
  }
  return items;
}

/** What is not as it was, list by list. */
export function compareLists(before: Lists, after: Lists): readonly ListChange[] {
  return (Object.keys(after) as ListName[]).flatMap((of) => {
    const [was, is] = [before[of], after[of]];
    const added = [...is.keys()].filter((name) => !was.has(name));
    const removed = [...was.keys()].filter((name) => !is.has(name));
    const changed = [...is].filter(([name, text]) => was.has(name) && was.get(name) !== text).map(([name]) => name);
    return added.length + removed.length + changed.length === 0 ? [] : [{ of, added, removed, changed }];
  });
}

/** The changes in words, such as `tools: new add, gone sum`. */
export function showChanges(changes: readonly ListChange[]): string {
  const shown = changes.map(({ of, added, removed, changed }) => {
    const parts = [
      ["new", added],
      ["gone", removed],
      ["changed", changed],
    ] as const;
    const words = parts.flatMap(([word, names]) => (names.length === 0 ? [] : `${word} ${names.join(" ")}`));
    return `${of}: ${words.join(", ")}`;
  });
  return shown.length === 0 ? "the lists are as they were" : shown.join("; ");
}

/**
 * Brings code to the point at which it can take over: it has started, has shaken hands as the client did, and its lists are
 * known. Gives what the client should hear of. Throws why it cannot.
 */
export async function warmUp(code: Code, memory: Memory): Promise<string | undefined> {
  const { initialize, meta, agreed } = memory;
  if (initialize === undefined) {
    await askAnything(code, memory);
    if (meta) code.lists = await readLists(code, meta);
    return undefined;
  }
  const result = await code.ask("initialize", initialize);
  code.capabilities = isObject(result["capabilities"]) ? result["capabilities"] : {};
  if (memory.isInitialized) {
    code.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    code.lists = await readLists(code, undefined);
  }
  const speaks = textIn(result, "protocolVersion");
  return speaks === agreed ? undefined : `it speaks ${speaks}, and the client agreed on ${agreed}: connect anew`;
}

/** Whatever it answers, it serves; also that it does not know the question. */
async function askAnything(code: Code, { meta }: Memory): Promise<void> {
  const asked = meta ? code.ask("server/discover", { _meta: meta }) : code.ask("ping");
  const result = await asked.catch((error: unknown) => {
    if ((error as Error).name === "Refusal") return undefined;
    throw error;
  });
  if (isObject(result?.["capabilities"])) code.capabilities = result["capabilities"];
}
