import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify, type LocalJWKSet } from "jose";
import { JOSEError, JWKSNoMatchingKey, JWSSignatureVerificationFailed } from "jose/errors";
import type { JsonObject } from "../../../jsonrpc/messages.js";
import type { Logger } from "../../../server/logging/log.js";
import { monotonicNow } from "../../../server/runtime.js";
import { type HttpError, httpError } from "../http-message.js";
import type { AuthInfo } from "./authenticator.js";
import {
  CachedRemote,
  fetchIssuerMetadata,
  fetchJson,
  IssuerError,
  RETRY_COOLDOWN_MS,
  requireEndpoint,
} from "./issuer.js";
import { type AuthSettings, hashToken, type IntrospectionOptions, toAuthInfo } from "./options.js";
import { audiencesOf, type ServerLocation, toCanonicalUri } from "./resource.js";

/** Asymmetric algorithms only: with a shared secret, this server could create tokens itself. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
const METADATA_FRESH_MS = 3_600_000;
const JWKS_FRESH_MS = 600_000;
/** How long a verified token is trusted: a revoked key or token is accepted for that time. */
const TRUSTED_MS = { signature: 600_000, introspection: 30_000 };
const MAX_CACHED_TOKENS = 10_000;

const ISSUER_UNAVAILABLE = httpError(
  503,
  "The authorization server is unavailable, so the token cannot be verified. Try again later.",
  // No request is sent to the issuer before that.
  { "retry-after": `${RETRY_COOLDOWN_MS / 1000}` },
);

const ACCESS_TOKEN_TYPES = new Set([undefined, "jwt", "at+jwt", "application/at+jwt"]);

const ERROR_MESSAGES: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "The token has expired.",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "The token is not valid yet, or its time claims are invalid.",
  ERR_JOSE_ALG_NOT_ALLOWED: "The token's signature algorithm is not accepted.",
  ERR_JWKS_NO_MATCHING_KEY: "The token is signed with a key that the issuer does not publish.",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "The token does not name its key (kid), and the issuer has several.",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature is invalid.",
};

/** A token is rejected; the message is for the client. */
class InvalidTokenError extends Error {
  override readonly name = "InvalidTokenError";
}

/** The claims of a token, from its payload or from introspection. */
type TokenClaims = Readonly<Record<string, unknown>>;

interface CachedToken {
  readonly authInfo: AuthInfo;
  /** Wall-clock time, from the token. */
  readonly expiresAt: number;
  /** Monotonic time. */
  readonly trustedUntil: number;
}

/** Verifies tokens of the issuer, by signature or by introspection, and caches the result by the hash of the token. */
export class TokenVerifier {
  readonly issuerMetadata: CachedRemote<JsonObject>;
  readonly #settings: AuthSettings & { readonly issuer: string };
  readonly #location: ServerLocation;
  readonly #jwks: CachedRemote<LocalJWKSet>;
  readonly #log: Logger;
  readonly #cache = new Map<string, CachedToken>();

  constructor(settings: AuthSettings & { readonly issuer: string }, location: ServerLocation, log: Logger) {
    this.#settings = settings;
    this.#location = location;
    this.#log = log;
    this.issuerMetadata = new CachedRemote(METADATA_FRESH_MS, () => fetchIssuerMetadata(settings.issuer), log);
    this.#jwks = new CachedRemote(JWKS_FRESH_MS, () => this.#fetchJwks(), log);
    void this.issuerMetadata.refresh();
  }

  /** Returns the client of a token that was verified earlier. */
  cached(hash: string): AuthInfo | undefined {
    const entry = this.#cache.get(hash);
    if (entry === undefined) return undefined;
    if (Date.now() < entry.expiresAt && monotonicNow() < entry.trustedUntil) return entry.authInfo;
    this.#cache.delete(hash);
    return undefined;
  }

  /** Verifies a token. Returns why it is invalid, for the client, or the error response if the issuer is unavailable. */
  async verify(token: string): Promise<AuthInfo | HttpError | { readonly invalid: string }> {
    const { introspection } = this.#settings;
    const hash = hashToken(token);
    const cached = this.cached(hash);
    if (cached !== undefined) return cached;
    try {
      const claims = await (introspection ? this.#introspect(token, introspection) : this.#verifyJwt(token));
      return this.#accept(claims, hash);
    } catch (error) {
      if (error instanceof IssuerError) {
        // Without introspection, what failed is a cached value, which logs it.
        if (introspection) this.#log({ level: "warning", message: error.message });
        return ISSUER_UNAVAILABLE;
      }
      if (error instanceof InvalidTokenError) return { invalid: error.message };
      if (error instanceof JOSEError) return { invalid: ERROR_MESSAGES[error.code] ?? "The token is malformed." };
      throw error;
    }
  }

  async #verifyJwt(token: string): Promise<TokenClaims> {
    const { protectedHeader, payload } = await this.#verifySignature(token);
    const { typ } = protectedHeader;
    if (!ACCESS_TOKEN_TYPES.has(typeof typ === "string" ? typ.toLowerCase() : typ))
      throw new InvalidTokenError("This is not an access token.");
    // Only ID tokens have these claims.
    if ("nonce" in payload || "at_hash" in payload || "c_hash" in payload)
      throw new InvalidTokenError("This is an ID token, not an access token.");
    return payload;
  }

  async #verifySignature(token: string): Promise<JWTVerifyResult> {
    const options = { algorithms: ALGORITHMS, clockTolerance: this.#settings.clockSkewMs / 1000 };
    const verify = async () => jwtVerify(token, await this.#jwks.get(), options);
    try {
      return await verify();
    } catch (error) {
      const isKeyUnknown = error instanceof JWKSNoMatchingKey || error instanceof JWSSignatureVerificationFailed;
      // The issuer may have rotated its keys.
      if (isKeyUnknown && (await this.#jwks.refresh())) return await verify();
      throw error;
    }
  }

  async #fetchJwks(): Promise<LocalJWKSet> {
    const { issuer, jwksUri } = this.#settings;
    const url = jwksUri ?? requireEndpoint(await this.issuerMetadata.get(), "jwks_uri");
    const found = await fetchJson(url, issuer);
    try {
      return createLocalJWKSet(found as unknown as JSONWebKeySet);
    } catch {
      throw new IssuerError(`${url} has no valid key set`);
    }
  }

  /** Verifies a token at the introspection endpoint (RFC 7662). */
  async #introspect(token: string, { url, clientId, clientSecret }: IntrospectionOptions): Promise<TokenClaims> {
    const { issuer } = this.#settings;
    const credentials = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString("base64");
    const endpoint = url ?? requireEndpoint(await this.issuerMetadata.get(), "introspection_endpoint");
    const claims = await fetchJson(endpoint, issuer, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}`, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
    });
    if (claims["active"] !== true) throw new InvalidTokenError("The token is not active.");
    // Most issuers omit `iss` in the response, whose origin is known.
    return { iss: issuer, ...claims };
  }

  /** Validates the claims of a token whose origin is verified, and caches its client. */
  #accept(claims: TokenClaims, hash: string): AuthInfo {
    const { issuer, audience, clockSkewMs, impliedScopes, introspection } = this.#settings;
    if (claims["iss"] !== issuer) throw new InvalidTokenError(`The token was not issued by ${issuer}.`);
    // Evaluated per token, because the port is known only once the server listens.
    validateAudience(claims, audiencesOf(audience, this.#location));
    const expiresAt = validateTimes(claims, clockSkewMs);
    // This server does not verify the key that the token is bound to, so a stolen token would be accepted.
    if (claims["cnf"] !== undefined)
      throw new InvalidTokenError("The token is bound to a key (cnf); this server accepts only plain bearer tokens.");
    const authInfo = toAuthInfo({ principal: principalOf(claims), scopes: parseScopes(claims) }, impliedScopes);
    // Evicts the oldest token, which is verified again when it is used.
    if (this.#cache.size >= MAX_CACHED_TOKENS) this.#cache.delete(this.#cache.keys().next().value ?? "");
    const trustedMs = introspection === undefined ? TRUSTED_MS.signature : TRUSTED_MS.introspection;
    this.#cache.set(hash, { authInfo, expiresAt, trustedUntil: monotonicNow() + trustedMs });
    return authInfo;
  }
}

function validateAudience({ aud }: TokenClaims, accepted: readonly string[]): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((uri) => typeof uri === "string" && accepted.includes(toCanonicalUri(uri))))
    throw new InvalidTokenError(
      `The token is not meant for this server: its audience must be ${accepted.join(" or ")}.`,
    );
}

/** Returns when the token expires, in milliseconds since 1970. */
function validateTimes({ exp, nbf }: TokenClaims, clockSkewMs: number): number {
  if (typeof exp !== "number") throw new InvalidTokenError("The token has no expiry time (exp).");
  if (exp * 1000 <= Date.now() - clockSkewMs) throw new InvalidTokenError("The token has expired.");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf * 1000 <= Date.now() + clockSkewMs))
    throw new InvalidTokenError("The token is not valid yet.");
  return exp * 1000;
}

/** Principals that are not plain user names start like this. */
const PREFIXED = /^(?:client|user):/;

/** Returns the user of a token, or the client with a prefix. A user whose name looks like a prefixed one gets a prefix, too. */
function principalOf({ sub, client_id: clientId, azp }: TokenClaims): string {
  const client = clientId ?? azp;
  // A client that acts on its own behalf may be its own subject.
  if (typeof sub === "string" && sub !== "" && sub !== client) return PREFIXED.test(sub) ? `user:${sub}` : sub;
  if (typeof client === "string" && client !== "") return `client:${client}`;
  throw new InvalidTokenError("The token has neither sub nor client_id.");
}

/** Reads the scopes of a token from `scope`, or from `scp` as some issuers name it. */
export function parseScopes(claims: TokenClaims): string[] {
  const value = claims["scope"] ?? claims["scp"];
  const list: unknown[] = typeof value === "string" ? value.split(" ") : Array.isArray(value) ? value : [];
  return list.filter((scope): scope is string => typeof scope === "string" && scope !== "");
}

/** Form-encodes client credentials before basic authentication (RFC 6749, section 2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
