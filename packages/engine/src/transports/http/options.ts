import { refuseUnknown } from "../../server/known-members.js";
import { LONGEST_WAIT_MS } from "../../server/limits.js";
import type { AuthOptions } from "./auth/options.js";
import { createHttpLimits, type HttpLimits } from "./limits.js";
import type { Pages } from "./pages.js";
import type { SessionStore } from "./session-store.js";

/** How often one client may come: so many times at once, so many each second. */
export interface HttpRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** What an endpoint takes, whatever host it stands in. */
export interface EndpointOptions {
  /** Where MCP is spoken; `/mcp` by default. */
  readonly path?: string;
  /** The URL that clients know the server by, where it is not the one they connect to: behind a proxy. */
  readonly publicUrl?: string;
  /** The names that clients may call the server by, beside those of this machine; `*` = any. */
  readonly allowedHosts?: readonly string[];
  /** The pages that may call the server, by origin, beside those of this machine; `*` = any. */
  readonly allowedOrigins?: readonly string[];
  /** Who may call; everybody by default. */
  readonly auth?: AuthOptions;
  /** Sessions for clients with a handshake; on by default. Without them each request stands alone. */
  readonly sessions?: boolean | { readonly store?: SessionStore };
  /** The two endpoints of the oldest revision; off by default. */
  readonly sse?: boolean | { readonly path?: string; readonly messagePath?: string };
  /** A token bucket for each client. */
  readonly rate?: false | HttpRate;
  /** How long a call may hold its stream before the client is sent away to come back for the answer, where it can. */
  readonly pollAfterMs?: number;
  /** Tells what the server counts at `/metrics`, or at another path, as Prometheus reads it; off by default. */
  readonly metrics?: boolean | { readonly path?: string };
  /** Further pages, at paths where nothing else is; as guarded as MCP is. */
  readonly pages?: Pages;
  readonly limits?: Partial<HttpLimits>;
}

/** The options with every default in place. */
export interface EndpointSettings {
  readonly path: string;
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly auth: AuthOptions | undefined;
  readonly hasSessions: boolean;
  readonly store: SessionStore | undefined;
  readonly sse: { readonly path: string; readonly messagePath: string } | undefined;
  readonly rate: HttpRate | undefined;
  readonly pollAfterMs: number;
  readonly metricsPath: string | undefined;
  readonly pages: Pages | undefined;
  readonly limits: HttpLimits;
}

const OPTIONS: Readonly<Record<keyof EndpointOptions, true>> = {
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

const DEED = "serve over HTTP";
const DEFAULT_RATE: HttpRate = { burst: 1000, perSecond: 100 };

/** A mistake in the options, in words. */
export const optionFault = (reason: string): TypeError => new TypeError(`Cannot ${DEED}: ${reason}`);

/** Checks the options and fills in the defaults. Throws `TypeError` that names the option at fault. */
export function createEndpointSettings(options: EndpointOptions): EndpointSettings {
  refuseUnknown(DEED, options, OPTIONS);
  const { sessions = true, rate = DEFAULT_RATE, pollAfterMs = Number.POSITIVE_INFINITY } = options;
  if (rate !== false && !(rate.burst >= 1 && rate.perSecond > 0))
    throw optionFault("rate needs burst of at least 1 and perSecond above 0");
  if (!(pollAfterMs > 0)) throw optionFault("pollAfterMs must be a positive number");
  const path = readPath("path", options.path ?? "/mcp");
  const sse = readSse(options.sse);
  return {
    path,
    publicUrl: readPublicUrl(options.publicUrl),
    allowedHosts: readNames("allowedHosts", options.allowedHosts),
    allowedOrigins: readNames("allowedOrigins", options.allowedOrigins),
    auth: options.auth,
    hasSessions: sessions !== false,
    store: typeof sessions === "object" ? sessions.store : undefined,
    sse,
    rate: rate === false ? undefined : rate,
    pollAfterMs: pollAfterMs > LONGEST_WAIT_MS ? Number.POSITIVE_INFINITY : pollAfterMs,
    metricsPath: readMetricsPath(options.metrics, [path, sse?.path, sse?.messagePath, "/health", "/alive"]),
    pages: options.pages,
    limits: createHttpLimits(options.limits),
  };
}

function readPath(name: string, path: string): string {
  if (typeof path === "string" && /^\/[^?#\s]*$/.test(path)) return path;
  throw optionFault(`${name} must begin with / and have neither ? nor #`);
}

function readSse(sse: EndpointOptions["sse"]): EndpointSettings["sse"] {
  if (sse === undefined || sse === false) return undefined;
  const { path = "/sse", messagePath = "/messages" } = sse === true ? {} : sse;
  return { path: readPath("sse.path", path), messagePath: readPath("sse.messagePath", messagePath) };
}

function readMetricsPath(
  metrics: EndpointOptions["metrics"],
  taken: readonly (string | undefined)[],
): string | undefined {
  if (metrics === undefined || metrics === false) return undefined;
  const given = metrics === true ? {} : metrics;
  refuseUnknown(`${DEED}: metrics`, given, { path: true });
  const path = readPath("metrics.path", given.path ?? "/metrics");
  if (taken.includes(path)) throw optionFault(`metrics.path is ${path}, where something else is served`);
  return path;
}

function readPublicUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (read?.protocol !== "https:" && read?.protocol !== "http:") throw optionFault("publicUrl must be an http(s) URL");
  if (read.hash !== "" || read.search !== "") throw optionFault("publicUrl must have neither ? nor #");
  return read.href.replace(/\/$/, "");
}

function readNames(option: string, names: readonly string[] = []): readonly string[] {
  if (!Array.isArray(names) || names.some((name) => typeof name !== "string" || name === ""))
    throw optionFault(`${option} must be a list of names`);
  return names.map((name) => name.toLowerCase());
}
