import type { Logger } from "../../../server/logging/log.js";
import { type HttpError, type HttpRequest, httpError } from "../http-message.js";
import {
  type ApiKey,
  type AuthOptions,
  type AuthSettings,
  hashToken,
  type Identity,
  isTokenSyntax,
  mergeScopes,
  parseApiKeys,
  type RequestHead,
  resolveAuthOptions,
  toAuthInfo,
} from "./options.js";
import { createMetadataDocument, resourceMetadataUrl, resourceUriOf, type ServerLocation } from "./resource.js";
import type { TokenVerifier } from "./token-verifier.js";

/** The authenticated client of a request and its scopes. */
export interface AuthInfo {
  /** The client's identity; undefined if clients are not authenticated. */
  readonly principal: string | undefined;
  /** The granted scopes; undefined if the client is not restricted. */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** The result of authenticating a request: its client, or the error response. */
export type AuthResult = AuthInfo | HttpError;

const MISSING_TOKEN =
  "Authentication is required. Send an access token or an API key in the header Authorization: Bearer …";
const MALFORMED_TOKEN = "The Authorization header must contain exactly one bearer token.";
const INSUFFICIENT_SCOPE = "The granted scopes are not sufficient.";

/** Creates the authenticator for the option `auth`. Rejects with a `TypeError` that names the invalid option. */
export async function createAuthenticator(
  options: AuthOptions,
  location: ServerLocation,
  log: Logger,
): Promise<Authenticator> {
  const settings = resolveAuthOptions(options, location);
  const { issuer } = settings;
  if (issuer === undefined) return new Authenticator(settings, location, undefined, log);
  const { TokenVerifier: Created } = await import("./token-verifier.js");
  return new Authenticator(settings, location, new Created({ ...settings, issuer }, location, log), log);
}

/**
 * Authenticates every HTTP request and WebSocket upgrade. Tries the configured methods in this order: API keys, the option
 * `authenticate`, tokens of the issuer.
 */
export class Authenticator {
  readonly #settings: AuthSettings;
  readonly #location: ServerLocation;
  readonly #tokenVerifier: TokenVerifier | undefined;
  readonly #log: Logger;
  #apiKeys: AuthSettings["apiKeys"];

  constructor(settings: AuthSettings, location: ServerLocation, verifier: TokenVerifier | undefined, log: Logger) {
    this.#settings = settings;
    this.#location = location;
    this.#tokenVerifier = verifier;
    this.#log = log;
    this.#apiKeys = settings.apiKeys;
  }

  authenticate(request: HttpRequest): AuthResult | Promise<AuthResult> {
    const token = parseBearerToken(request.header("authorization"));
    const known = this.#findKnown(token);
    return known === undefined ? this.#authenticateUnknown(request, token) : this.#requireScopes(request, known);
  }

  /** Returns the public metadata document at the request's path as JSON; undefined if there is none. */
  metadataDocument(request: RequestHead): string | undefined {
    const { issuerMetadata } = this.#tokenVerifier ?? {};
    return issuerMetadata && createMetadataDocument(request, this.#settings, this.#location, issuerMetadata);
  }

  /** Whether the request has a known API key or a cached token, which can be accepted without a remote call. */
  hasKnownCredentials(request: HttpRequest): boolean {
    return this.#findKnown(parseBearerToken(request.header("authorization"))) !== undefined;
  }

  /** Returns the `WWW-Authenticate` value for an operation that requires these scopes. */
  challenge(request: RequestHead, requiredScopes: readonly string[]): string {
    const scopes = mergeScopes(this.#settings.scopes, requiredScopes);
    return this.#challenge(request, { error: "insufficient_scope", description: INSUFFICIENT_SCOPE, scopes });
  }

  /** Replaces all API keys. Throws `TypeError` that names the invalid key. */
  replaceApiKeys(keys: readonly ApiKey[]): void {
    this.#apiKeys = parseApiKeys(keys, this.#settings.impliedScopes);
  }

  /** Returns the owner of an API key, or of a cached token if the option `authenticate` does not precede it. */
  #findKnown(token: string | undefined): AuthInfo | undefined {
    if (token === undefined) return undefined;
    const hash = hashToken(token);
    const owner = this.#apiKeys.get(hash);
    return owner ?? (this.#settings.authenticate === undefined ? this.#tokenVerifier?.cached(hash) : undefined);
  }

  async #authenticateUnknown(request: HttpRequest, token: string | undefined): Promise<AuthResult> {
    const { authenticate, impliedScopes } = this.#settings;
    try {
      const identity = authenticate && (await runCustomAuth(authenticate, request));
      if (identity !== undefined) return this.#requireScopes(request, toAuthInfo(identity, impliedScopes));
    } catch (error) {
      return this.#reportFailure("auth.authenticate failed", error);
    }
    if (token === undefined) return this.#deny(request, 401, MISSING_TOKEN);
    if (!isTokenSyntax(token)) return this.#deny(request, 400, MALFORMED_TOKEN, "invalid_request");
    if (!this.#tokenVerifier) return this.#deny(request, 401, "The API key is unknown.", "invalid_token");
    try {
      const result = await this.#tokenVerifier.verify(token);
      if ("status" in result) return result;
      if ("invalid" in result) return this.#deny(request, 401, result.invalid, "invalid_token");
      return this.#requireScopes(request, result);
    } catch (error) {
      return this.#reportFailure("a token could not be verified", error);
    }
  }

  #requireScopes(request: HttpRequest, authInfo: AuthInfo): AuthResult {
    const { scopes: required } = this.#settings;
    const { scopes: granted } = authInfo;
    if (granted === undefined || required.every((scope) => granted.has(scope))) return authInfo;
    const message = `${INSUFFICIENT_SCOPE} Every request requires ${required.join(", ")}.`;
    return httpError(403, message, { "www-authenticate": this.challenge(request, []) });
  }

  #deny(request: RequestHead, status: number, message: string, error?: ChallengeError): HttpError {
    const challenge = this.#challenge(request, error && { error, description: message });
    return httpError(status, message, { "www-authenticate": challenge });
  }

  #reportFailure(message: string, error: unknown): HttpError {
    this.#log({ level: "error", message, error });
    return httpError(500, "Authentication failed because of a server error. See the server log for details.");
  }

  #challenge(request: RequestHead, parameters: Partial<Challenge> = {}): string {
    const { issuer, audience, scopes } = this.#settings;
    const metadataUrl = issuer && resourceMetadataUrl(resourceUriOf(request, this.#location, audience));
    return formatChallenge({ metadataUrl, scopes, ...parameters });
  }
}

/**
 * Authenticates the request of a long-lived connection again, because its token may have expired or been revoked. Returns
 * undefined if the client is no longer authenticated as the same principal. Throws if this cannot be decided now.
 */
export async function reauthenticate(
  authenticator: Authenticator,
  request: HttpRequest,
  previous: AuthInfo,
): Promise<AuthInfo | undefined> {
  const result = await authenticator.authenticate(request);
  if (!("status" in result)) return result.principal === previous.principal ? result : undefined;
  if (result.status >= 500) throw result.error;
  return undefined;
}

/** How long the option `authenticate` may take. */
const CUSTOM_AUTH_TIMEOUT_MS = 10_000;

/**
 * Calls the option `authenticate`; undefined if it does not recognise the client. Throws if it fails, takes too long or
 * returns something that is not an identity.
 */
export async function runCustomAuth(
  authenticate: NonNullable<AuthOptions["authenticate"]>,
  request: RequestHead,
): Promise<Identity | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new Error(`auth.authenticate returned nothing within ${CUSTOM_AUTH_TIMEOUT_MS} ms`);
    timer = setTimeout(() => reject(error), CUSTOM_AUTH_TIMEOUT_MS).unref();
  });
  try {
    const identity: Partial<Identity> | null | undefined = await Promise.race([authenticate(request), timeout]);
    if (identity === undefined) return undefined;
    const { principal, scopes } = identity ?? {};
    // A string is iterable too, but not a list of scopes.
    if (typeof principal === "string" && principal !== "" && typeof scopes !== "string") return identity as Identity;
  } finally {
    clearTimeout(timer);
  }
  throw new TypeError("auth.authenticate must return undefined or { principal, scopes }");
}

/** Returns what follows `Bearer` in an `Authorization` header; undefined for other schemes. */
export function parseBearerToken(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(?![^ ,])/i.test(header)) return undefined;
  return header.slice("bearer".length).trim();
}

type ChallengeError = "invalid_request" | "invalid_token" | "insufficient_scope";

/** The parameters of a challenge. */
export interface Challenge {
  readonly metadataUrl: string | undefined;
  readonly scopes: readonly string[];
  readonly error?: ChallengeError;
  readonly description?: string;
}

/** Formats the value of `WWW-Authenticate` (RFC 6750, RFC 9728). */
export function formatChallenge({ metadataUrl, scopes, error, description }: Challenge): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description.replaceAll(/[^ !#-[\]-~]/g, "'")}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return `Bearer ${parts.length === 0 ? 'realm="mcp"' : parts.join(", ")}`;
}
