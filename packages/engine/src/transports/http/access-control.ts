import { HTTP_TOKEN } from "../../server/features/mirrored-headers.js";
import { TokenBucket } from "../../server/limits/quota.js";
import type { Authenticator, AuthInfo, AuthResult } from "./auth/authenticator.js";
import { type HttpHeaders, type HttpRequest, rateLimitError } from "./http-message.js";
import type { EndpointSettings, HttpRateLimit } from "./options.js";

/** The client of every request if authentication is not configured. */
const ANONYMOUS: AuthInfo = { principal: undefined, scopes: undefined };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

/** Decides whether a request or a WebSocket upgrade is served: origin, authentication, rate limit. */
export class AccessControl {
  readonly authenticator: Authenticator | undefined;
  readonly originPolicy: OriginPolicy;
  /** Messages count when their body has been read, because pings do not count. */
  readonly countsBodies: boolean;
  readonly #rateLimiter: ClientRateLimiter | undefined;

  constructor(settings: EndpointSettings, authenticator: Authenticator | undefined, listenAddress: string | undefined) {
    this.authenticator = authenticator;
    this.originPolicy = new OriginPolicy({ ...settings, listenAddress });
    this.countsBodies = settings.rate?.countPings === false;
    this.#rateLimiter = settings.rate && new ClientRateLimiter(settings.rate, settings.limits.clients);
  }

  /** Authenticates a request, and counts it against the client's rate limit. Returns an `HttpError` if it is rejected. */
  authorize(request: HttpRequest, isCounted = true): AuthResult | Promise<AuthResult> {
    const { authenticator } = this;
    if (authenticator === undefined) {
      const waitMs = isCounted ? (this.#rateLimiter?.take(request.remoteAddress) ?? 0) : 0;
      return waitMs > 0 ? rateLimitError(waitMs) : ANONYMOUS;
    }
    const waitMs = this.#rateLimiter?.peek(request.remoteAddress) ?? 0;
    // Failed attempts from an address do not lock out clients with known credentials behind the same address.
    if (waitMs > 0 && !authenticator.hasKnownCredentials(request)) return rateLimitError(waitMs);
    const result = authenticator.authenticate(request);
    return result instanceof Promise
      ? result.then((settled) => this.#checkResult(request, settled, isCounted))
      : this.#checkResult(request, result, isCounted);
  }

  /** Counts one more message of a client. Returns the milliseconds to wait if it exceeds the limit, otherwise 0. */
  takeToken(client: string | undefined, text = ""): number {
    return this.countsBodies && isPing(text) ? 0 : (this.#rateLimiter?.take(client) ?? 0);
  }

  #checkResult(request: HttpRequest, result: AuthResult, isCounted: boolean): AuthResult {
    const isRejected = "status" in result;
    if (!isRejected && !isCounted) return result;
    // Failed attempts count against the address, which limits guessing.
    const waitMs = this.takeToken(isRejected ? request.remoteAddress : rateLimitKey(request, result));
    return isRejected || waitMs === 0 ? result : rateLimitError(waitMs);
  }
}

/** Longer messages are no pings. */
const MAX_PING_LENGTH = 1000;

function isPing(text: string): boolean {
  if (text.length > MAX_PING_LENGTH || !text.includes("ping")) return false;
  try {
    return (JSON.parse(text) as { readonly method?: unknown } | null)?.method === "ping";
  } catch {
    return false;
  }
}

/** The client that a request counts against: its principal, or its address if clients are not authenticated. */
export const rateLimitKey = (request: HttpRequest, { principal }: AuthInfo): string | undefined =>
  principal === undefined ? request.remoteAddress : `principal ${principal}`;

/** One token bucket per client, for a limited number of clients. Clients without an address share one. */
export class ClientRateLimiter {
  readonly #limit: HttpRateLimit;
  readonly #maxClients: number;
  readonly #buckets = new Map<string | undefined, TokenBucket>();

  constructor(limit: HttpRateLimit, maxClients: number) {
    this.#limit = limit;
    this.#maxClients = maxClients;
  }

  /** Takes a token. Returns 0, or the milliseconds until the next token is available. */
  take(client: string | undefined): number {
    let bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#maxClients) this.#evict();
      bucket = new TokenBucket(this.#limit);
      this.#buckets.set(client, bucket);
    }
    return bucket.tryTake() ? 0 : bucket.waitMs(1);
  }

  /** Returns what `take` would return, without taking a token. */
  peek(client: string | undefined): number {
    const bucket = this.#buckets.get(client);
    return bucket === undefined || bucket.available >= 1 ? 0 : bucket.waitMs(1);
  }

  /** Removes full buckets, which carry no information; if there are none, removes the oldest ones. */
  #evict(): void {
    for (const [client, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(client);
    for (const client of this.#buckets.keys()) {
      if (this.#buckets.size < this.#maxClients) break;
      this.#buckets.delete(client);
    }
  }
}

/** What an origin policy is created from. */
export interface OriginPolicyOptions extends Pick<EndpointSettings, "publicUrl" | "allowedHosts" | "allowedOrigins"> {
  /** The address that the server listens on; undefined for a fetch handler. */
  readonly listenAddress: string | undefined;
}

/** Rejects requests with a foreign `Host` (DNS rebinding) and requests from pages of origins that are not allowed. */
export class OriginPolicy {
  readonly #isLoopbackOnly: boolean;
  readonly #hosts: Set<string>;
  readonly #origins: Set<string>;
  readonly #allowsAnyHost: boolean;
  /** Most requests have the same `Host`, so the last allowed one is cached. */
  #lastAllowedHost: string | undefined;

  constructor({ listenAddress, publicUrl, allowedHosts, allowedOrigins }: OriginPolicyOptions) {
    this.#isLoopbackOnly = listenAddress !== undefined && isLoopback(listenAddress);
    this.#hosts = new Set(allowedHosts);
    this.#origins = new Set(allowedOrigins);
    if (listenAddress !== undefined) this.#hosts.add(toUrlHost(listenAddress));
    if (publicUrl !== undefined) {
      const { host, hostname, origin } = new URL(publicUrl);
      this.#hosts.add(host).add(hostname);
      this.#origins.add(origin);
    }
    // The host of a fetch handler validates the name itself, unless names are configured here.
    this.#allowsAnyHost = this.#hosts.has("*") || this.#hosts.size === 0;
  }

  /** Returns why a request is rejected; undefined if it is allowed. */
  rejectionReason(request: HttpRequest): string | undefined {
    const host = request.header("host");
    if (host !== this.#lastAllowedHost || host === undefined) {
      if (!this.#isHostAllowed(host))
        return `the host ${JSON.stringify(host ?? "")} is not allowed; add it to allowedHosts`;
      this.#lastAllowedHost = host;
    }
    const origin = request.header("origin");
    if (origin === undefined || this.#isOriginAllowed(origin.toLowerCase(), host)) return undefined;
    return `the origin ${JSON.stringify(origin)} is not allowed; add it to allowedOrigins`;
  }

  #isHostAllowed(host: string | undefined): boolean {
    if (this.#allowsAnyHost) return true;
    if (host === undefined) return false;
    const lowerCased = host.toLowerCase();
    const name = lowerCased.replace(/:\d+$/, "");
    if (this.#hosts.has(lowerCased) || this.#hosts.has(name)) return true;
    // DNS rebinding needs a name, so IP addresses are safe. A loopback server accepts loopback addresses only.
    return LOOPBACK.test(name) || (!this.#isLoopbackOnly && IP_ADDRESS.test(name));
  }

  #isOriginAllowed(origin: string, requestHost: string | undefined): boolean {
    if (this.#origins.has("*") || this.#origins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { host, hostname, protocol } = new URL(origin);
    if (protocol !== "http:" && protocol !== "https:") return false;
    if (this.#isLoopbackOnly && LOOPBACK.test(hostname)) return true;
    if (host !== requestHost?.toLowerCase()) return false;
    // A same-origin page is safe if its host was validated, is an IP address or has a certificate.
    return !this.#allowsAnyHost || protocol === "https:" || LOOPBACK.test(hostname) || IP_ADDRESS.test(hostname);
  }
}

/** The headers that let a page of an allowed origin read a response. */
export function corsHeaders(origin: string): HttpHeaders {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate, Retry-After",
    vary: "Origin",
  };
}

const ALLOWED_HEADERS =
  "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name";

/** The headers of a response to a CORS preflight; `requested` is the value of `Access-Control-Request-Headers`. */
export function preflightHeaders(requested: string | undefined): HttpHeaders {
  const mcpHeaders = (requested ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^(?:mcp-param|x-mcp)-./i.test(name) && HTTP_TOKEN.test(name));
  return {
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": [ALLOWED_HEADERS, ...mcpHeaders].join(", "),
    "access-control-max-age": "600",
  };
}

/** Whether an address is reachable from this machine only. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(toUrlHost(host));

/** A host name or an address in the form that URLs use: lower-case, IPv6 in brackets. */
const toUrlHost = (host: string): string =>
  (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host).toLowerCase();
