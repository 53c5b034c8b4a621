import type { LogEntry } from "@toolwright/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Auth, serveGuarded } from "./guarded.js";
import { type Issuer, openIssuer } from "./issuer.js";

const PLACE = "/.well-known/oauth-authorization-server";
let issuer: Issuer;
beforeEach(async () => {
  issuer = await openIssuer();
});
afterEach(() => issuer.stop());

const start = (auth: Partial<Auth> = {}, options: Parameters<typeof serveGuarded>[1] = {}) =>
  serveGuarded({ issuer: issuer.url, selfCheck: "fail", ...auth }, options);

function change(members: object): void {
  issuer.pages.set(PLACE, { ...(issuer.pages.get(PLACE) as object), ...members });
}

const hints = ({ message }: LogEntry) => message.startsWith("Authorization: ");

describe("the self-check", () => {
  test("lets a server start that clients can find their way to", async () => {
    await start();
    await start({}, { publicUrl: "https://mcp.example/mcp" });
    await start({}, { publicUrl: "https://mcp.example" });
    await start({ introspection: { clientId: "a", clientSecret: "b" } });
    await start({}, { path: "/" });
  });

  test.each<[string, object, string]>([
    [
      "without PKCE",
      { code_challenge_methods_supported: ["plain"] },
      "do not say that it does PKCE with S256, and clients must refuse it then. Switch PKCE on at the issuer",
    ],
    [
      "that does not say that it has PKCE",
      { code_challenge_methods_supported: undefined },
      "do not say that it does PKCE with S256",
    ],
    [
      "without a page to log in",
      { authorization_endpoint: undefined },
      "have no authorization_endpoint. Use an issuer that has the authorization code flow.",
    ],
    ["without tokens", { token_endpoint: undefined }, "have no token_endpoint."],
    ["without keys", { jwks_uri: undefined }, "have no jwks_uri."],
  ])("names an issuer %s", async (_name, members, said) => {
    change(members);
    await expect(start()).rejects.toThrow(said);
  });

  test("names an issuer that writes itself differently, by a slash at the end", async () => {
    change({ issuer: `${issuer.url}/` });
    await expect(start()).rejects.toThrow(
      `Cannot serve with this auth: Cannot find the metadata of the issuer ${issuer.url}: ` +
        `${issuer.url}${PLACE} has the metadata of "${issuer.url}/"; ` +
        `${issuer.url}/.well-known/openid-configuration answered with status 404. ` +
        "auth.issuer must be written exactly as the issuer writes itself (mind the slash at the end), and be reachable from here.",
    );
  });

  test("names an issuer that has no keys, or none to ask", async () => {
    issuer.pages.set("/keys", { keys: [] });
    await expect(start()).rejects.toThrow(
      `There are no keys at ${issuer.url}/keys. Put the right address into auth.jwksUri.`,
    );
    change({ introspection_endpoint: undefined });
    await expect(start({ introspection: { clientId: "a", clientSecret: "b" } })).rejects.toThrow(
      "have no introspection_endpoint. Put the right address into auth.introspection.url.",
    );
  });

  test("names all that is wrong with an issuer at once", async () => {
    change({ token_endpoint: undefined, jwks_uri: undefined });
    const failure: Error = await start().then(
      () => expect.fail("it started"),
      (error: Error) => error,
    );
    expect(failure.message).toContain("have no token_endpoint.");
    expect(failure.message).toContain("have no jwks_uri.");
  });

  test("names an issuer that does not answer", async () => {
    issuer.isDown = true;
    await expect(start()).rejects.toThrow("Cannot find the metadata of the issuer");
  });

  test("warns unless it is told to fail, and says nothing where all is well", async () => {
    change({ code_challenge_methods_supported: [] });
    const warned = await start({ selfCheck: "warn" });
    await expect
      .poll(() => warned.logged.filter(hints))
      .toEqual([
        {
          level: "warning",
          message:
            `Authorization: The metadata of ${issuer.url} do not say that it does PKCE with S256, and clients must refuse it then. ` +
            "Switch PKCE on at the issuer, so that code_challenge_methods_supported has S256.",
        },
      ]);
    const silent = await start({ selfCheck: "off" });
    expect(silent.logged).toEqual([]);
  });

  test("has nothing to look at without an issuer", async () => {
    await serveGuarded({ selfCheck: "fail", apiKeys: [{ principal: "ci", hash: "0".repeat(64) }] });
  });
});
