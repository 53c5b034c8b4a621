import type { Check } from "../../../server/definitions/checks.js";
import * as check from "../../../server/definitions/checks.js";
import { atCaller } from "../../../server/definitions/validation.js";
import { getBuiltinModule } from "../../../server/runtime.js";
import { isLoopback } from "../access-control.js";
import type { HttpRequest } from "../http-message.js";
import { requireOption, validateOptions } from "../options.js";
import type { AuthInfo } from "./authenticator.js";
import type { ServerLocation } from "./resource.js";

/** A request without its body, as the option `authenticate` gets it. */
export type RequestHead = Omit<HttpRequest, "read" | "headers">;

/** The result of the option `authenticate`. Without scopes, the client is not restricted. */
export interface Identity {
  readonly principal: string;
  readonly scopes?: Iterable<string> | undefined;
}

/** The options of token introspection (RFC 7662). */
export interface IntrospectionOptions {
  /** The introspection endpoint; taken from the issuer's metadata by default. */
  readonly url?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Authentication over HTTP and WebSocket. `issuer`, `apiKeys` and `authenticate` can be combined.
 *
 * @example
 * ```ts
 * await serveHttp(server, { auth: { issuer: "https://login.example", scopes: ["tools"] } });
 * await serveHttp(server, { auth: { apiKeys: [{ principal: "ci", hash: hashApiKey(process.env.CI_KEY) }] } });
 * ```
 */
export interface AuthOptions {
  /** The authorization server whose tokens are accepted, exactly as in the `iss` claim. */
  readonly issuer?: string;
  /** Accepted values of the `aud` claim; the public URL of the server by default. */
  readonly audience?: string | readonly string[];
  /** The scopes that every request requires, in addition to those of tools. */
  readonly scopes?: readonly string[];
  /** Scopes that include other scopes, such as `{ admin: ["read", "write"] }`. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>;
  /** The URL of the issuer's key set; taken from the issuer's metadata by default. */
  readonly jwksUri?: string;
  /** Verifies tokens at the issuer's introspection endpoint instead of by signature. */
  readonly introspection?: IntrospectionOptions;
  /** Tolerated difference to the issuer's clock; 30 s by default. */
  readonly clockSkewMs?: number;
  /** API keys, which clients send like tokens. */
  readonly apiKeys?: readonly ApiKey[];
  /** Custom authentication. Return undefined to continue with token verification. */
  readonly authenticate?: (request: RequestHead) => Identity | undefined | Promise<Identity | undefined>;
  /** What happens at start if clients could not get a token from the issuer; `warn` by default. */
  readonly selfCheck?: "warn" | "fail" | "off";
}

/** A key that a client sends as `Authorization: Bearer …`. */
export interface ApiKey {
  /** The owner of the key; becomes `call.principal`. */
  readonly principal: string;
  /** The result of `hashApiKey(key)`. */
  readonly hash: string;
  /** The granted scopes; without them, the client is not restricted. */
  readonly scopes?: readonly string[];
}

const MIN_KEY_LENGTH = 20;

/**
 * Hashes a random API key (SHA-256), so that the key itself need not be stored. Throws `TypeError` for a short key.
 *
 * @example
 * ```ts
 * const apiKeys = [{ principal: "ci", hash: hashApiKey("9f2c…") }];
 * ```
 */
export function hashApiKey(key: string): string {
  atCaller(hashApiKey, () => {
    if (typeof key !== "string" || key.length < MIN_KEY_LENGTH)
      throw new TypeError(
        `Cannot hash the API key: it has fewer than ${MIN_KEY_LENGTH} characters; make one with: openssl rand -hex 32`,
      );
    if (!isTokenSyntax(key))
      throw new TypeError("Cannot hash the API key: it contains characters that are not allowed in a bearer token");
  });
  return hashToken(key);
}

/** Hashes a credential, so that it need not be kept in memory. */
export function hashToken(token: string): string {
  return getBuiltinModule("node:crypto").hash("sha256", token, "hex");
}

/** Whether a text has the syntax of a bearer token (RFC 6750, section 2.1). */
export function isTokenSyntax(text: string): boolean {
  return /^[A-Za-z0-9._~+/-]+=*$/.test(text);
}

/** Maps a scope to the scopes that it includes. */
type ImpliedScopes = ReadonlyMap<string, readonly string[]>;

/** The validated options with all defaults. */
export type AuthSettings = Readonly<ReturnType<typeof resolveAuthOptions>>;

/** The syntax of a scope (RFC 6749, section 3.3). */
const SCOPE = /^[!#-[\]-~]+$/;

/** The scope with which clients request refresh tokens from the issuer. A resource server never requires it. */
const OFFLINE_ACCESS = "offline_access";

const secureUrl: Check = (value, name) => {
  if (value === undefined) return undefined;
  const url = check.isString(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !isSecureUrl(url)) return `${name} must be an https URL (http is allowed only for localhost)`;
  return url.username + url.password === "" ? undefined : `${name} must not contain credentials`;
};

const nonEmptyString = check.required(check.isNonEmptyString, "must be a non-empty string");

const scopeList: Check = (scopes, name) => {
  if (scopes === undefined) return undefined;
  if (!check.isArrayOf(scopes, (scope) => check.isString(scope) && SCOPE.test(scope)))
    return `${name} must be a list of scopes`;
  const cannotBeRequired = (scopes as string[]).some((scope) => scope === "*" || scope === OFFLINE_ACCESS);
  return cannotBeRequired ? `${name} must name the required scopes, not * or ${OFFLINE_ACCESS}` : undefined;
};

const impliedScopesCheck: Check = (implied, name) =>
  check.looseObject(Object.fromEntries(Object.keys(implied ?? {}).map((scope) => [scope, scopeList])))(implied, name);

const API_KEY_CHECKS: check.Checks<ApiKey> = {
  principal: nonEmptyString,
  hash: check.required(
    (hash) => check.isString(hash) && /^[0-9a-f]{64}$/i.test(hash),
    "must be the result of hashApiKey(key): 64 hexadecimal digits",
  ),
  scopes: scopeList,
};

const apiKeysCheck: Check = (keys, name) =>
  keys === undefined || Array.isArray(keys)
    ? check.arrayOf(check.strictObject(API_KEY_CHECKS))(keys, name)
    : `${name} must be a list`;

const AUTH_CHECKS: check.Checks<AuthOptions> = {
  issuer: (value, name) =>
    secureUrl(value, name) ?? (/[?#]/.test(String(value)) ? `${name} must contain neither ? nor #` : undefined),
  audience: check.optional(
    (value) => check.isNonEmptyString(value) || check.isArrayOf(value, check.isNonEmptyString),
    "must be a non-empty string or a list of them",
  ),
  scopes: scopeList,
  impliedScopes: impliedScopesCheck,
  jwksUri: secureUrl,
  introspection: check.strictObject({ url: secureUrl, clientId: nonEmptyString, clientSecret: nonEmptyString }),
  clockSkewMs: check.optional(
    (value) => typeof value === "number" && value >= 0 && value <= 300_000,
    "must be a number from 0 to 300000",
  ),
  apiKeys: apiKeysCheck,
  authenticate: check.optional(check.isFunction, "must be a function"),
  selfCheck: check.optional(
    (value) => value === "warn" || value === "fail" || value === "off",
    'must be "warn", "fail" or "off"',
  ),
};

/** Validates the options and applies the defaults. Throws `TypeError` that names the invalid option. */
export function resolveAuthOptions(
  options: AuthOptions,
  { publicUrl, localPort }: Pick<ServerLocation, "publicUrl" | "localPort">,
) {
  validateOptions({ auth: options }, { auth: check.strictObject(AUTH_CHECKS) });
  const { issuer, jwksUri, introspection, authenticate, clockSkewMs = 30_000 } = options;
  const { audience = [], scopes = [], impliedScopes: implied = {}, apiKeys: keys = [] } = options;
  const dependent = Object.entries({ audience: options.audience, jwksUri, introspection });
  for (const [name, value] of dependent)
    requireOption(issuer !== undefined || value === undefined, `auth.${name} requires auth.issuer`);
  requireOption(
    jwksUri === undefined || introspection === undefined,
    "auth.jwksUri cannot be combined with auth.introspection; remove one",
  );
  requireOption(
    issuer === undefined || audience.length > 0 || publicUrl !== undefined || localPort !== undefined,
    "auth.audience is required to know which tokens are meant for this server; set it or publicUrl",
  );
  requireOption(
    issuer !== undefined || keys.length > 0 || authenticate !== undefined,
    "auth needs at least one of issuer, apiKeys and authenticate",
  );
  const impliedScopes: ImpliedScopes = new Map(Object.entries(implied));
  return {
    issuer,
    audience: [audience].flat(),
    scopes: [...new Set(scopes)],
    impliedScopes,
    jwksUri,
    introspection,
    clockSkewMs,
    apiKeys: parseApiKeys(keys, impliedScopes),
    authenticate,
  };
}

/** Validates API keys. Returns the client of each key by the hash of the key. Throws `TypeError` that names the invalid key. */
export function parseApiKeys(apiKeys: readonly ApiKey[], impliedScopes: ImpliedScopes): ReadonlyMap<string, AuthInfo> {
  validateOptions({ auth: { apiKeys } }, { auth: check.strictObject({ apiKeys: apiKeysCheck }) });
  return new Map(apiKeys.map((key) => [key.hash.toLowerCase(), toAuthInfo(key, impliedScopes)]));
}

/** Adds the implied scopes to an identity. */
export function toAuthInfo({ principal, scopes }: Identity, impliedScopes: ImpliedScopes): AuthInfo {
  return Object.freeze({ principal, scopes: scopes === undefined ? undefined : expandScopes(scopes, impliedScopes) });
}

/** Whether the host name of a URL means this machine. */
export const isLoopbackHost = (name: string): boolean => isLoopback(name) || name.endsWith(".localhost");

/** Whether a URL is protected from eavesdroppers: it uses TLS, or does not leave this machine. */
export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));

/** Merges lists of scopes for clients, in order and without duplicates. */
export function mergeScopes(...lists: readonly Iterable<string>[]): string[] {
  const merged = new Set(lists.flatMap((list) => [...list]));
  merged.delete(OFFLINE_ACCESS);
  return [...merged];
}

/** Returns the granted scopes and all scopes that they imply, directly or indirectly. */
export function expandScopes(granted: Iterable<string>, impliedScopes: ImpliedScopes): ReadonlySet<string> {
  const expanded = new Set(granted);
  // Iteration includes the scopes that are added meanwhile, each once, so cycles end.
  for (const scope of expanded) for (const implied of impliedScopes.get(scope) ?? []) expanded.add(implied);
  return expanded;
}
