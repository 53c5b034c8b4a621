import type { JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { LISTS, metaOf, methodOf, paramsOf, VERSION } from "./messages.js";

/** Code that is written further may list what it does not list today: a client is told that every list can change, and come. */
export function amendAnswer(method: string, answer: JsonObject): JsonObject {
  const { result } = answer;
  if (!isObject(result) || !isObject(result["capabilities"])) return answer;
  const { capabilities } = result;
  const isShaken = method === "initialize";
  if (!isShaken && method !== "server/discover") return answer;
  const lists = LISTS.filter((list) => isShaken || capabilities[list] !== undefined).map((list) => {
    const offered = capabilities[list];
    return [list, { ...(isObject(offered) ? offered : {}), listChanged: true }] as const;
  });
  return { ...answer, result: { ...result, capabilities: { ...capabilities, ...Object.fromEntries(lists) } } };
}

/** Whoever listens hears of every list that it asked about, whether or not the code would tell. */
export function amendAcknowledgement(message: JsonObject, request: JsonObject): JsonObject {
  const asked = paramsOf(request)["notifications"];
  const params = paramsOf(message);
  const agreed = params["notifications"];
  const lists = LISTS.map((list) => `${list}ListChanged`).filter((name) => isObject(asked) && asked[name] === true);
  const more = Object.fromEntries(lists.map((name) => [name, true]));
  return { ...message, params: { ...params, notifications: { ...(isObject(agreed) ? agreed : {}), ...more } } };
}

const EMPTY: Readonly<Record<string, readonly [list: string, member: string]>> = {
  "tools/list": ["tools", "tools"],
  "prompts/list": ["prompts", "prompts"],
  "resources/list": ["resources", "resources"],
  "resources/templates/list": ["resources", "resourceTemplates"],
};

/** The answer to a request for a list that the code does not have, though the client was told of it; undefined for all others. */
export function emptyList(request: JsonObject, capabilities: JsonObject | undefined): JsonObject | undefined {
  const [list, member] = EMPTY[methodOf(request) ?? ""] ?? [];
  if (list === undefined || member === undefined || capabilities === undefined) return undefined;
  if (capabilities[list] !== undefined || metaOf(request)[VERSION] !== undefined) return undefined;
  return { jsonrpc: "2.0", id: request["id"] ?? null, result: { [member]: [] } };
}
