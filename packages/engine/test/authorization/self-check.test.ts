import type { LogEntry } from "@toolwright/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRedaction } from "../../src/server/logging/redaction.js";
import { type Issuer, openIssuer } from "./issuer.js";
import { type Auth, serveGuarded } from "./protected-server.js";

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

const hints = ({ message }: LogEntry) => message.startsWith("OAuth self-check: ");

describe("the self-check", () => {
  test("passes for a server that clients can discover", async () => {
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
      "does not list PKCE with S256, so clients must reject it. Enable PKCE at the issuer",
    ],
    [
      "that does not say that it has PKCE",
      { code_challenge_methods_supported: undefined },
      "does not list PKCE with S256",
    ],
    [
      "without a page to log in",
      { authorization_endpoint: undefined },
      "has no authorization_endpoint. Use an issuer that supports the authorization code flow.",
    ],
    ["without tokens", { token_endpoint: undefined }, "has no token_endpoint."],
    ["without keys", { jwks_uri: undefined }, "has no jwks_uri."],
  ])("reports an issuer %s", async (_name, members, said) => {
    change(members);
    await expect(start()).rejects.toThrow(said);
  });

  test("reports an issuer that differs by a trailing slash", async () => {
    change({ issuer: `${issuer.url}/` });
    await expect(start()).rejects.toThrow(
      `Cannot serve with this auth: Cannot find the metadata of the issuer ${issuer.url}: ` +
        `${issuer.url}${PLACE} has the metadata of "${issuer.url}/"; ` +
        `${issuer.url}/.well-known/openid-configuration responded with status 404. ` +
        "auth.issuer must match the issuer exactly (including a trailing slash) and must be reachable from here.",
    );
  });

  test("reports an issuer without keys or introspection endpoint", async () => {
    issuer.pages.set("/keys", { keys: [] });
    await expect(start()).rejects.toThrow(
      `There are no keys at ${issuer.url}/keys. Set auth.jwksUri to the correct URL.`,
    );
    change({ introspection_endpoint: undefined });
    await expect(start({ introspection: { clientId: "a", clientSecret: "b" } })).rejects.toThrow(
      "has no introspection_endpoint. Set auth.introspection.url to the correct URL.",
    );
  });

  test("reports all issues of an issuer at once", async () => {
    change({ token_endpoint: undefined, jwks_uri: undefined });
    const failure: Error = await start().then(
      () => expect.fail("it started"),
      (error: Error) => error,
    );
    expect(failure.message).toContain("has no token_endpoint.");
    expect(failure.message).toContain("has no jwks_uri.");
  });

  test("reports an issuer that does not respond", async () => {
    issuer.isDown = true;
    const failure: Error = await start().then(
      () => expect.fail("it started"),
      (error: Error) => error,
    );
    expect(failure.message).toContain("Cannot find the metadata of the issuer");
    // The log redacts what follows the name of a credential, and must show the reason.
    expect(createRedaction().text(failure.message)).toBe(failure.message);
  });

  test("warns by default, and logs nothing if it is disabled", async () => {
    change({ code_challenge_methods_supported: [] });
    const warned = await start({ selfCheck: "warn" });
    await expect
      .poll(() => warned.logged.filter(hints))
      .toEqual([
        {
          level: "warning",
          message:
            `OAuth self-check: The metadata of ${issuer.url} does not list PKCE with S256, so clients must reject it. ` +
            "Enable PKCE at the issuer, so that code_challenge_methods_supported contains S256.",
        },
      ]);
    // The log redacts what follows the name of a credential.
    const message = warned.logged.find(hints)?.message ?? "";
    expect(createRedaction().text(message)).toBe(message);
    const silent = await start({ selfCheck: "off" });
    expect(silent.logged).toEqual([]);
  });

  test("is skipped without an issuer", async () => {
    await serveGuarded({ selfCheck: "fail", apiKeys: [{ principal: "ci", hash: "0".repeat(64) }] });
  });
});
