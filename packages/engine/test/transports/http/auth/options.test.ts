import { describe, expect, test } from "vitest";
import {
  type AuthOptions,
  hashApiKey,
  isLoopbackHost,
  resolveAuthOptions,
} from "../../../../src/transports/http/auth/options.js";

const location = { path: "/mcp", publicUrl: "https://mcp.example/mcp", toolScopes: () => [] };
const issuer = "https://issuer.example";
const hash = "0".repeat(64);

/** Options that the types forbid. */
const invalid = (options: unknown) => options as AuthOptions;

describe("invalid options are reported:", () => {
  test.each<[string, AuthOptions]>([
    ["auth must be an object", invalid(true)],
    ["auth needs at least one of issuer, apiKeys and authenticate", {}],
    ["auth needs at least one of issuer, apiKeys and authenticate", { apiKeys: [] }],
    ["auth.issuer must be an https URL (http is allowed only for localhost)", { issuer: "http://issuer.example" }],
    ["auth.issuer must be an https URL (http is allowed only for localhost)", { issuer: "issuer.example" }],
    ["auth.issuer must be an https URL (http is allowed only for localhost)", invalid({ issuer: 7 })],
    ["auth.issuer must not contain credentials", { issuer: "https://a:b@issuer.example" }],
    ["auth.issuer must contain neither ? nor #", { issuer: "https://issuer.example?a=b" }],
    ["auth.jwksUri must be an https URL (http is allowed only for localhost)", { issuer, jwksUri: "file:///keys" }],
    ["auth.audience requires auth.issuer", { audience: "x", apiKeys: [{ principal: "ci", hash }] }],
    ["auth.audience must be a non-empty string or a list of them", { issuer, audience: "" }],
    ["auth.audience must be a non-empty string or a list of them", { issuer, audience: ["a", ""] }],
    ["auth.scopes must be a list of scopes", invalid({ issuer, scopes: "read" })],
    ["auth.scopes must be a list of scopes", { issuer, scopes: ["two words"] }],
    ["auth.scopes must be a list of scopes", { issuer, scopes: ['"'] }],
    ["auth.scopes must be a list of scopes", invalid({ issuer, scopes: [7] })],
    ["auth.scopes must name the required scopes, not * or offline_access", { issuer, scopes: ["offline_access"] }],
    ["auth.scopes must name the required scopes, not * or offline_access", { issuer, scopes: ["*"] }],
    ["auth.impliedScopes.admin must be a list of scopes", invalid({ issuer, impliedScopes: { admin: "read" } })],
    ["auth.clockSkewMs must be a number from 0 to 300000", { issuer, clockSkewMs: 300_001 }],
    ['auth.selfCheck must be "warn", "fail" or "off"', invalid({ issuer, selfCheck: true })],
    ["auth.authenticate must be a function", invalid({ authenticate: "yes" })],
    [
      "auth.apiKeys[1].hash must be the result of hashApiKey(key): 64 hexadecimal digits",
      invalid({
        apiKeys: [
          { principal: "a", hash },
          { principal: "b", hash: "secret" },
        ],
      }),
    ],
    ["auth.apiKeys must be a list", invalid({ apiKeys: {} })],
    ["auth.apiKeys must be a list", invalid({ issuer, apiKeys: "key" })],
    ["auth.apiKeys must be a list", invalid({ issuer, apiKeys: null })],
    ["auth.apiKeys[0] must be an object", invalid({ apiKeys: [null] })],
    ["auth.apiKeys[0] must be an object", invalid({ apiKeys: [undefined] })],
    ["auth.impliedScopes must be an object", invalid({ issuer, impliedScopes: null })],
    ["auth.introspection must be an object", invalid({ issuer, introspection: null })],
    ["auth.apiKeys[0].principal must be a non-empty string", { apiKeys: [{ principal: "", hash }] }],
    ["auth.apiKeys[0].scopes must be a list of scopes", invalid({ apiKeys: [{ principal: "a", hash, scopes: "x" }] })],
    [
      "auth.introspection.clientSecret must be a non-empty string",
      { issuer, introspection: { clientId: "a", clientSecret: "" } },
    ],
    [
      "auth.jwksUri cannot be combined with auth.introspection; remove one",
      { issuer, jwksUri: issuer, introspection: { clientId: "a", clientSecret: "b" } },
    ],
  ])("%s", (message, options) => {
    expect(() => resolveAuthOptions(options, location)).toThrow(new TypeError(`Cannot serve over HTTP: ${message}`));
  });

  test("a misspelled one, with a suggestion", () => {
    expect(() => resolveAuthOptions(invalid({ issuer, scope: ["read"] }), location)).toThrow(
      new TypeError("Cannot serve over HTTP: unknown option auth.scope; did you mean auth.scopes?"),
    );
  });

  test("a missing audience, if there is no public URL", () => {
    const nowhere = { publicUrl: undefined };
    expect(() => resolveAuthOptions({ issuer }, nowhere)).toThrow(
      new TypeError(
        "Cannot serve over HTTP: auth.audience is required to know which tokens are meant for this server; set it or publicUrl",
      ),
    );
    expect(resolveAuthOptions({ issuer, audience: "mine" }, nowhere).audience).toEqual(["mine"]);
    expect(resolveAuthOptions({ issuer }, { ...nowhere, localPort: () => undefined }).audience).toEqual([]);
  });
});

describe("API keys", () => {
  test("are hashed with SHA-256", () => {
    expect(hashApiKey("aaaaaaaaaaaaaaaaaaaa")).toBe("42492da06234ad0ac76f5d5debdb6d1ae027cffbe746a1c13b89bb8bc0139137");
  });

  test("that are too short or cannot be sent are rejected", () => {
    expect(() => hashApiKey("short")).toThrow(
      new TypeError("Cannot hash the API key: it has fewer than 20 characters; make one with: openssl rand -hex 32"),
    );
    expect(() => hashApiKey("twenty characters long")).toThrow(
      new TypeError("Cannot hash the API key: it contains characters that are not allowed in a bearer token"),
    );
  });
});

describe("a host name", () => {
  test.each([
    ["localhost", true],
    ["app.localhost", true],
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["[::1]", true],
    ["127.0.0.1.evil.example", false],
    ["localhost.evil.example", false],
    ["10.0.0.1", false],
  ])("%s is loopback: %j", (name, isLocal) => {
    expect(isLoopbackHost(name)).toBe(isLocal);
  });
});
