import { TOKEN } from "../../server/header-names.js";
import type { HttpHeaders, HttpRequest } from "./host.js";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/** What the guard knows of the place where it stands. */
export interface GuardPlace {
  /** The address that the server listens at; undefined where the host of the handler decides. */
  readonly boundTo: string | undefined;
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/**
 * Turns away what a page of another site could send: requests under a name that is not the server's (a name that was made to
 * point here), and requests of pages that nobody has allowed.
 */
export class Guard {
  readonly #isLocal: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #anyHost: boolean;
  readonly #anyOrigin: boolean;
  /** The header that was found good last: most requests come from the same clients. */
  #goodHost: string | undefined;

  constructor({ boundTo, publicUrl, allowedHosts, allowedOrigins }: GuardPlace) {
    this.#isLocal = boundTo !== undefined && isLoopback(boundTo);
    const own = publicUrl === undefined ? [] : [new URL(publicUrl)];
    const bound = boundTo === undefined ? [] : [written(boundTo)];
    this.#hosts = new Set([...bound, ...own.flatMap(({ host, hostname }) => [host, hostname]), ...allowedHosts]);
    this.#origins = new Set([...own.map(({ origin }) => origin), ...allowedOrigins]);
    // Inside another host, that host has checked the name before, unless it is told here.
    this.#anyHost = allowedHosts.includes("*") || (boundTo === undefined && this.#hosts.size === 0);
    this.#anyOrigin = allowedOrigins.includes("*");
  }

  /** Why a request is turned away, or undefined. */
  refusal(request: HttpRequest): string | undefined {
    const host = request.header("host");
    if (host !== this.#goodHost || host === undefined) {
      if (!this.#isHostAllowed(host))
        return `the server is not known as ${JSON.stringify(host ?? "")}; add the name to allowedHosts`;
      this.#goodHost = host;
    }
    const origin = request.header("origin");
    if (origin === undefined || this.#isOriginAllowed(origin.toLowerCase(), request)) return undefined;
    return `pages of ${JSON.stringify(origin)} may not call this server; add the origin to allowedOrigins`;
  }

  #isHostAllowed(host: string | undefined): boolean {
    if (this.#anyHost) return true;
    if (host === undefined) return false;
    const named = host.toLowerCase();
    const name = named.replace(/:\d+$/, "");
    if (this.#hosts.has(named) || this.#hosts.has(name)) return true;
    // Only names can be made to point elsewhere; an address is what it is. One of this machine is enough for a local server.
    return LOOPBACK.test(name) || (!this.#isLocal && ADDRESS.test(name));
  }

  #isOriginAllowed(origin: string, request: HttpRequest): boolean {
    if (this.#anyOrigin || this.#origins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { host, hostname, protocol } = new URL(origin);
    if (protocol !== "http:" && protocol !== "https:") return false;
    if (this.#isLocal && LOOPBACK.test(hostname)) return true;
    if (host !== request.header("host")?.toLowerCase()) return false;
    // A name that nobody has checked may have been made to point here, unless it is an address or has a certificate.
    return !this.#anyHost || protocol === "https:" || LOOPBACK.test(hostname) || ADDRESS.test(hostname);
  }
}

/** The headers that let a page of an allowed origin read an answer. */
export function corsHeaders(origin: string): HttpHeaders {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate, Retry-After",
    vary: "Origin",
  };
}

/** The headers that answer a browser's question what a page may send. */
export function preflightHeaders(wanted: string | undefined): HttpHeaders {
  const own =
    "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
  const parameters = (wanted ?? "").split(",").map((name) => name.trim());
  return {
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": [
      own,
      ...parameters.filter((name) => /^(?:mcp-param|x-mcp)-./i.test(name) && TOKEN.test(name)),
    ].join(", "),
    "access-control-max-age": "600",
  };
}

/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(written(host));

/** A name or an address as it stands in a URL. */
const written = (host: string): string =>
  (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host).toLowerCase();
