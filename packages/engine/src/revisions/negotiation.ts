import { unsupportedProtocolVersion } from "../jsonrpc/errors.js";
import { isObject, type JsonObject, type JsonRpcNotification, type JsonRpcRequest } from "../jsonrpc/messages.js";
import { revision20241105 } from "./2024-11-05.js";
import { revision20250326 } from "./2025-03-26.js";
import { revision20250618 } from "./2025-06-18.js";
import { revision20251125 } from "./2025-11-25.js";
import { revision20260728 } from "./2026-07-28.js";
import { CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY } from "./meta-keys.js";
import { getMeta, type Revision } from "./revision.js";

/** All published revisions, newest first. */
export const REVISIONS: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

/** Returns the version strings of revisions. */
export const versionsOf = (revisions: readonly Revision[]): string[] => revisions.map(({ version }) => version);

const isStatelessMeta = (meta: JsonObject): boolean =>
  meta[PROTOCOL_VERSION_KEY] !== undefined || meta[CLIENT_CAPABILITIES_KEY] !== undefined;

/** Returns whether a message is stateless, so that it needs no handshake. */
export function isStateless(message: JsonRpcRequest | JsonRpcNotification): boolean {
  const meta = getMeta(message);
  return meta !== undefined && isStatelessMeta(meta);
}

/**
 * Returns the revision of a request: the stateless one that its `_meta` names, else that of the session; undefined = neither.
 * Throws `RpcError` for an unsupported version.
 */
export function selectRevision(
  request: JsonRpcRequest,
  negotiated: Revision | undefined,
  supported: readonly Revision[],
): Revision | undefined {
  if (request.params?.["_meta"] === undefined) return negotiated;
  const meta = getMeta(request);
  const version = meta?.[PROTOCOL_VERSION_KEY];
  const newest = supported[0];
  if (newest !== undefined && version === newest.version && !newest.handshake) return newest;
  if (meta === undefined || !isStatelessMeta(meta)) return negotiated;
  const named = supported.find((revision) => revision.version === version);
  if (named && !named.handshake) return named;
  const stateless = supported.find((revision) => !revision.handshake);
  // An incomplete `_meta` is reported first; `readCaller` of the stateless revision does that.
  if (stateless && !(typeof version === "string" && isObject(meta[CLIENT_CAPABILITIES_KEY]))) return stateless;
  const hint = named ? `${named.version} needs a handshake: send initialize` : undefined;
  throw unsupportedProtocolVersion(version ?? null, versionsOf(supported), hint);
}

/** Returns the revision of an HTTP request that names none: 2025-03-26 if it is supported. */
export function defaultHttpRevision(supported: readonly Revision[]): Revision | undefined {
  return supported.find((revision) => revision === revision20250326) ?? supported.find(({ handshake }) => handshake);
}

/** Returns the revision to answer `initialize` with: the requested one, else the newest with a handshake. */
export function negotiateRevision(requested: string, supported: readonly Revision[]): Revision {
  const candidates = supported.filter((revision) => revision.handshake);
  const negotiated = candidates.find((revision) => revision.version === requested) ?? candidates[0];
  if (negotiated === undefined) throw unsupportedProtocolVersion(requested, versionsOf(supported));
  return negotiated;
}
