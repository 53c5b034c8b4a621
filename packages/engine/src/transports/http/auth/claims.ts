import { toCanonicalUri } from "./place.js";
import { readScopes } from "./scopes.js";

/** What a good token says. */
interface Grant {
  readonly principal: string;
  readonly scopes: readonly string[];
  /** When it ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Why a token is not accepted, in words for the client. */
interface TokenFault {
  readonly fault: string;
}

/** What became of looking at a token. */
export type Verdict = Grant | TokenFault;

/** What a token must be like. */
export interface Expected {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly clockSkewMs: number;
}

/** What is said of a token, by itself or by the issuer. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** Judges what is said of a token, once it is certain who says so. */
export function judgeClaims(claims: TokenClaims, { issuer, audiences, clockSkewMs }: Expected): Verdict {
  const { iss, aud, exp, nbf, cnf } = claims;
  if (iss !== issuer) return { fault: `The token was not issued by ${issuer}.` };
  const named = (Array.isArray(aud) ? aud : [aud]).filter((uri): uri is string => typeof uri === "string");
  if (!named.some((uri) => audiences.includes(toCanonicalUri(uri))))
    return { fault: `The token is not meant for this server: its audience must be ${audiences.join(" or ")}.` };
  if (typeof exp !== "number") return { fault: "The token has no time of expiry." };
  if (exp * 1000 <= Date.now() - clockSkewMs) return { fault: "The token has expired." };
  if (nbf !== undefined && !(typeof nbf === "number" && nbf * 1000 <= Date.now() + clockSkewMs))
    return { fault: "The token is not valid yet." };
  // Whoever stole such a token could use it here, where nobody asks for the key that it is bound to.
  if (cnf !== undefined)
    return { fault: "The token is bound to a key, and this server takes plain bearer tokens only." };
  const principal = principalOf(claims);
  if (principal === undefined) return { fault: "The token says neither sub nor client_id." };
  return { principal, scopes: readScopes(claims), expiresAt: exp * 1000 };
}

/** Whom the token speaks for: a user, or a client on its own behalf, which can never be taken for a user. */
function principalOf({ sub, client_id: clientId, azp }: TokenClaims): string | undefined {
  const client = clientId ?? azp;
  // A client that acts for itself may be its own subject.
  if (typeof sub === "string" && sub !== "" && sub !== client) return sub;
  return typeof client === "string" && client !== "" ? `client:${client}` : undefined;
}
