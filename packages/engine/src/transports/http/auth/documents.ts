import type { JsonObject } from "../../../jsonrpc/json.js";
import type { RequestHead } from "./options.js";
import { type Place, pathsOf, publicUriOf, resourceOf, wellKnownPaths, wellKnownUrl } from "./place.js";
import type { Remote } from "./remote.js";
import { uniteScopes } from "./scopes.js";
import type { AuthSettings } from "./settings.js";

const RESOURCE = "oauth-protected-resource";
const ISSUER = "oauth-authorization-server";

/** Gives the public document at a path, if there is one. */
export type Documents = (request: RequestHead) => string | undefined;

/** Where the metadata of a resource are, which a challenge points to. */
export function resourceMetadataUrl(resource: string): string {
  return wellKnownUrl(RESOURCE, resource);
}

/**
 * The documents from which clients learn how to get a token: what this server is and whose tokens it takes (RFC 9728), and for
 * clients of the oldest revision with authorization, which look for the issuer here, the metadata of the issuer itself.
 */
export function createDocuments(
  { issuer, audience, scopes }: AuthSettings,
  place: Place,
  metadata: Remote<JsonObject> | undefined,
): Documents {
  if (issuer === undefined || metadata === undefined) return () => undefined;
  /** The path that each document is about. */
  const ofResource = new Map<string, string>();
  const ofIssuer = new Set<string>();
  // The first path comes last: what is at the root is about it.
  for (const at of pathsOf(place).toReversed()) {
    const known = publicUriOf(place, at);
    const paths = known === undefined ? [at] : [at, new URL(known).pathname];
    for (const each of wellKnownPaths(RESOURCE, paths)) ofResource.set(each, at);
    for (const each of wellKnownPaths(ISSUER, paths)) ofIssuer.add(each);
  }
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const at = ofResource.get(request.path);
    if (at !== undefined) {
      const supported = uniteScopes(scopes, place.toolScopes());
      return JSON.stringify({
        resource: resourceOf(request, place, audience, at),
        authorization_servers: [issuer],
        ...(supported.length > 0 && { scopes_supported: supported }),
        bearer_methods_supported: ["header"],
      });
    }
    if (!ofIssuer.has(request.path)) return undefined;
    if (metadata.known === undefined) void metadata.renew();
    return metadata.known && JSON.stringify(metadata.known);
  };
}
