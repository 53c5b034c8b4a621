import { rejectUnknownOptions } from "../../server/definitions/validation.js";
import { MAX_TIMER_MS, mergeLimits } from "../../server/limits/limits.js";
import type { AuthOptions } from "./auth/options.js";
import type { Pages } from "./pages.js";
import type { SessionStore } from "./session-manager.js";

/** A rate limit per client, as a token bucket. */
export interface HttpRateLimit {
  /** Requests that a client may send at once. */
  readonly burst: number;
  /** Requests per second that refill the burst. */
  readonly perSecond: number;
}

/** The limits of an HTTP endpoint; the option `limits` of `serveHttp` overrides the defaults. */
export interface HttpLimits {
  /** Concurrent connections; further ones are closed. */
  readonly connections: number;
  /** Concurrent sessions. A new one replaces the longest idle one, or is rejected if none is idle. */
  readonly sessions: number;
  /** Concurrent event streams; further ones are rejected. */
  readonly streams: number;
  /** Closes a session after this time without a stream or a request. */
  readonly sessionIdleMs: number;
  /** Timeout for the headers of a request and for the TLS handshake. */
  readonly headersMs: number;
  /** Timeout for receiving a complete request. */
  readonly requestMs: number;
  /** Closes a keep-alive connection after this time without a request. */
  readonly idleConnectionMs: number;
  /** Closes a connection whose client reads nothing of a large response for this time. */
  readonly stalledMs: number;
  /** Total size of the headers of a request. */
  readonly headerBytes: number;
  /** Buffered bytes per event stream; the stream of a client that reads too slowly is closed. */
  readonly streamBytes: number;
  /** Events stored per session, so that a client can resume a stream. */
  readonly eventsKept: number;
  /** Total size of the stored events of all sessions. */
  readonly eventBytes: number;
  /** Interval of the keep-alive comments on an idle event stream. */
  readonly keepAliveMs: number;
  /** Clients that the rate limiter tracks. */
  readonly clients: number;
}

const MIB = 1024 * 1024;

/** The default limits of an HTTP endpoint. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  connections: 4096,
  sessions: 10_000,
  streams: 4096,
  sessionIdleMs: 30 * 60_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleConnectionMs: 65_000,
  stalledMs: 30_000,
  headerBytes: 16 * 1024,
  streamBytes: 4 * MIB,
  eventsKept: 256,
  eventBytes: 64 * MIB,
  keepAliveMs: 15_000,
  clients: 10_000,
});

/** The options of `createFetchHandler`; `serveHttp` adds those of the port. */
export interface EndpointOptions {
  /** The path of the MCP endpoint; `/mcp` by default. */
  readonly path?: string;
  /** The URL that clients use, if the server is behind a proxy. */
  readonly publicUrl?: string;
  /** Additional host names that the server accepts in `Host`; `*` allows all. */
  readonly allowedHosts?: readonly string[];
  /** Additional origins whose pages may call the server; `*` allows all. */
  readonly allowedOrigins?: readonly string[];
  /** Authentication; without it, clients are not authenticated. */
  readonly auth?: AuthOptions;
  /** Sessions for clients that send `initialize`; enabled by default, in memory. */
  readonly sessions?: boolean | { readonly store?: SessionStore };
  /** The HTTP+SSE transport of revision 2024-11-05; disabled by default. */
  readonly sse?: boolean | { readonly path?: string; readonly messagePath?: string };
  /** The rate limit per client; `false` disables it. */
  readonly rate?: false | HttpRateLimit;
  /** Closes the stream of a call after this time, if the client can reconnect and poll for the result. */
  readonly pollAfterMs?: number;
  /** Prometheus metrics, at `/metrics` by default; disabled by default. */
  readonly metrics?: boolean | { readonly path?: string };
  /** Additional pages, with the same access control as MCP. */
  readonly pages?: Pages;
  readonly limits?: Partial<HttpLimits>;
}

/** The paths of the HTTP+SSE transport. */
export interface SsePaths {
  readonly path: string;
  readonly messagePath: string;
  /** The path prefix of the public URL that a proxy removes. */
  readonly publicPrefix: string;
}

/** The validated options with all defaults. */
export type EndpointSettings = Readonly<ReturnType<typeof resolveEndpointOptions>>;

/** The names of the options of an endpoint. */
export const ENDPOINT_OPTIONS: Readonly<Record<keyof EndpointOptions, true>> = {
  path: true,
  publicUrl: true,
  allowedHosts: true,
  allowedOrigins: true,
  auth: true,
  sessions: true,
  sse: true,
  rate: true,
  pollAfterMs: true,
  metrics: true,
  pages: true,
  limits: true,
};

const ACTION = "serve over HTTP";
const HOST = /^[^\s/*?#@]+$/;
const ORIGIN = /^(?:null|[\w+.-]+:\/\/[^\s/*?#@:][^\s/*?#@]*\/?)$/;
const DEFAULT_RATE: HttpRateLimit = { burst: 1000, perSecond: 100 };

/** Creates the error for an invalid option. */
export const optionError = (reason: string): TypeError => new TypeError(`Cannot ${ACTION}: ${reason}`);

/** Throws the error for an invalid option unless a condition holds. */
export function requireOption(condition: unknown, reason: string): asserts condition {
  if (!condition) throw optionError(reason);
}

/** Throws unless an option is an object. */
export function requireObject(name: string, value: unknown): void {
  requireOption(typeof value === "object" && value !== null, `${name} must be an object`);
}

function requireMethods<Target>(name: string, value: Target | undefined, ...methods: (keyof Target)[]): void {
  requireOption(!value || methods.every((method) => value[method]), `${name} needs ${methods.join(", ")}`);
}

/** Validates the options and applies the defaults. Throws `TypeError` that names the invalid option. */
export function resolveEndpointOptions(options: EndpointOptions) {
  rejectUnknownOptions(ACTION, options, ENDPOINT_OPTIONS);
  const { rate = DEFAULT_RATE, pollAfterMs = Number.POSITIVE_INFINITY, limits = {}, pages } = options;
  if (rate !== false) rejectUnknownOptions(ACTION, rate, { burst: true, perSecond: true }, "rate");
  const isValidRate = rate === false || (rate.burst >= 1 && rate.perSecond > 0);
  requireOption(isValidRate, "rate needs burst of at least 1 and perSecond above 0");
  requireOption(typeof pollAfterMs === "number" && pollAfterMs > 0, "pollAfterMs must be a positive number");
  const sessions = parseToggle("sessions", options.sessions ?? true, { store: true });
  const sse = parseToggle("sse", options.sse ?? false, { path: true, messagePath: true });
  const metrics = parseToggle("metrics", options.metrics ?? false, { path: true });
  requireMethods("sessions.store", sessions?.store, "save", "find", "delete", "append", "eventsAfter");
  requireMethods("pages", pages, "matches", "serve");
  const usedPaths = new Set(["/health", "/alive"]);
  const path = parsePath(usedPaths, "path", options.path ?? "/mcp");
  const publicUrl = parsePublicUrl(options.publicUrl);
  return {
    path,
    publicUrl,
    allowedHosts: parseNames("allowedHosts", options.allowedHosts, HOST, "tools.example"),
    allowedOrigins: parseNames("allowedOrigins", options.allowedOrigins, ORIGIN, "https://app.example").map(toOrigin),
    auth: options.auth,
    hasSessions: sessions !== undefined,
    sessionStore: sessions?.store,
    sse: sse && {
      path: parsePath(usedPaths, "sse.path", sse.path ?? "/sse"),
      messagePath: parsePath(usedPaths, "sse.messagePath", sse.messagePath ?? "/messages"),
      publicPrefix: publicPrefixOf(publicUrl, path),
    },
    rate: rate === false ? undefined : rate,
    pollAfterMs: pollAfterMs > MAX_TIMER_MS ? Number.POSITIVE_INFINITY : pollAfterMs,
    metricsPath: metrics && parsePath(usedPaths, "metrics.path", metrics.path ?? "/metrics"),
    pages,
    limits: mergeLimits(ACTION, DEFAULT_HTTP_LIMITS, limits),
  };
}

/** Normalizes a path and adds it to the used ones. */
function parsePath(usedPaths: Set<string>, name: string, value: string): string {
  const isPath = typeof value === "string" && /^\/[^?#\s]*$/.test(value);
  requireOption(isPath, `${name} must start with / and contain neither ? nor #`);
  const path = new URL(`http://a${value}`).pathname;
  requireOption(!usedPaths.has(path), `${name} is ${path}, which is already in use`);
  usedPaths.add(path);
  return path;
}

/** Parses an option that is a boolean or an object with details; undefined means disabled. */
function parseToggle<Details extends object>(
  name: string,
  value: boolean | Details,
  known: Readonly<Record<keyof Details, true>>,
): Partial<Details> | undefined {
  if (typeof value === "boolean") return value ? {} : undefined;
  rejectUnknownOptions(ACTION, value, known, name);
  return value;
}

/** What a public URL has in front of the endpoint's path. */
function publicPrefixOf(publicUrl: string | undefined, path: string): string {
  if (publicUrl === undefined) return "";
  const publicPath = new URL(publicUrl).pathname.replace(/\/$/, "");
  const endpointPath = path.replace(/\/$/, "");
  return publicPath.endsWith(endpointPath) ? publicPath.slice(0, publicPath.length - endpointPath.length) : "";
}

function parsePublicUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  requireOption(URL.canParse(url) && /^https?:/i.test(url), "publicUrl must be an http(s) URL");
  const { href, hash, search } = new URL(url);
  requireOption(hash === "" && search === "", "publicUrl must contain neither ? nor #");
  return href.replace(/\/$/, "");
}

/** Validates host names or origins and converts them to lower case. */
function parseNames(
  option: string,
  names: readonly string[] = [],
  pattern: RegExp,
  example: string,
): readonly string[] {
  requireOption(Array.isArray(names), `${option} must be a list of names`);
  return names.map((name) => {
    const isValid = pattern.test(name) && (pattern === HOST || name === "null" || URL.canParse(name));
    const isAllowed = typeof name === "string" && (name === "*" || isValid);
    requireOption(isAllowed, `${option} has ${JSON.stringify(name)}; use a value like ${example}`);
    return name.toLowerCase();
  });
}

/** An origin as browsers send it. `URL` does not know the origin of other schemes, such as browser extensions. */
const toOrigin = (name: string): string => (/^https?:/.test(name) ? new URL(name).origin : name.replace(/\/$/, ""));
