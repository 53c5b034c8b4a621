import { builtin } from "../../../server/builtin.js";

/** A key that a client sends as `Authorization: Bearer …`. */
export interface ApiKey {
  /** Whose it is; becomes `call.principal`. */
  readonly principal: string;
  /** What `hashApiKey` makes of it. */
  readonly hash: string;
  /** What it may do; everything by default. */
  readonly scopes?: readonly string[];
}

const SHORTEST_KEY = 20;

/** The hash (SHA-256) of an API key, to be kept instead of the key, which must be random. Short ones are refused with a `TypeError`. */
export function hashApiKey(key: string): string {
  if (typeof key !== "string" || key.length < SHORTEST_KEY) {
    throw new TypeError(
      `Cannot hash the API key: it has fewer than ${SHORTEST_KEY} characters; make one with: openssl rand -hex 32`,
    );
  }
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(key)) {
    throw new TypeError("Cannot hash the API key: it has characters that a bearer token cannot have");
  }
  return builtin("node:crypto").createHash("sha256").update(key).digest("hex");
}

/** Finds the key whose hash this is. Looks at all of them, each in constant time, so that the time tells nothing. */
export function findApiKey<Key extends { readonly hash: Buffer }>(keys: readonly Key[], hash: string): Key | undefined {
  if (keys.length === 0) return undefined;
  const { timingSafeEqual } = builtin("node:crypto");
  const wanted = Buffer.from(hash, "base64");
  let found: Key | undefined;
  for (const key of keys) if (timingSafeEqual(key.hash, wanted)) found = key;
  return found;
}
