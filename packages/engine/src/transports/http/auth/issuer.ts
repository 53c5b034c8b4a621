import type { JsonObject } from "../../../jsonrpc/json.js";
import type { Log } from "../../../server/log.js";
import { fetchJson, IssuerError } from "./fetch-json.js";
import { wellKnownUrl } from "./place.js";
import { Remote } from "./remote.js";

const FRESH_MS = 3_600_000;

/** Every URL at which the metadata of an issuer may be, in the order in which clients try them. */
function metadataUrls(issuer: string): readonly string[] {
  const base = issuer.replace(/\/$/, "");
  return [
    ...new Set([
      wellKnownUrl("oauth-authorization-server", issuer),
      wellKnownUrl("openid-configuration", issuer),
      `${base}/.well-known/openid-configuration`,
      `${base}/.well-known/oauth-authorization-server`,
    ]),
  ];
}

/** Fetches the metadata of an issuer from wherever it has them. Throws `IssuerError` that says what was found instead. */
export async function fetchMetadata(issuer: string): Promise<JsonObject> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const found = await fetchJson(url, issuer);
      // Metadata of somebody else, under whose name tokens would be accepted (RFC 8414, 3.3).
      if (found["issuer"] === issuer) return found;
      failures.push(`${url} has the metadata of ${JSON.stringify(found["issuer"])}`);
    } catch (error) {
      if (!(error instanceof IssuerError)) throw error;
      failures.push(error.message);
    }
  }
  throw new IssuerError(`Cannot find the metadata of the issuer ${issuer}: ${failures.join("; ")}`);
}

/** The metadata of an issuer, kept up to date. */
export function createMetadata(issuer: string, log: Log): Remote<JsonObject> {
  return new Remote(FRESH_MS, () => told(log, () => fetchMetadata(issuer)));
}

/** An address out of the metadata. */
export function addressIn(metadata: JsonObject, member: string): string {
  const address = metadata[member];
  if (typeof address === "string") return address;
  throw new IssuerError(`The metadata of the issuer ${JSON.stringify(metadata["issuer"])} have no ${member}`);
}

/** Tells the people who run the server that the issuer could not be asked. */
export async function told<Value>(log: Log, deed: () => Promise<Value>): Promise<Value> {
  try {
    return await deed();
  } catch (error) {
    if (error instanceof IssuerError) log({ level: "warning", message: error.message });
    throw error;
  }
}
