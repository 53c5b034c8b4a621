import { BlockList, isIPv4, isIPv6 } from "node:net";
import { isObject, type JsonObject } from "../../../jsonrpc/messages.js";
import type { Logger } from "../../../server/logging/log.js";
import { monotonicNow } from "../../../server/runtime.js";
import { type AuthOptions, isLoopbackHost, isSecureUrl } from "./options.js";
import { wellKnownUrl } from "./resource.js";

/** The authorization server is unavailable or its response is invalid, so a token can be neither accepted nor rejected. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
}

/** Fetches the metadata of an issuer. Throws `IssuerError` that lists what was found at each URL. */
export async function fetchIssuerMetadata(issuer: string): Promise<JsonObject> {
  // In the order in which clients try them. Without a path, two of them are equal.
  const urls = new Set([
    wellKnownUrl("oauth-authorization-server", issuer),
    wellKnownUrl("openid-configuration", issuer),
    `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  ]);
  const failures: string[] = [];
  for (const url of urls) {
    try {
      const found = await fetchJson(url, issuer);
      // Metadata of another issuer must not be used (RFC 8414, section 3.3).
      if (found["issuer"] === issuer) return found;
      failures.push(`${url} has the metadata of ${JSON.stringify(found["issuer"])}`);
    } catch (error) {
      failures.push((error as IssuerError).message);
    }
  }
  throw new IssuerError(`Cannot find the metadata of the issuer ${issuer}: ${failures.join("; ")}`);
}

/** Returns an endpoint URL from an issuer's metadata. Throws `IssuerError` if it is missing. */
export function requireEndpoint(metadata: JsonObject, member: string): string {
  const endpoint = metadata[member];
  if (typeof endpoint === "string") return endpoint;
  throw new IssuerError(`The metadata of the issuer ${JSON.stringify(metadata["issuer"])} has no ${member}`);
}

/** The minimum time between two fetches, so that neither invalid tokens nor an outage cause many requests. */
export const RETRY_COOLDOWN_MS = 10_000;
/** How long a stale value is used while it cannot be fetched. */
const MAX_STALE_MS = 24 * 3_600_000;

/** A cached value of the issuer: fetched on demand, refreshed when it is stale, and kept while the issuer is unavailable. */
export class CachedRemote<Value> {
  readonly #freshMs: number;
  readonly #load: () => Promise<Value>;
  readonly #log: Logger;
  #value: Value | undefined;
  #failure: unknown;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(freshMs: number, load: () => Promise<Value>, log: Logger) {
    this.#freshMs = freshMs;
    this.#load = load;
    this.#log = log;
  }

  /** The cached value, without fetching. */
  get cached(): Value | undefined {
    return monotonicNow() - this.#loadedAt < MAX_STALE_MS ? this.#value : undefined;
  }

  /** Returns the value, and fetches it if it is stale. Throws if there is none. */
  async get(): Promise<Value> {
    if (monotonicNow() - this.#loadedAt >= this.#freshMs) {
      await this.refresh();
      // Allows one immediate refresh, for example for a key that the fetched set does not contain.
      if (this.#failure === undefined) this.#attemptedAt -= RETRY_COOLDOWN_MS;
    }
    const { cached } = this;
    if (cached === undefined) throw this.#failure;
    return cached;
  }

  /** Fetches the value, unless it was fetched a moment ago. Returns whether a new value was fetched. */
  async refresh(): Promise<boolean> {
    if (this.#loading === undefined) {
      if (monotonicNow() - this.#attemptedAt < RETRY_COOLDOWN_MS) return false;
      this.#attemptedAt = monotonicNow();
      this.#loading = this.#fetch();
    }
    await this.#loading;
    return this.#failure === undefined;
  }

  async #fetch(): Promise<void> {
    try {
      this.#value = await this.#load();
      this.#loadedAt = monotonicNow();
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      this.#log({ level: "warning", message: (error as Error).message });
    } finally {
      this.#loading = undefined;
    }
  }
}

const FETCH_TIMEOUT_MS = 5000;
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Fetches a JSON object from an issuer, with limits for time and size, and without following redirects. */
export async function fetchJson(url: string, issuer: string, init: RequestInit = {}): Promise<JsonObject> {
  const reason = urlError(url, issuer);
  if (reason !== undefined) throw new IssuerError(`Cannot fetch ${url}, because the URL ${reason}`);
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: "application/json", ...(init.headers as Record<string, string>) },
      redirect: "manual",
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new IssuerError(`${url} responded with status ${response.status}`);
    }
    return parseObject(await readText(url, response));
  } catch (error) {
    if (error instanceof IssuerError) throw error;
    if (error instanceof SyntaxError)
      throw new IssuerError(`${url} responded with something that is not a JSON object`);
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") throw new IssuerError(`Cannot fetch ${url} within ${FETCH_TIMEOUT_MS} ms`);
    // The message of a failed `fetch` is only "fetch failed". After "authorization-server:" the log would redact it.
    throw new IssuerError(`Cannot fetch ${url} (${(cause instanceof Error && cause.message) || message})`);
  }
}

async function readText(url: string, { body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    // Leaving the loop cancels the response.
    if (text.length > MAX_RESPONSE_BYTES)
      throw new IssuerError(`${url} responded with more than ${MAX_RESPONSE_BYTES} bytes`);
  }
  return text + decoder.decode();
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new SyntaxError("not an object");
}

const privateNetworks = new BlockList();
for (const [address, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(address, bits, isIPv6(address) ? "ipv6" : "ipv4");

/** Whether a host name is a private or loopback address. Names are not resolved. */
function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIPv4(address)) return privateNetworks.check(address, "ipv4");
  return isIPv6(address) ? privateNetworks.check(address, "ipv6") : isLoopbackHost(hostname);
}

/**
 * Returns what is wrong with a URL from an issuer's metadata. It must not point into a private network unless the issuer is there
 * too: the operator trusts the issuer, but not the content of its documents (SSRF).
 */
function urlError(url: string, issuer: string): string | undefined {
  if (!URL.canParse(url)) return "is invalid";
  if (!isSecureUrl(new URL(url))) return "is not https";
  if (isPrivateHost(new URL(url).hostname) && !isPrivateHost(new URL(issuer).hostname))
    return "points into a private network";
  return undefined;
}

/**
 * Checks whether clients can get a token from the issuer, according to `auth.selfCheck`: logs each problem with its fix as a
 * warning, or throws an `Error` that lists them.
 */
export async function runSelfCheck(options: AuthOptions, log: Logger): Promise<void> {
  const { issuer, jwksUri, introspection, selfCheck = "warn" } = options;
  if (issuer === undefined || selfCheck === "off") return;
  const problems: string[] = [];
  let fix = "auth.issuer must match the issuer exactly (including a trailing slash) and must be reachable from here.";
  try {
    const metadata = await fetchIssuerMetadata(issuer);
    problems.push(...findMetadataProblems(issuer, metadata));
    fix = `Set auth.${introspection === undefined ? "jwksUri" : "introspection.url"} to the correct URL.`;
    if (introspection === undefined) {
      const url = jwksUri ?? requireEndpoint(metadata, "jwks_uri");
      const { keys } = await fetchJson(url, issuer);
      if (!Array.isArray(keys) || keys.length === 0) throw new IssuerError(`There are no keys at ${url}`);
    } else if (introspection.url === undefined) requireEndpoint(metadata, "introspection_endpoint");
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    problems.push(`${error.message}. ${fix}`);
  }
  if (selfCheck === "warn")
    for (const line of problems) log({ level: "warning", message: `OAuth self-check: ${line}` });
  else if (problems.length > 0) throw new Error(`Cannot serve with this auth: ${problems.join(" ")}`);
}

function findMetadataProblems(issuer: string, metadata: JsonObject): string[] {
  const problems = ["authorization_endpoint", "token_endpoint"]
    .filter((member) => typeof metadata[member] !== "string")
    .map(
      (member) =>
        `The metadata of ${issuer} has no ${member}. Use an issuer that supports the authorization code flow.`,
    );
  const methods = metadata["code_challenge_methods_supported"];
  if (!Array.isArray(methods) || !methods.includes("S256"))
    problems.push(
      `The metadata of ${issuer} does not list PKCE with S256, so clients must reject it. ` +
        "Enable PKCE at the issuer, so that code_challenge_methods_supported contains S256.",
    );
  return problems;
}
