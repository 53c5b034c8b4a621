import { unsupportedVersion } from "../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Notification, Request } from "../jsonrpc/messages.js";
import { revision20241105 } from "./2024-11-05.js";
import { revision20250326 } from "./2025-03-26.js";
import { revision20250618 } from "./2025-06-18.js";
import { revision20251125 } from "./2025-11-25.js";
import { revision20260728 } from "./2026-07-28.js";
import { CAPABILITIES_KEY, VERSION_KEY } from "./meta-keys.js";
import { metaOf, type Revision } from "./revision.js";

/** Every published revision, newest first. */
export const REVISIONS: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

/** The versions of these revisions, as they stand on the wire. */
export const versionsOf = (revisions: readonly Revision[]): string[] => revisions.map(({ version }) => version);

const marksStandalone = (meta: JsonObject): boolean =>
  meta[VERSION_KEY] !== undefined || meta[CAPABILITIES_KEY] !== undefined;

/** Whether a message says of itself that it needs no handshake. */
export function isStandalone(message: Request | Notification): boolean {
  const meta = metaOf(message);
  return meta !== undefined && marksStandalone(meta);
}

/** The version that a request names itself, whatever it is. */
export const namedVersion = (request: Request): Json | undefined => metaOf(request)?.[VERSION_KEY];

/**
 * The revision that a request is in: the stateless one that its `_meta` names, else what the session agreed on. Undefined
 * where there is neither. Throws `RpcError` for a version that cannot be served in this way.
 */
export function selectRevision(
  request: Request,
  agreed: Revision | undefined,
  served: readonly Revision[],
): Revision | undefined {
  const meta = metaOf(request);
  if (meta === undefined || !marksStandalone(meta)) return agreed;
  const version = meta[VERSION_KEY];
  const named = served.find((revision) => revision.version === version);
  if (named && !named.handshake) return named;
  const stateless = served.find((revision) => !revision.handshake);
  // What is missing comes before what is not served; the stateless revision's own reader says it.
  if (stateless && !(typeof version === "string" && isObject(meta[CAPABILITIES_KEY]))) return stateless;
  const hint = named ? `${named.version} needs a handshake: send initialize` : undefined;
  throw unsupportedVersion(version ?? null, versionsOf(served), hint);
}

/** The revision of a request over HTTP that does not say which: the first that had such requests, where it is served. */
export function assumedRevision(served: readonly Revision[]): Revision | undefined {
  return served.find((revision) => revision === revision20250326) ?? served.find(({ handshake }) => handshake);
}

/** The revision to answer `initialize` with: the one asked for, else the newest with a handshake. */
export function negotiate(requested: string, served: readonly Revision[]): Revision {
  const offered = served.filter((revision) => revision.handshake);
  const agreed = offered.find((revision) => revision.version === requested) ?? offered[0];
  if (agreed === undefined) throw unsupportedVersion(requested, versionsOf(served));
  return agreed;
}
