import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";

/** The messages of one line: several in a batch. */
export interface Line {
  readonly messages: readonly JsonObject[];
  readonly isBatch: boolean;
}

/** Parses a line; undefined if it is not a message. */
export function readLine(text: string): Line | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    const isBatch = Array.isArray(value);
    const messages = isBatch ? value : [value];
    return messages.length > 0 && messages.every(isMessage) ? { messages, isBatch } : undefined;
  } catch {
    return undefined;
  }
}

const isMessage = (value: Json): value is JsonObject => isObject(value) && value["jsonrpc"] === "2.0";

/** The key of an id: 1 and "1" are different ids. */
export const keyOf = (id: Json | undefined): string => JSON.stringify(id ?? null);

/** The method of a request or notification; undefined for a response. */
export const methodOf = ({ method }: JsonObject): string | undefined =>
  typeof method === "string" ? method : undefined;

/** Whether a message is a request. */
export const isRequest = (message: JsonObject): boolean => methodOf(message) !== undefined && "id" in message;

/** The parameters of a message. */
export const paramsOf = ({ params }: JsonObject): JsonObject => (isObject(params) ? params : {});

/** A string member; empty if it is not a string. */
export const textIn = (value: JsonObject, name: string): string => {
  const { [name]: text } = value;
  return typeof text === "string" ? text : "";
};

/** The `_meta` of a message. */
export const metaOf = (message: JsonObject): JsonObject => {
  const { _meta: meta } = paramsOf(message);
  return isObject(meta) ? meta : {};
};

/** The `_meta` key with the id of the subscription. */
export const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** The `_meta` key with the version of a stateless request. */
export const VERSION = "io.modelcontextprotocol/protocolVersion";

/** The lists whose changes are announced. */
export const LISTS = ["tools", "prompts", "resources"] as const;

/** A list whose changes are announced. */
export type ListName = (typeof LISTS)[number];

/** Everything that a server lists, as JSON by name or URI. */
export type Lists = Readonly<Record<ListName, ReadonlyMap<string, string>>>;

/** Declares that all lists can change: future code may list what this code does not. */
export function amendAnswer(method: string, answer: JsonObject): JsonObject {
  const { result } = answer;
  if (!isObject(result) || !isObject(result["capabilities"])) return answer;
  const { capabilities } = result;
  const isInitialize = method === "initialize";
  if (!isInitialize && method !== "server/discover") return answer;
  const lists = LISTS.filter((list) => isInitialize || capabilities[list] !== undefined).map((list) => {
    const offered = capabilities[list];
    return [list, { ...(isObject(offered) ? offered : {}), listChanged: true }] as const;
  });
  return { ...answer, result: { ...result, capabilities: { ...capabilities, ...Object.fromEntries(lists) } } };
}

/** Acknowledges all requested list notifications, also those that the code does not send. */
export function amendAcknowledgement(message: JsonObject, request: JsonObject): JsonObject {
  const asked = paramsOf(request)["notifications"];
  const params = paramsOf(message);
  const negotiatedVersion = params["notifications"];
  const lists = LISTS.map((list) => `${list}ListChanged`).filter((name) => isObject(asked) && asked[name] === true);
  const more = Object.fromEntries(lists.map((name) => [name, true]));
  return {
    ...message,
    params: { ...params, notifications: { ...(isObject(negotiatedVersion) ? negotiatedVersion : {}), ...more } },
  };
}

const EMPTY: Readonly<Record<string, readonly [list: string, member: string]>> = {
  "tools/list": ["tools", "tools"],
  "prompts/list": ["prompts", "prompts"],
  "resources/list": ["resources", "resources"],
  "resources/templates/list": ["resources", "resourceTemplates"],
};

/** An empty list, if the client knows a list that the code does not have; otherwise undefined. */
export function emptyList(request: JsonObject, capabilities: JsonObject | undefined): JsonObject | undefined {
  const [list, member] = EMPTY[methodOf(request) ?? ""] ?? [];
  if (list === undefined || member === undefined || capabilities === undefined) return undefined;
  if (capabilities[list] !== undefined || metaOf(request)[VERSION] !== undefined) return undefined;
  return { jsonrpc: "2.0", id: request["id"] ?? null, result: { [member]: [] } };
}
