import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify, type LocalJWKSet } from "jose";
import { JOSEError, JWKSMultipleMatchingKeys, JWKSNoMatchingKey, JWSSignatureVerificationFailed } from "jose/errors";
import type { JsonObject } from "../../../jsonrpc/json.js";
import type { Log } from "../../../server/log.js";
import { type Expected, judgeClaims, type Verdict } from "./claims.js";
import { fetchJson, IssuerError } from "./fetch-json.js";
import { addressIn, told } from "./issuer.js";
import { Remote } from "./remote.js";
import type { AuthSettings } from "./settings.js";

const FRESH_MS = 600_000;
const TYPES = new Set([undefined, "jwt", "at+jwt", "application/at+jwt"]);

/** What a token comes to that is signed with none of the known keys. */
const UNFIT = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JWSSignatureVerificationFailed];

const FAULTS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "The token has expired.",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "The token is not valid yet, or has no proper times.",
  ERR_JOSE_ALG_NOT_ALLOWED: "The token is signed in a way that is not accepted here.",
  ERR_JWKS_NO_MATCHING_KEY: "The token is signed with a key that the issuer does not have.",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "The token is signed with none of the issuer's keys.",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The token's signature is wrong.",
};

/** The public keys of an issuer, kept up to date. */
export function createKeys(
  { issuer, jwksUri }: { readonly issuer: string; readonly jwksUri: string | undefined },
  metadata: Remote<JsonObject>,
  log: Log,
): Remote<LocalJWKSet> {
  return new Remote(FRESH_MS, () =>
    told(log, async () => {
      const url = jwksUri ?? addressIn(await metadata.get(), "jwks_uri");
      const found = await fetchJson(url, issuer);
      try {
        return createLocalJWKSet(found as unknown as JSONWebKeySet);
      } catch {
        throw new IssuerError(`${url} has no set of keys`);
      }
    }),
  );
}

/** Checks a token by its signature. Throws `IssuerError` where the keys cannot be had. */
export async function judgeJwt(
  token: string,
  keys: Remote<LocalJWKSet>,
  expected: Expected,
  { algorithms, clockSkewMs }: Pick<AuthSettings, "algorithms" | "clockSkewMs">,
): Promise<Verdict> {
  const options = { algorithms: [...algorithms], clockTolerance: clockSkewMs / 1000 };
  try {
    const { protectedHeader, payload } = await verify(token, keys, options);
    const { typ } = protectedHeader;
    if (!TYPES.has(typeof typ === "string" ? typ.toLowerCase() : typ)) return { fault: "This is no access token." };
    // What an ID token has and an access token never: it tells a client who the user is, and allows nothing.
    if ("nonce" in payload || "at_hash" in payload || "c_hash" in payload) return { fault: "This is an ID token." };
    return judgeClaims(payload, expected);
  } catch (error) {
    if (error instanceof JOSEError) return { fault: FAULTS[error.code] ?? "The token cannot be read." };
    throw error;
  }
}

type VerifyOptions = NonNullable<Parameters<typeof jwtVerify>[2]>;

async function verify(token: string, keys: Remote<LocalJWKSet>, options: VerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await verifyOnce(token, keys, options);
  } catch (error) {
    // The issuer may have a new key.
    if (!UNFIT.some((kind) => error instanceof kind) || !(await keys.renew())) throw error;
    return await verifyOnce(token, keys, options);
  }
}

async function verifyOnce(token: string, keys: Remote<LocalJWKSet>, options: VerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(token, async (...wanted) => (await keys.get())(...wanted), options);
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error;
    return await tryEach(token, error, options);
  }
}

/** A token that does not name its key may be signed with any of them. */
async function tryEach(
  token: string,
  matching: JWKSMultipleMatchingKeys,
  options: VerifyOptions,
): Promise<JWTVerifyResult> {
  for await (const key of matching) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw matching;
}
