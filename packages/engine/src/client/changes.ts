import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { type Change as AnyChange, LISTS } from "../protocol/change.js";
import { SUBSCRIPTION_KEY } from "../revisions/meta-keys.js";

/** Something of the server is not as it was: a list has other entries, or a resource has other contents. */
export type Change = Exclude<AnyChange, { of: "task" }>;

/** What to hear of. */
export interface Wanted {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** The resources whose contents matter. */
  readonly uris?: readonly string[];
}

/** The change that a notification tells of; undefined = it tells of none. */
export function readChange(method: string, params: JsonObject): Change | undefined {
  const list = LISTS.find((name) => method === `notifications/${name}/list_changed`);
  if (list !== undefined) return { of: list };
  const { uri } = params;
  const isUpdate = method === "notifications/resources/updated" && typeof uri === "string";
  return isUpdate ? { of: "resource", uri } : undefined;
}

/** Whether somebody who wants this wants to hear of the change; what lies below a resource belongs to it. */
export function isWanted(wanted: Wanted, change: Change): boolean {
  if (change.of !== "resource") return wanted[change.of] === true;
  return (wanted.uris ?? []).some((uri) => change.uri === uri || change.uri.startsWith(`${uri.replace(/\/$/, "")}/`));
}

/** The params of `subscriptions/listen`. */
export function writeWanted({ tools, prompts, resources, uris = [] }: Wanted): JsonObject {
  return {
    notifications: {
      ...(tools && { toolsListChanged: true }),
      ...(prompts && { promptsListChanged: true }),
      ...(resources && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    },
  };
}

/** The `subscriptions/listen` request that a notification belongs to. */
export function subscriptionOf(params: JsonObject): Json | undefined {
  return isObject(params["_meta"]) ? params["_meta"][SUBSCRIPTION_KEY] : undefined;
}
