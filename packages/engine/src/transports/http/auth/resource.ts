import type { JsonObject } from "../../../jsonrpc/messages.js";
import type { SsePaths } from "../options.js";
import type { CachedRemote } from "./issuer.js";
import { type AuthSettings, mergeScopes, type RequestHead } from "./options.js";

/** The paths and URLs under which clients reach a server. */
export interface ServerLocation {
  /** The path of the endpoint, such as `/mcp`. */
  readonly path: string;
  /** The public URL of the endpoint; if it has no path, `path` is added. */
  readonly publicUrl?: string | undefined;
  /** The paths of the HTTP+SSE transport, if it is enabled. */
  readonly sse?: SsePaths | undefined;
  /** Returns the port of a loopback server, once it is known. */
  readonly localPort?: (() => number | undefined) | undefined;
  /** Returns the scopes that the current tools require. */
  readonly toolScopes: () => Iterable<string>;
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Normalizes an HTTP URL: lower-case scheme and host, no fragment, no trailing slash. Other URIs are returned unchanged. */
export function toCanonicalUri(uri: string): string {
  if (!/^https?:/i.test(uri) || !URL.canParse(uri)) return uri;
  const { origin, pathname, search } = new URL(uri);
  return `${origin}${trimSlash(pathname)}${search}`;
}

const trimSlash = (path: string): string => path.replace(/\/$/, "");

/** Returns the accepted values of `aud`. The `Host` header never counts: it could name the server of a stolen token. */
export function audiencesOf(configured: readonly string[], location: ServerLocation): readonly string[] {
  if (configured.length > 0) return configured.map(toCanonicalUri);
  const port = location.localPort?.();
  return endpointPathsOf(location).flatMap((path) => {
    if (location.publicUrl !== undefined) return publicUriOf(location, path) as string;
    if (port === undefined) return [];
    return LOOPBACK_HOSTS.flatMap((name) =>
      ["http", "https"].map((scheme) => toCanonicalUri(`${scheme}://${name}:${port}${path}`)),
    );
  });
}

/** The paths of the MCP endpoints. */
const endpointPathsOf = ({ path, sse }: ServerLocation): readonly string[] => (sse ? [path, sse.path] : [path]);

/** Returns the public URI of an endpoint path, if a public URL is configured. It may omit the path. */
function publicUriOf({ path, publicUrl, sse }: ServerLocation, endpointPath: string): string | undefined {
  if (publicUrl === undefined) return undefined;
  const { origin, pathname } = new URL(publicUrl);
  if (endpointPath !== path) return toCanonicalUri(`${origin}${sse?.publicPrefix}${endpointPath}`);
  return toCanonicalUri(pathname === "/" ? origin + path : publicUrl);
}

/**
 * Returns the resource URI for the client of a request, which compares it with the URL that it connects to. An audience on the
 * same host is preferred, because behind a proxy the request does not show the public scheme.
 */
export function resourceUriOf(
  request: RequestHead,
  location: ServerLocation,
  audience: readonly string[],
  endpointPath = request.path === location.sse?.path || request.path === location.sse?.messagePath
    ? location.sse.path
    : location.path,
): string {
  const publicUri = publicUriOf(location, endpointPath);
  if (publicUri !== undefined) return publicUri;
  const { origin, host } = originOf(request);
  const sameHost = audience.filter((uri) => /^https?:/i.test(uri) && new URL(uri).host === host);
  return toCanonicalUri(sameHost.find((uri) => uri.endsWith(endpointPath)) ?? sameHost[0] ?? origin + endpointPath);
}

/** Returns the origin that a client connects to. An invalid `Host` header must not appear in a response. */
function originOf(request: RequestHead): URL {
  const scheme = request.isSecure ? "https" : "http";
  const url = `${scheme}://${request.header("host") ?? ""}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.href === `${parsed?.origin}/` ? parsed : new URL(`${scheme}://localhost`);
}

/** Returns the URL of a well-known document: the path of the resource follows its name (RFC 8414, RFC 9728). */
export function wellKnownUrl(name: string, uri: string): string {
  const { origin, pathname } = new URL(uri);
  return `${origin}/.well-known/${name}${trimSlash(pathname)}`;
}

const RESOURCE_METADATA = "oauth-protected-resource";
const ISSUER_METADATA = "oauth-authorization-server";

/** Returns the path that a well-known document describes. Clients insert its name before the path, or append it. */
export function describedPath(name: string, documentPath: string): string | undefined {
  const wellKnown = `/.well-known/${name}`;
  if (documentPath.startsWith(wellKnown)) return trimSlash(documentPath.slice(wellKnown.length));
  return documentPath.endsWith(wellKnown) ? documentPath.slice(0, -wellKnown.length) : undefined;
}

/** Returns the URL of the metadata of a resource, for challenges. */
export function resourceMetadataUrl(resource: string): string {
  return wellKnownUrl(RESOURCE_METADATA, resource);
}

/** Returns the endpoint that the document of this name at a path describes. */
function describedEndpoint(name: string, documentPath: string, location: ServerLocation): string | undefined {
  const described = describedPath(name, documentPath);
  if (described === undefined) return undefined;
  // The document at the root describes the first endpoint.
  if (described === "") return location.path;
  return endpointPathsOf(location).find((path) => {
    const publicUri = publicUriOf(location, path);
    return described === trimSlash(path) || described === (publicUri && new URL(publicUri).pathname);
  });
}

/**
 * Returns the document at a path from which clients learn how to get a token, as JSON: the protected resource metadata (RFC 9728),
 * or a copy of the issuer's metadata for clients of revision 2025-03-26, which look for it on this server.
 */
export function createMetadataDocument(
  request: RequestHead,
  { issuer, audience, scopes }: AuthSettings,
  location: ServerLocation,
  issuerMetadata: CachedRemote<JsonObject>,
): string | undefined {
  const endpointPath = describedEndpoint(RESOURCE_METADATA, request.path, location);
  if (endpointPath !== undefined) {
    const supported = mergeScopes(scopes, location.toolScopes());
    return JSON.stringify({
      resource: resourceUriOf(request, location, audience, endpointPath),
      authorization_servers: [issuer],
      ...(supported.length > 0 && { scopes_supported: supported }),
      bearer_methods_supported: ["header"],
    });
  }
  if (describedEndpoint(ISSUER_METADATA, request.path, location) === undefined) return undefined;
  if (issuerMetadata.cached === undefined) void issuerMetadata.refresh();
  return issuerMetadata.cached && JSON.stringify(issuerMetadata.cached);
}
