import { isObject, type JsonObject } from "../../../jsonrpc/json.js";
import type { Log } from "../../../server/log.js";
import { resourceMetadataUrl } from "./documents.js";
import { fetchJson, IssuerError } from "./fetch-json.js";
import { addressIn, fetchMetadata } from "./issuer.js";
import type { AuthOptions } from "./options.js";
import { askOwn } from "./own-request.js";
import { toCanonicalUri, toPublicUri } from "./place.js";

/** Something that keeps clients from getting a token, and what to do about it. */
export interface Finding {
  readonly fault: string;
  readonly remedy: string;
}

const QUESTION = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/**
 * Does what a client does to find out how to get a token: asks without one, follows the challenge to the metadata, and those to
 * the issuer. Gives everything that would stop it. `url` is where the server can be reached from here, `publicUrl` what clients
 * know it by.
 */
export async function checkDiscovery(
  url: string,
  options: AuthOptions,
  publicUrl?: string,
): Promise<readonly Finding[]> {
  if (options.issuer === undefined) return [];
  const here = new URL(url);
  // Listens everywhere, but nobody can connect to "everywhere".
  if (here.hostname === "0.0.0.0" || here.hostname === "[::]") here.hostname = "localhost";
  const known = publicUrl === undefined ? here.href : toPublicUri(publicUrl, here.pathname);
  const own = await checkOwn(here, known, options.issuer);
  return [...own, ...(await checkIssuer(options.issuer, options))];
}

/** Runs the check as `auth.selfCheck` says: warns, or throws an `Error` that names everything found. */
export async function runSelfCheck(url: string, options: AuthOptions, log: Log, publicUrl?: string): Promise<void> {
  const { selfCheck = "warn" } = options;
  if (selfCheck === "off") return;
  const findings = await checkDiscovery(url, options, publicUrl);
  const lines = findings.map(({ fault, remedy }) => `${fault} ${remedy}`);
  if (selfCheck === "warn") for (const line of lines) log({ level: "warning", message: `Authorization: ${line}` });
  else if (lines.length > 0) throw new Error(`Cannot serve with this auth: ${lines.join(" ")}`);
}

async function checkOwn(url: URL, publicUrl: string, issuer: string): Promise<Finding[]> {
  const { host } = new URL(publicUrl);
  try {
    const { status, challenge } = await askOwn(url, host, "POST", QUESTION);
    if (status !== 401) return [wrongStatus(status, publicUrl, host)];
    const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
    const place = named ?? resourceMetadataUrl(publicUrl);
    const findings = named === undefined ? [noChallenge(challenge)] : [];
    // The public address may lead here only once the server has said that it is ready.
    const answer = await askOwn(new URL(new URL(place).pathname, url), host, "GET");
    return [...findings, ...documentFindings(place, answer, publicUrl, issuer)];
  } catch (error) {
    return [
      {
        fault: `The server cannot be reached at ${url.href}: ${error instanceof Error ? error.message : String(error)}.`,
        remedy: "Look whether something stands between it and itself, or switch the check off: auth.selfCheck.",
      },
    ];
  }
}

function wrongStatus(status: number, publicUrl: string, host: string): Finding {
  if (status === 403)
    return {
      fault: `A client that connects to ${publicUrl} is refused with 403.`,
      remedy: `Put ${host} into allowedHosts, or give the publicUrl that clients use.`,
    };
  return {
    fault: `A request without a token is answered with ${status} instead of 401.`,
    remedy: "See that nothing in front of the server answers in its place, and that path is right.",
  };
}

function noChallenge(challenge: string): Finding {
  return {
    fault: `The 401 answer has no resource_metadata in WWW-Authenticate (${challenge === "" ? "there is none" : challenge}).`,
    remedy: "See that nothing in front of the server takes the header away.",
  };
}

function documentFindings(
  place: string,
  { status, text }: { readonly status: number; readonly text: string },
  publicUrl: string,
  issuer: string,
): Finding[] {
  const read = status === 200 ? parse(text) : undefined;
  if (read === undefined)
    return [
      {
        fault: `The metadata of the server are not at ${place} (status ${status}).`,
        remedy: "Let requests to /.well-known/oauth-protected-resource reach the server.",
      },
    ];
  const findings: Finding[] = [];
  const { resource, authorization_servers: servers } = read;
  if (typeof resource !== "string" || !covers(resource, publicUrl))
    findings.push({
      fault: `The metadata are about ${JSON.stringify(resource)}, while clients connect to ${publicUrl}: they will give up.`,
      remedy: "Set publicUrl to the URL that clients use, or auth.audience to one on the same host.",
    });
  if (!Array.isArray(servers) || !servers.includes(issuer))
    findings.push({
      fault: `The metadata at ${place} do not name the issuer ${issuer}.`,
      remedy: "See that the metadata are those of this server, not of another one on the same host.",
    });
  return findings;
}

/** What clients check: the same origin, and the path or one above it. */
function covers(resource: string, url: string): boolean {
  const [outer, inner] = [toCanonicalUri(resource), toCanonicalUri(url)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function checkIssuer(issuer: string, { jwksUri, introspection }: AuthOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  let remedy =
    "auth.issuer must be written exactly as the issuer writes itself (mind the slash at the end), and be reachable from here.";
  try {
    const metadata = await fetchMetadata(issuer);
    findings.push(...clientFindings(issuer, metadata));
    remedy = `Put the right address into auth.${introspection === undefined ? "jwksUri" : "introspection.url"}.`;
    if (introspection === undefined) await fetchKeys(jwksUri ?? addressIn(metadata, "jwks_uri"), issuer);
    else if (introspection.url === undefined) addressIn(metadata, "introspection_endpoint");
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    findings.push({ fault: `${error.message}.`, remedy });
  }
  return findings;
}

async function fetchKeys(url: string, issuer: string): Promise<void> {
  const { keys } = await fetchJson(url, issuer);
  if (!Array.isArray(keys) || keys.length === 0) throw new IssuerError(`There are no keys at ${url}`);
}

function clientFindings(issuer: string, metadata: JsonObject): Finding[] {
  const findings: Finding[] = [];
  for (const member of ["authorization_endpoint", "token_endpoint"])
    if (typeof metadata[member] !== "string")
      findings.push({
        fault: `The metadata of ${issuer} have no ${member}.`,
        remedy: "Use an issuer that has the authorization code flow.",
      });
  const methods = metadata["code_challenge_methods_supported"];
  if (!Array.isArray(methods) || !methods.includes("S256"))
    findings.push({
      fault: `The metadata of ${issuer} do not say that it does PKCE with S256, and clients must refuse it then.`,
      remedy: "Switch PKCE on at the issuer, so that code_challenge_methods_supported has S256.",
    });
  return findings;
}
