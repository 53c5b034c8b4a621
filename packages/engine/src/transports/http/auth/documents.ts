import type { JsonObject } from "../../../jsonrpc/json.js";
import type { RequestHead } from "./options.js";
import { type Place, resourceOf, toPublicUri, wellKnownPaths, wellKnownUrl } from "./place.js";
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
  const { path, publicUrl, toolScopes } = place;
  const endpointPaths = [path, ...(publicUrl === undefined ? [] : [new URL(toPublicUri(publicUrl, path)).pathname])];
  const ofResource = new Set(wellKnownPaths(RESOURCE, endpointPaths));
  const ofIssuer = new Set(wellKnownPaths(ISSUER, endpointPaths));
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    if (ofResource.has(request.path)) {
      const supported = uniteScopes(scopes, toolScopes());
      return JSON.stringify({
        resource: resourceOf(request, place, audience),
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
