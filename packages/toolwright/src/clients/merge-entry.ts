import type { Json } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { Entry } from "./client.js";

/** Keys that say how a server is reached; an old one must not stand beside a new one that says something else. */
const REACHING = new Set(["command", "cmd", "args", "cwd", "type", "transport", "url", "httpUrl", "serverUrl", "uri"]);

/** Keys that stay with an address, and mean nothing beside a program. */
const OF_ADDRESSES = new Set(["headers", "http_headers", "env_http_headers", "bearer_token_env_var"]);

/** Keys that stay with a program. */
const OF_PROGRAMS = new Set(["env", "environment", "envs", "env_keys"]);

/** Keys whose members are variables, of which each is set by itself. */
const VARIABLES = new Set(["env", "environment", "envs"]);

/** Keys that the user may have changed since, and that are written only where they are missing. */
const ONCE = new Set(["enabled", "timeout", "description", "name"]);

/** What a server's entry becomes: how it is reached is new; what the user has set beside that stays. */
export function mergeEntry(old: Readonly<Record<string, unknown>>, wanted: Entry): Record<string, Json> {
  const isAddress = Object.keys(wanted).some((key) => ["url", "httpUrl", "serverUrl", "uri"].includes(key));
  const strays = isAddress ? OF_PROGRAMS : OF_ADDRESSES;
  const merged: Record<string, Json> = {};
  for (const [key, value] of Object.entries(old)) {
    const isGone = REACHING.has(key) || strays.has(key);
    const given = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (given !== undefined) merged[key] = mergeValue(key, value as Json, given);
    else if (!isGone) merged[key] = value as Json;
  }
  for (const [key, value] of Object.entries(wanted)) if (!Object.hasOwn(merged, key)) merged[key] = value;
  return merged;
}

function mergeValue(key: string, old: Json, wanted: Json): Json {
  if (ONCE.has(key)) return old;
  return VARIABLES.has(key) && isObject(old) && isObject(wanted) ? { ...old, ...wanted } : wanted;
}
