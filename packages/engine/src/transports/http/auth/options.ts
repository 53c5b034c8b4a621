import { rejectUnknownOptions } from "../../../server/definitions/validation.js";
import { getBuiltinModule } from "../../../server/runtime.js";
import { isLoopback } from "../access-control.js";
import type { HttpRequest } from "../http-message.js";
import { optionError, requireObject, requireOption } from "../options.js";
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
  if (typeof key !== "string" || key.length < MIN_KEY_LENGTH)
    throw new TypeError(
      `Cannot hash the API key: it has fewer than ${MIN_KEY_LENGTH} characters; make one with: openssl rand -hex 32`,
    );
  if (!isTokenSyntax(key))
    throw new TypeError("Cannot hash the API key: it contains characters that are not allowed in a bearer token");
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

const AUTH_OPTIONS: Readonly<Record<keyof AuthOptions, true>> = {
  issuer: true,
  audience: true,
  scopes: true,
  impliedScopes: true,
  jwksUri: true,
  introspection: true,
  clockSkewMs: true,
  apiKeys: true,
  authenticate: true,
  selfCheck: true,
};

/** Validates the options and applies the defaults. Throws `TypeError` that names the invalid option. */
export function resolveAuthOptions(
  options: AuthOptions,
  { publicUrl, localPort }: Pick<ServerLocation, "publicUrl" | "localPort">,
) {
  requireObject("auth", options);
  rejectUnknownOptions("serve over HTTP", options, AUTH_OPTIONS, "auth");
  const { issuer, jwksUri, introspection, authenticate, clockSkewMs = 30_000, selfCheck = "warn" } = options;
  const { apiKeys: keys = [] } = options;
  checkIssuerOptions(options);
  const isFunction = authenticate === undefined || typeof authenticate === "function";
  requireOption(isFunction, "auth.authenticate must be a function");
  const isValidSkew = typeof clockSkewMs === "number" && clockSkewMs >= 0 && clockSkewMs <= 300_000;
  requireOption(isValidSkew, "auth.clockSkewMs must be a number from 0 to 300000");
  requireOption(["warn", "fail", "off"].includes(selfCheck), 'auth.selfCheck must be "warn", "fail" or "off"');
  const audience = parseAudience(options.audience);
  const hasAudience = audience.length > 0 || publicUrl !== undefined || localPort !== undefined;
  requireOption(
    issuer === undefined || hasAudience,
    "auth.audience is required to know which tokens are meant for this server; set it or publicUrl",
  );
  const impliedScopes = parseImpliedScopes(options.impliedScopes);
  const apiKeys = parseApiKeys(keys, impliedScopes);
  const hasMethod = issuer !== undefined || apiKeys.size > 0 || authenticate !== undefined;
  requireOption(hasMethod, "auth needs at least one of issuer, apiKeys and authenticate");
  return {
    issuer,
    audience,
    scopes: parseScopeList("scopes", options.scopes),
    impliedScopes,
    jwksUri,
    introspection,
    clockSkewMs,
    apiKeys,
    authenticate,
  };
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

function requireSecureUrl(option: string, value: unknown): void {
  if (value === undefined) return;
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  requireOption(url && isSecureUrl(url), `auth.${option} must be an https URL (http is allowed only for localhost)`);
  requireOption(`${url.username}${url.password}` === "", `auth.${option} must not contain credentials`);
}

function requireString(name: string, value: unknown): void {
  requireOption(typeof value === "string" && value !== "", `auth.${name} must be a non-empty string`);
}

function checkIssuerOptions({ issuer, audience, jwksUri, introspection }: AuthOptions): void {
  requireSecureUrl("issuer", issuer);
  requireOption(!/[?#]/.test(issuer ?? ""), "auth.issuer must contain neither ? nor #");
  requireSecureUrl("jwksUri", jwksUri);
  const dependent = Object.entries({ audience, jwksUri, introspection }).find(([, value]) => value !== undefined);
  if (issuer === undefined && dependent !== undefined) throw optionError(`auth.${dependent[0]} requires auth.issuer`);
  if (introspection === undefined) return;
  requireOption(jwksUri === undefined, "auth.jwksUri cannot be combined with auth.introspection; remove one");
  requireObject("auth.introspection", introspection);
  const known = { url: true, clientId: true, clientSecret: true };
  rejectUnknownOptions("serve over HTTP", introspection, known, "auth.introspection");
  requireSecureUrl("introspection.url", introspection.url);
  requireString("introspection.clientId", introspection.clientId);
  requireString("introspection.clientSecret", introspection.clientSecret);
}

function parseAudience(value: AuthOptions["audience"] = []): readonly string[] {
  const audience = typeof value === "string" ? [value] : value;
  const isValid = Array.isArray(audience) && audience.every((uri) => typeof uri === "string" && uri !== "");
  requireOption(isValid, "auth.audience must be a non-empty string or a list of them");
  return audience;
}

function parseScopeList(option: string, scopes: readonly string[] = []): readonly string[] {
  const isScope = (scope: unknown) => typeof scope === "string" && SCOPE.test(scope);
  requireOption(Array.isArray(scopes) && scopes.every(isScope), `auth.${option} must be a list of scopes`);
  const isRequirable = !scopes.includes("*") && !scopes.includes(OFFLINE_ACCESS);
  requireOption(isRequirable, `auth.${option} must name the required scopes, not * or ${OFFLINE_ACCESS}`);
  return [...new Set(scopes)];
}

function parseImpliedScopes(implied: AuthOptions["impliedScopes"] = {}): ImpliedScopes {
  requireObject("auth.impliedScopes", implied);
  const entries = Object.entries(implied);
  return new Map(entries.map(([scope, list]) => [scope, parseScopeList(`impliedScopes.${scope}`, list)]));
}

/** Validates API keys. Returns the client of each key by the hash of the key. Throws `TypeError` that names the invalid key. */
export function parseApiKeys(keys: readonly ApiKey[], impliedScopes: ImpliedScopes): ReadonlyMap<string, AuthInfo> {
  requireOption(Array.isArray(keys), "auth.apiKeys must be a list");
  return new Map(
    keys.map((key, index) => {
      const name = `apiKeys[${index}]`;
      requireObject(`auth.${name}`, key);
      rejectUnknownOptions("serve over HTTP", key, { principal: true, hash: true, scopes: true }, `auth.${name}`);
      const { principal, hash, scopes } = key;
      requireString(`${name}.principal`, principal);
      const isHash = typeof hash === "string" && /^[0-9a-f]{64}$/i.test(hash);
      requireOption(isHash, `auth.${name}.hash must be the result of hashApiKey(key): 64 hexadecimal digits`);
      const granted = scopes && parseScopeList(`${name}.scopes`, scopes);
      return [hash.toLowerCase(), toAuthInfo({ principal, scopes: granted }, impliedScopes)];
    }),
  );
}

/** The syntax of a scope (RFC 6749, section 3.3). */
const SCOPE = /^[!#-[\]-~]+$/;

/** The scope with which clients request refresh tokens from the issuer. A resource server never requires it. */
const OFFLINE_ACCESS = "offline_access";

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
