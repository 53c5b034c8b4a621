import type { SsePlace } from "../options.js";
import type { RequestHead } from "./options.js";

/** Where a server is, as far as those who serve it know. */
export interface Place {
  /** The path of the endpoint, such as `/mcp`. */
  readonly path: string;
  /** The URL of the endpoint as clients know it; one without a path gets `path`. */
  readonly publicUrl?: string | undefined;
  /** The other address, where HTTP+SSE is spoken too. */
  readonly sse?: SsePlace | undefined;
  /** The port, where only this machine can reach the server and no public URL is given. */
  readonly localPort?: (() => number | undefined) | undefined;
  /** The scopes that tools ask for at the moment. */
  readonly toolScopes: () => Iterable<string>;
}

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** Tells whether a host name means this machine. */
export function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(?:\.\d+){3}$/.test(name);
}

/** One spelling for a URI: lower-case scheme and host, no fragment, no slash at the end. What is no HTTP URL stays as it is. */
export function toCanonicalUri(uri: string): string {
  if (!/^https?:/i.test(uri) || !URL.canParse(uri)) return uri;
  const { origin, pathname, search } = new URL(uri);
  return `${origin}${pathname.replace(/\/$/, "")}${search}`;
}

/** The canonical URI of an endpoint whose public URL is given, with or without the path. */
export function toPublicUri(publicUrl: string, path: string): string {
  const { origin, pathname } = new URL(publicUrl);
  return toCanonicalUri(pathname === "/" ? origin + path : publicUrl);
}

/**
 * What tokens for this server may have in `aud`. Never what a request says of itself: whoever has a token for another server
 * could name that one as host.
 */
export function audiencesOf(given: readonly string[], place: Place): readonly string[] {
  if (given.length > 0) return given.map(toCanonicalUri);
  const port = place.localPort?.();
  return pathsOf(place).flatMap((path) => {
    if (place.publicUrl !== undefined) return publicUriOf(place, path) as string;
    if (port === undefined) return [];
    return LOCAL_NAMES.flatMap((name) =>
      ["http", "https"].map((scheme) => toCanonicalUri(`${scheme}://${name}:${port}${path}`)),
    );
  });
}

/** The paths that clients connect to. */
export const pathsOf = ({ path, sse }: Place): readonly string[] => (sse ? [path, sse.path] : [path]);

/** The public URI of one of these paths, where it is known. */
export const publicUriOf = ({ path, publicUrl, sse }: Place, at: string): string | undefined =>
  publicUrl &&
  (at === path ? toPublicUri(publicUrl, path) : toCanonicalUri(new URL(`${sse?.prefix}${at}`, publicUrl).href));

/**
 * The URL of the server as this client knows it, for the metadata that the client compares it with. An audience on the same host
 * is taken as it is: behind a proxy it has the right scheme, which the request does not show. `at` is the path that the client
 * connects to.
 */
export function resourceOf(
  request: RequestHead,
  place: Place,
  audience: readonly string[],
  at = request.path === place.sse?.path || request.path === place.sse?.messagePath ? place.sse.path : place.path,
): string {
  const known = publicUriOf(place, at);
  if (known !== undefined) return known;
  const { origin, host } = originOf(request);
  const same = audience.filter((uri) => /^https?:/i.test(uri) && new URL(uri).host === host);
  return toCanonicalUri(same.find((uri) => uri.endsWith(at)) ?? same[0] ?? origin + at);
}

/** The origin that a client connects to. A header that is no host must not end up in what we write. */
function originOf(request: RequestHead): URL {
  const scheme = request.isSecure ? "https" : "http";
  const seen = `${scheme}://${request.header("host") ?? ""}`;
  const read = URL.canParse(seen) ? new URL(seen) : undefined;
  return read?.href === `${read?.origin}/` ? read : new URL(`${scheme}://localhost`);
}

/** The place of a well-known document about a URL: the path of the URL comes after it (RFC 8414, RFC 9728). */
export function wellKnownUrl(kind: string, uri: string): string {
  const { origin, pathname } = new URL(uri);
  return `${origin}/.well-known/${kind}${pathname.replace(/\/$/, "")}`;
}

/** Every path at which clients look for a well-known document about one of these endpoint paths: inserted, appended, none. */
export function wellKnownPaths(kind: string, endpointPaths: readonly string[]): readonly string[] {
  const paths = endpointPaths.map((path) => path.replace(/\/$/, ""));
  return [
    `/.well-known/${kind}`,
    ...paths.flatMap((path) => [`/.well-known/${kind}${path}`, `${path}/.well-known/${kind}`]),
  ];
}
