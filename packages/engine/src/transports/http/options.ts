import type { Check } from "../../server/definitions/checks.js";
import * as check from "../../server/definitions/checks.js";
import { unknownOptionIssue } from "../../server/definitions/validation.js";
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
  /** Whether pings count; true by default. If not, a request counts when its body has been read. */
  readonly countPings?: boolean;
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
  /** Bytes of request bodies, or messages over WebSocket, that are being received; one client may use as much as is free. Others are rejected. */
  readonly bodyBytes: number;
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
  bodyBytes: 256 * MIB,
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
  /** Compresses JSON answers of at least `minBytes` (1024) with gzip or brotli, if the client accepts it; disabled by default. */
  readonly compression?: boolean | { readonly minBytes?: number };
  /** Prometheus metrics, at `/metrics` by default; disabled by default. */
  readonly metrics?: boolean | { readonly path?: string };
  /** Additional pages, with the same access control as MCP. */
  readonly pages?: Pages;
  readonly limits?: Partial<HttpLimits>;
}

/** The validated options with all defaults. */
export type EndpointSettings = Readonly<ReturnType<typeof resolveEndpointOptions>>;

/** The paths of the HTTP+SSE transport. */
export type SsePaths = NonNullable<EndpointSettings["sse"]>;

const ACTION = "serve over HTTP";
/** Below this, compression costs more than it saves. */
const DEFAULT_COMPRESSED_BYTES = 1024;
const DEFAULT_RATE: HttpRateLimit = { burst: 1000, perSecond: 100 };

/** Creates the error for an invalid option. */
export const optionError = (reason: string): TypeError => new TypeError(`Cannot ${ACTION}: ${reason}`);

/** Throws the error for an invalid option unless a condition holds. */
export function requireOption(condition: unknown, reason: string): asserts condition {
  if (!condition) throw optionError(reason);
}

/** Throws `TypeError` for the first unknown or invalid option. */
export const validateOptions = (options: object, checks: Readonly<Record<string, Check>>): void =>
  check.validate(ACTION, options, checks);

/** Creates a check for an option that is a boolean or an object with details. */
const toggle =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, name) =>
    typeof value === "boolean" ? undefined : check.strictObject(checks)(value, name);

/** Creates a check for an object that has these methods. */
const hasMethods = (...methods: readonly string[]): Check =>
  check.optional(
    (value) => methods.every((method) => (value as Record<string, unknown> | null)?.[method]),
    `needs ${methods.join(", ")}`,
  );

/** Creates a check for a list of host names or origins; `*` allows all. */
function namesOf(isValid: (name: string) => boolean, example: string): Check {
  return (names, option) => {
    if (names === undefined) return undefined;
    if (!Array.isArray(names)) return `${option} must be a list of names`;
    const index = names.findIndex((name) => name !== "*" && !(check.isString(name) && isValid(name)));
    return index === -1 ? undefined : `${option} has ${JSON.stringify(names[index])}; use a value like ${example}`;
  };
}

const isHost = (name: string): boolean => /^[^\s/*?#@]+$/.test(name);
const isOrigin = (name: string): boolean =>
  name === "null" || (/^[\w+.-]+:\/\/[^\s/*?#@:][^\s/*?#@]*\/?$/.test(name) && URL.canParse(name));

const pathCheck = check.optional(
  (value) => check.isString(value) && /^\/[^?#\s]*$/.test(value),
  "must start with / and contain neither ? nor #",
);

const rateCheck: Check = (rate, name) => {
  if (rate === undefined || rate === false) return undefined;
  const { burst, perSecond, countPings } = (rate ?? {}) as HttpRateLimit;
  const unknown = unknownOptionIssue(rate, { burst: true, perSecond: true, countPings: true }, name);
  if (unknown !== undefined) return unknown;
  if (!(burst >= 1 && perSecond > 0)) return `${name} needs burst of at least 1 and perSecond above 0`;
  return check.boolean(countPings, `${name}.countPings`);
};

const publicUrlCheck: Check = (url, name) => {
  if (url === undefined) return undefined;
  if (!check.isString(url) || !URL.canParse(url) || !/^https?:/i.test(url)) return `${name} must be an http(s) URL`;
  const { hash, search } = new URL(url);
  return hash === "" && search === "" ? undefined : `${name} must contain neither ? nor #`;
};

/** The options of an endpoint with their checks. */
export const ENDPOINT_CHECKS: check.Checks<EndpointOptions> = {
  path: pathCheck,
  publicUrl: publicUrlCheck,
  allowedHosts: namesOf(isHost, "tools.example"),
  allowedOrigins: namesOf(isOrigin, "https://app.example"),
  auth: check.anything,
  sessions: toggle({ store: hasMethods("save", "find", "delete", "append", "eventsAfter") }),
  sse: toggle({ path: pathCheck, messagePath: pathCheck }),
  rate: rateCheck,
  pollAfterMs: check.positiveNumber,
  compression: toggle({ minBytes: check.positiveNumber }),
  metrics: toggle({ path: pathCheck }),
  pages: hasMethods("matches", "serve"),
  limits: check.anything,
};

/** Validates the options and applies the defaults. Throws `TypeError` that names the invalid option. */
export function resolveEndpointOptions(options: EndpointOptions) {
  validateOptions(options, ENDPOINT_CHECKS);
  const { allowedHosts = [], allowedOrigins = [], auth, pages, limits = {}, sessions = true } = options;
  const { rate = DEFAULT_RATE, pollAfterMs = Number.POSITIVE_INFINITY } = options;
  const sse = options.sse === true ? {} : options.sse;
  const metrics = options.metrics === true ? {} : options.metrics;
  const compression = options.compression === true ? {} : options.compression;
  const usedPaths = new Set(["/health", "/alive"]);
  const path = usePath(usedPaths, "path", options.path ?? "/mcp");
  const publicUrl = options.publicUrl && new URL(options.publicUrl).href.replace(/\/$/, "");
  return {
    path,
    publicUrl,
    allowedHosts: allowedHosts.map((name) => name.toLowerCase()),
    allowedOrigins: allowedOrigins.map((name) => toOrigin(name.toLowerCase())),
    auth,
    hasSessions: sessions !== false,
    sessionStore: typeof sessions === "boolean" ? undefined : sessions.store,
    sse: sse
      ? {
          path: usePath(usedPaths, "sse.path", sse.path ?? "/sse"),
          messagePath: usePath(usedPaths, "sse.messagePath", sse.messagePath ?? "/messages"),
          // A proxy removes it.
          publicPrefix: publicPrefixOf(publicUrl, path),
        }
      : undefined,
    rate: rate === false ? undefined : rate,
    pollAfterMs: pollAfterMs > MAX_TIMER_MS ? Number.POSITIVE_INFINITY : pollAfterMs,
    /** The smallest answer that is compressed; undefined = none is. */
    compressedBytes: compression ? (compression.minBytes ?? DEFAULT_COMPRESSED_BYTES) : undefined,
    metricsPath: metrics ? usePath(usedPaths, "metrics.path", metrics.path ?? "/metrics") : undefined,
    pages,
    limits: mergeLimits(ACTION, DEFAULT_HTTP_LIMITS, limits),
  };
}

/** Normalizes a path and adds it to the used ones. */
function usePath(usedPaths: Set<string>, name: string, value: string): string {
  const path = new URL(`http://a${value}`).pathname;
  requireOption(!usedPaths.has(path), `${name} is ${path}, which is already in use`);
  usedPaths.add(path);
  return path;
}

/** What a public URL has in front of the endpoint's path. */
function publicPrefixOf(publicUrl: string | undefined, path: string): string {
  if (publicUrl === undefined) return "";
  const publicPath = new URL(publicUrl).pathname.replace(/\/$/, "");
  const endpointPath = path.replace(/\/$/, "");
  return publicPath.endsWith(endpointPath) ? publicPath.slice(0, publicPath.length - endpointPath.length) : "";
}

/** An origin as browsers send it. `URL` does not know the origin of other schemes, such as browser extensions. */
const toOrigin = (name: string): string => (/^https?:/.test(name) ? new URL(name).origin : name.replace(/\/$/, ""));
