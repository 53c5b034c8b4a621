import * as oauth from "oauth4webapi";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agree } from "./browser-user.js";
import { serveGuarded } from "./protected-server.js";
import { openProvider, type RealProvider } from "./provider.js";

const local = { [oauth.allowInsecureRequests]: true };
const redirectUri = "http://127.0.0.1:9/callback";

let provider: RealProvider;
beforeEach(async () => {
  provider = await openProvider();
});
afterEach(() => provider.stop());

const ping = (url: string, token: string) =>
  oauth.protectedResourceRequest(
    token,
    "POST",
    new URL(url),
    new Headers({ "content-type": "application/json", accept: "application/json, text/event-stream" }),
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    local,
  );

/** The challenge as a parser of others reads it. */
async function challengeOf(url: string, token: string) {
  const refused: unknown = await ping(url, token).catch((error: unknown) => error);
  if (!(refused instanceof oauth.WWWAuthenticateChallengeError)) throw new Error("There was no challenge");
  return { status: refused.status, challenges: refused.cause };
}

describe("a client that follows the RFCs strictly", () => {
  test("discovers everything that it needs, and its token is accepted [AUTH-02 AUTH-03 AUTH-13]", async () => {
    const { url } = await serveGuarded({ issuer: provider.issuer, scopes: ["read"] });
    provider.resources.add(url);
    const here = new URL(url);
    // Throws unless the resource is exactly the URL (RFC 9728, 3.3).
    const resource = await oauth.processResourceDiscoveryResponse(
      here,
      await oauth.resourceDiscoveryRequest(here, local),
    );
    expect(resource.authorization_servers).toEqual([provider.issuer]);
    const issuer = new URL(resource.authorization_servers?.[0] ?? "");
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, local));
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { redirect_uris: [redirectUri], token_endpoint_auth_method: "none", application_type: "native" },
        local,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const authorization = new URL(server.authorization_endpoint ?? "");
    authorization.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "read",
      state,
      resource: resource.resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const came = oauth.validateAuthResponse(server, client, await agree(authorization, "ada"), state);
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), came, redirectUri, verifier, {
        ...local,
        additionalParameters: { resource: resource.resource },
      }),
    );
    const answer = await ping(url, granted.access_token);
    expect(answer.status).toBe(200);
  });

  test("can parse every challenge [AUTH-04 HST-16]", async () => {
    const { url, origin } = await serveGuarded({ issuer: provider.issuer, scopes: ["read", "list"] });
    expect(await challengeOf(url, "nonsense")).toEqual({
      status: 401,
      challenges: [
        {
          scheme: "bearer",
          parameters: {
            error: "invalid_token",
            error_description: "The token is malformed.",
            scope: "read list",
            resource_metadata: `${origin}/.well-known/oauth-protected-resource/mcp`,
          },
        },
      ],
    });
  });
});
