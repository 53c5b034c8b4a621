import type { JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { type ListName, type Lists, textIn } from "./messages.js";
import type { ClientState } from "./router.js";
import type { ServerProcess } from "./server-process.js";

/** The changes of one list. */
export interface ListChange {
  readonly of: ListName;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** The methods of each list, and the member that identifies its items. */
const LIST_METHODS = [
  { of: "tools", method: "tools/list", member: "tools", name: "name" },
  { of: "prompts", method: "prompts/list", member: "prompts", name: "name" },
  { of: "resources", method: "resources/list", member: "resources", name: "uri" },
  { of: "resources", method: "resources/templates/list", member: "resourceTemplates", name: "uriTemplate" },
] as const;

/** Limits servers whose pages never end. */
const MAX_PAGES = 100;

/** Reads the lists of the code; `meta` is that of a stateless client. A list that it does not support is empty. */
export async function readLists(code: ServerProcess, meta: JsonObject | undefined): Promise<Lists> {
  const lists = { tools: new Map<string, string>(), prompts: new Map<string, string>(), resources: new Map() };
  const { capabilities } = code;
  await Promise.all(
    LIST_METHODS.filter(({ of }) => capabilities === undefined || capabilities[of] !== undefined).map(async (way) => {
      for (const item of await readPages(code, way.method, way.member, meta))
        lists[way.of].set(textIn(item, way.name), JSON.stringify(item));
    }),
  );
  return lists;
}

async function readPages(
  code: ServerProcess,
  method: string,
  member: string,
  meta?: JsonObject,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = { ...(cursor !== undefined && { cursor }), ...(meta && { _meta: meta }) };
    const result = await code.ask(method, params).catch((error: unknown): JsonObject => {
      if ((error as Error).name === "RequestError") return {};
      throw error;
    });
    const found = result[member];
    if (Array.isArray(found)) items.push(...found.filter(isObject));
    if (typeof result["nextCursor"] !== "string") break;
    cursor = result["nextCursor"];
  }
  return items;
}

/** Compares lists by item. */
export function compareLists(before: Lists, after: Lists): readonly ListChange[] {
  return (Object.keys(after) as ListName[]).flatMap((of) => {
    const [was, is] = [before[of], after[of]];
    const added = [...is.keys()].filter((name) => !was.has(name));
    const removed = [...was.keys()].filter((name) => !is.has(name));
    const changed = [...is].filter(([name, text]) => was.has(name) && was.get(name) !== text).map(([name]) => name);
    return added.length + removed.length + changed.length === 0 ? [] : [{ of, added, removed, changed }];
  });
}

/** Describes changes: `tools: added add, removed sum`. */
export function describeChanges(changes: readonly ListChange[]): string {
  const shown = changes.map(({ of, added, removed, changed }) => {
    const parts = [
      ["added", added],
      ["removed", removed],
      ["changed", changed],
    ] as const;
    const words = parts.flatMap(([word, names]) => (names.length === 0 ? [] : `${word} ${names.join(" ")}`));
    return `${of}: ${words.join(", ")}`;
  });
  return shown.length === 0 ? "the lists are unchanged" : shown.join("; ");
}

/**
 * Prepares a process to take over: repeats the handshake of the client, and reads the lists. Returns a notice for the developer, if any.
 * Throws if the process cannot start.
 */
export async function prepareProcess(code: ServerProcess, memory: ClientState): Promise<string | undefined> {
  const { initialize, meta, negotiatedVersion } = memory;
  if (initialize === undefined) {
    await probe(code, memory);
    if (meta) code.lists = await readLists(code, meta);
    return undefined;
  }
  const result = await code.ask("initialize", initialize);
  code.capabilities = isObject(result["capabilities"]) ? result["capabilities"] : {};
  if (memory.isInitialized) {
    code.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    code.lists = await readLists(code, undefined);
  }
  const version = textIn(result, "protocolVersion");
  return version === negotiatedVersion
    ? undefined
    : `it supports ${version}, but the client negotiated ${negotiatedVersion}: reconnect the client`;
}

/** Sends any request: any response shows that the process serves. */
async function probe(code: ServerProcess, { meta }: ClientState): Promise<void> {
  const asked = meta ? code.ask("server/discover", { _meta: meta }) : code.ask("ping");
  const result = await asked.catch((error: unknown) => {
    if ((error as Error).name === "RequestError") return undefined;
    throw error;
  });
  if (isObject(result?.["capabilities"])) code.capabilities = result["capabilities"];
}
