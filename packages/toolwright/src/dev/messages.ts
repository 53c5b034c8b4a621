import type { Json, JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";

/** What one line says: a message, or several where clients of old still send batches. */
export interface Line {
  readonly messages: readonly JsonObject[];
  readonly isBatch: boolean;
}

/** Reads a line; undefined where it is no message, such as what a program prints by mistake. */
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

/** The name of an id in a map: 1 and "1" are two ids. */
export const keyOf = (id: Json | undefined): string => JSON.stringify(id ?? null);

/** The method of a request or a notification; undefined for an answer. */
export const methodOf = ({ method }: JsonObject): string | undefined =>
  typeof method === "string" ? method : undefined;

/** Whether a message wants an answer. */
export const isRequest = (message: JsonObject): boolean => methodOf(message) !== undefined && "id" in message;

/** The parameters of a message. */
export const paramsOf = ({ params }: JsonObject): JsonObject => (isObject(params) ? params : {});

/** A member that should be a text; empty where it is none. */
export const textIn = (value: JsonObject, name: string): string => {
  const { [name]: text } = value;
  return typeof text === "string" ? text : "";
};

/** What is said beside the parameters. */
export const metaOf = (message: JsonObject): JsonObject => {
  const { _meta: meta } = paramsOf(message);
  return isObject(meta) ? meta : {};
};

/** Where a notification says which listening request it belongs to. */
export const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** Where a request of a stateless client says which revision it is in. */
export const VERSION = "io.modelcontextprotocol/protocolVersion";

/** The lists whose changes are announced. */
export const LISTS = ["tools", "prompts", "resources"] as const;

/** A list whose changes are announced. */
export type ListName = (typeof LISTS)[number];

/** Everything that a server lists, by name or URI, as it was written. */
export type Lists = Readonly<Record<ListName, ReadonlyMap<string, string>>>;

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
