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
  /** The URL that clients know, where a proxy stands in front. */
  readonly publicUrl?: string;
  /** Further names that clients may call the server by; `*` = any. */
  readonly allowedHosts?: readonly string[];
  /** The origins of further pages that may call; `*` = any. */
  readonly allowedOrigins?: readonly string[];
  /** Who may call; everybody by default. */
  readonly auth?: AuthOptions;
  /** Sessions for clients with a handshake; on by default. */
  readonly sessions?: boolean | { readonly store?: SessionStore };
  /** The two endpoints of the oldest revision; off by default. */
  readonly sse?: boolean | { readonly path?: string; readonly messagePath?: string };
  /** A token bucket for each client. */
  readonly rate?: false | HttpRate;
  /** After how long a client that can come back for its answer is sent away. */
  readonly pollAfterMs?: number;
  /** What the server counts, for Prometheus, at `/metrics` or another path; off by default. */
  readonly metrics?: boolean | { readonly path?: string };
  /** Further pages, at paths where nothing else is; as guarded as MCP is. */
  readonly pages?: Pages;
  readonly limits?: Partial<HttpLimits>;
}

/** Where HTTP+SSE is. */
export interface SsePlace {
  readonly path: string;
  readonly messagePath: string;
  /** What the public URL has before the paths. */
  readonly prefix: string;
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
  readonly sse: SsePlace | undefined;
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
const HOST = /^[^\s/*?#@]+$/;
const ORIGIN = /^(?:null|[\w+.-]+:\/\/[^\s/*?#@:][^\s/*?#@]*\/?)$/;
const DEFAULT_RATE: HttpRate = { burst: 1000, perSecond: 100 };

/** A mistake in the options, in words. */
export const optionFault = (reason: string): TypeError => new TypeError(`Cannot ${DEED}: ${reason}`);

/** Refuses what is no object. */
export function checkObject(name: string, given: unknown): void {
  if (typeof given !== "object" || given === null) throw optionFault(`${name} must be an object`);
}

/** Refuses an object that lacks a function. */
function checkAble<Given>(name: string, given: Given | undefined, ...needed: (keyof Given)[]): void {
  if (given && needed.some((deed) => !given[deed])) throw optionFault(`${name} needs ${needed.join(", ")}`);
}

/** Checks the options and fills in the defaults. Throws `TypeError` that names the option at fault. */
export function createEndpointSettings(options: EndpointOptions): EndpointSettings {
  refuseUnknown(DEED, options, OPTIONS);
  const { sessions = true, rate = DEFAULT_RATE, pollAfterMs = Number.POSITIVE_INFINITY, limits = {} } = options;
  checkObject("limits", limits);
  if (rate !== false && !(rate?.burst >= 1 && rate.perSecond > 0))
    throw optionFault("rate needs burst of at least 1 and perSecond above 0");
  if (!(typeof pollAfterMs === "number" && pollAfterMs > 0)) throw optionFault("pollAfterMs must be a positive number");
  const taken = new Set(["/health", "/alive"]);
  const path = readPath(taken, "path", options.path ?? "/mcp");
  const publicUrl = readPublicUrl(options.publicUrl);
  const sse = readSse(taken, options.sse, prefixOf(publicUrl, path));
  const kept = readSwitch("sessions", sessions, { store: true });
  checkAble("sessions.store", kept?.store, "save", "find", "delete", "append", "eventsAfter");
  checkAble("pages", options.pages, "isAt", "serve");
  return {
    path,
    publicUrl,
    allowedHosts: readNames("allowedHosts", options.allowedHosts, HOST, "tools.example"),
    allowedOrigins: readNames("allowedOrigins", options.allowedOrigins, ORIGIN, "https://app.example").map(toOrigin),
    auth: options.auth,
    hasSessions: kept !== undefined,
    store: kept?.store,
    sse,
    rate: rate === false ? undefined : rate,
    pollAfterMs: pollAfterMs > LONGEST_WAIT_MS ? Number.POSITIVE_INFINITY : pollAfterMs,
    metricsPath: readMetricsPath(taken, options.metrics),
    pages: options.pages,
    limits: createHttpLimits(limits),
  };
}

/** A path where nothing is yet, as clients write it. */
function readPath(taken: Set<string>, name: string, given: string): string {
  if (typeof given !== "string" || !/^\/[^?#\s]*$/.test(given))
    throw optionFault(`${name} must begin with / and have neither ? nor #`);
  const path = new URL(`http://a${given}`).pathname;
  if (taken.has(path)) throw optionFault(`${name} is ${path}, where something else is served`);
  taken.add(path);
  return path;
}

/** What is said of something that may be off; undefined = it is. */
function readSwitch<Detail extends object>(
  name: string,
  given: boolean | Detail,
  known: Readonly<Record<keyof Detail, true>>,
): Partial<Detail> | undefined {
  if (typeof given === "boolean") return given ? {} : undefined;
  checkObject(name, given);
  refuseUnknown(`${DEED}: ${name}`, given, known);
  return given;
}

function readSse(taken: Set<string>, sse: EndpointOptions["sse"] = false, prefix: string): SsePlace | undefined {
  const given = readSwitch("sse", sse, { path: true, messagePath: true });
  return (
    given && {
      path: readPath(taken, "sse.path", given.path ?? "/sse"),
      messagePath: readPath(taken, "sse.messagePath", given.messagePath ?? "/messages"),
      prefix,
    }
  );
}

function readMetricsPath(taken: Set<string>, metrics: EndpointOptions["metrics"] = false): string | undefined {
  const given = readSwitch("metrics", metrics, { path: true });
  return given && readPath(taken, "metrics.path", given.path ?? "/metrics");
}

function prefixOf(publicUrl: string | undefined, path: string): string {
  if (publicUrl === undefined) return "";
  const [all, own] = [new URL(publicUrl).pathname, path].map((each) => each.replace(/\/$/, "")) as [string, string];
  return all.endsWith(own) ? all.slice(0, all.length - own.length) : "";
}

function readPublicUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (read?.protocol !== "https:" && read?.protocol !== "http:") throw optionFault("publicUrl must be an http(s) URL");
  if (read.hash !== "" || read.search !== "") throw optionFault("publicUrl must have neither ? nor #");
  return read.href.replace(/\/$/, "");
}

/** Names as headers have them: in lower case. */
function readNames(option: string, names: readonly string[] = [], shape: RegExp, example: string): readonly string[] {
  if (!Array.isArray(names)) throw optionFault(`${option} must be a list of names`);
  return names.map((name) => {
    const isFit = shape.test(name) && (shape === HOST || name === "null" || URL.canParse(name));
    if (typeof name === "string" && (name === "*" || isFit)) return name.toLowerCase();
    throw optionFault(`${option} has ${JSON.stringify(name)}; write it like ${example}`);
  });
}

/** An origin as browsers write it. Those of other schemes, such as of extensions, URLs do not know. */
const toOrigin = (name: string): string => (/^https?:/.test(name) ? new URL(name).origin : name.replace(/\/$/, ""));
