import type { JsonObject } from "../../../jsonrpc/json.js";
import type { Log } from "../../../server/log.js";
import { type Expected, judgeClaims, type Verdict } from "./claims.js";
import { fetchJson } from "./fetch-json.js";
import { addressIn, told } from "./issuer.js";
import type { IntrospectionOptions } from "./options.js";
import type { Remote } from "./remote.js";

/** Asks the issuer about a token (RFC 7662). Throws `IssuerError` where it cannot be asked. */
export async function introspect(
  token: string,
  { url, clientId, clientSecret }: IntrospectionOptions,
  metadata: Remote<JsonObject>,
  expected: Expected,
  log: Log,
): Promise<Verdict> {
  const credentials = Buffer.from(`${encodeForm(clientId)}:${encodeForm(clientSecret)}`).toString("base64");
  const claims = await told(log, async () => {
    const address = url ?? addressIn(await metadata.get(), "introspection_endpoint");
    return fetchJson(address, expected.issuer, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}`, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
    });
  });
  if (claims["active"] !== true) return { fault: "The token is not valid, or no longer." };
  // The issuer vouches for what it says; only few repeat their own name.
  return judgeClaims({ iss: expected.issuer, ...claims }, expected);
}

/** As a form writes it, which is what the credentials of a client are written in first (RFC 6749, 2.3.1). */
function encodeForm(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
