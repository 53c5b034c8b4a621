import { refuseUnknown } from "../../../server/known-members.js";
import type { Verified } from "../gate.js";
import { checkObject, optionFault } from "../options.js";
import type { ApiKey } from "./api-keys.js";
import type { AuthOptions, Identity, IntrospectionOptions } from "./options.js";
import { isLocalName, type Place } from "./place.js";
import { expandScopes, scopesFault } from "./scopes.js";

/** An API key, ready to be compared. */
interface KnownKey {
  readonly hash: Buffer;
  readonly verified: Verified;
}

/** The options with every default in place. */
export interface AuthSettings {
  readonly issuer: string | undefined;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly covers: ReadonlyMap<string, readonly string[]>;
  readonly jwksUri: string | undefined;
  readonly introspection: IntrospectionOptions | undefined;
  readonly algorithms: readonly string[];
  readonly clockSkewMs: number;
  readonly apiKeys: readonly KnownKey[];
  readonly authenticate: AuthOptions["authenticate"];
}

const OPTIONS: Readonly<Record<keyof AuthOptions, true>> = {
  issuer: true,
  audience: true,
  scopes: true,
  covers: true,
  jwksUri: true,
  introspection: true,
  algorithms: true,
  clockSkewMs: true,
  apiKeys: true,
  authenticate: true,
  selfCheck: true,
};

/** Only asymmetric ones: with a shared secret, whoever checks tokens could make them too. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

const fault = (reason: string): TypeError => optionFault(`auth.${reason}`);

/** Checks the options and fills in the defaults. Throws `TypeError` that names the option at fault. */
export function createAuthSettings(options: AuthOptions, { publicUrl, localPort }: Place): AuthSettings {
  checkObject("auth", options);
  refuseUnknown("serve over HTTP with this auth", options, OPTIONS);
  const { issuer, jwksUri, introspection, apiKeys = [], authenticate, clockSkewMs = 30_000 } = options;
  if (!Array.isArray(apiKeys)) throw fault("apiKeys must be a list");
  if (issuer === undefined && apiKeys.length === 0 && authenticate === undefined)
    throw optionFault("auth needs at least one of issuer, apiKeys and authenticate");
  checkUrl("issuer", issuer);
  checkUrl("jwksUri", jwksUri);
  checkIssuer(options);
  if (authenticate !== undefined && typeof authenticate !== "function") throw fault("authenticate must be a function");
  if (!(typeof clockSkewMs === "number" && clockSkewMs >= 0 && clockSkewMs <= 300_000))
    throw fault("clockSkewMs must be a number from 0 to 300000");
  if (!["warn", "fail", "off"].includes(options.selfCheck ?? "warn"))
    throw fault('selfCheck must be "warn", "fail" or "off"');
  const audience = readAudience(options.audience);
  if (issuer !== undefined && audience.length === 0 && publicUrl === undefined && localPort === undefined)
    throw fault("audience must say which tokens are meant for this server; or give publicUrl");
  const covers = readCovers(options.covers);
  return Object.freeze({
    issuer,
    audience,
    scopes: readScopeList("scopes", options.scopes),
    covers,
    jwksUri,
    introspection,
    algorithms: readAlgorithms(options.algorithms),
    clockSkewMs,
    apiKeys: readApiKeys(apiKeys, covers),
    authenticate,
  });
}

/** What is granted, with all that it includes. */
export function toVerified({ principal, scopes }: Identity, covers: AuthSettings["covers"]): Verified {
  return Object.freeze({ principal, scopes: scopes === undefined ? undefined : expandScopes(scopes, covers) });
}

function checkUrl(option: string, url: unknown): void {
  if (url === undefined) return;
  const read = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  const isSafe = read?.protocol === "https:" || (read?.protocol === "http:" && isLocalName(read.hostname));
  if (!isSafe) throw fault(`${option} must be an https URL (http only for this machine)`);
  if (read.username !== "" || read.password !== "") throw fault(`${option} must not have a password`);
  if (option === "issuer" && (read.search !== "" || read.hash !== "")) throw fault("issuer must have neither ? nor #");
}

function checkIssuer({ issuer, audience, jwksUri, introspection }: AuthOptions): void {
  const needy = Object.entries({ audience, jwksUri, introspection }).find(([, value]) => value !== undefined);
  if (issuer === undefined && needy !== undefined) throw fault(`${needy[0]} needs auth.issuer beside it`);
  if (introspection === undefined) return;
  if (jwksUri !== undefined) throw fault("jwksUri has no use beside auth.introspection; leave one out");
  checkObject("auth.introspection", introspection);
  refuseUnknown("serve over HTTP with this auth.introspection", introspection, {
    url: true,
    clientId: true,
    clientSecret: true,
  });
  checkUrl("introspection.url", introspection.url);
  for (const name of ["clientId", "clientSecret"] as const)
    if (typeof introspection[name] !== "string" || introspection[name] === "")
      throw fault(`introspection.${name} must be a non-empty string`);
}

function readAudience(given: AuthOptions["audience"]): readonly string[] {
  const audience: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given];
  if (audience.some((uri) => typeof uri !== "string" || uri === "") || (given !== undefined && audience.length === 0))
    throw fault("audience must be a non-empty string or a list of them");
  return audience as readonly string[];
}

function readScopeList(option: string, scopes: readonly string[] = []): readonly string[] {
  const wrong = scopesFault(scopes);
  if (wrong !== undefined) throw fault(`${option} ${wrong}`);
  return [...new Set(scopes)];
}

function readCovers(covers: AuthOptions["covers"] = {}): ReadonlyMap<string, readonly string[]> {
  checkObject("auth.covers", covers);
  return new Map(Object.entries(covers).map(([scope, list]) => [scope, readScopeList(`covers.${scope}`, list)]));
}

function readAlgorithms(given: readonly string[] = ALGORITHMS): readonly string[] {
  const wrong = Array.isArray(given) ? given.find((algorithm) => !ALGORITHMS.includes(algorithm)) : "that";
  if (given.length > 0 && wrong === undefined) return given;
  throw fault(`algorithms must be some of ${ALGORITHMS.join(", ")}${wrong ? `, not ${String(wrong)}` : ""}`);
}

/** The keys as they are compared. Throws `TypeError` that names the one at fault. */
export const readApiKeys = (keys: readonly ApiKey[], covers: AuthSettings["covers"]): readonly KnownKey[] =>
  keys.map((key, at) => readApiKey(key, at, covers));

function readApiKey(key: ApiKey, at: number, covers: AuthSettings["covers"]): KnownKey {
  const place = `auth.apiKeys[${at}]`;
  checkObject(place, key);
  refuseUnknown(`serve over HTTP with ${place}`, key, { principal: true, hash: true, scopes: true });
  const { principal, hash, scopes } = key;
  if (typeof principal !== "string" || principal === "")
    throw optionFault(`${place}.principal must be a non-empty string`);
  if (typeof hash !== "string" || !/^[0-9a-f]{64}$/i.test(hash))
    throw optionFault(`${place}.hash must be what hashApiKey(key) gives: 64 hexadecimal digits`);
  const granted = scopes && readScopeList(`apiKeys[${at}].scopes`, scopes);
  return { hash: Buffer.from(hash, "hex"), verified: toVerified({ principal, scopes: granted }, covers) };
}
