import { describe, expect, test } from "vitest";
import { hashApiKey } from "./api-keys.js";
import type { AuthOptions } from "./options.js";
import { createAuthSettings } from "./settings.js";

const place = { path: "/mcp", publicUrl: "https://mcp.example/mcp", toolScopes: () => [] };
const issuer = "https://issuer.example";
const hash = "0".repeat(64);

/** Options that the types forbid. */
const wrong = (options: unknown) => options as AuthOptions;

describe("wrong options are named:", () => {
  test.each<[string, AuthOptions]>([
    ["auth must be an object", wrong(true)],
    ["auth needs at least one of issuer, apiKeys and authenticate", {}],
    ["auth needs at least one of issuer, apiKeys and authenticate", { apiKeys: [] }],
    ["auth.issuer must be an https URL (http only for this machine)", { issuer: "http://issuer.example" }],
    ["auth.issuer must be an https URL (http only for this machine)", { issuer: "issuer.example" }],
    ["auth.issuer must be an https URL (http only for this machine)", wrong({ issuer: 7 })],
    ["auth.issuer must not have a password", { issuer: "https://a:b@issuer.example" }],
    ["auth.issuer must have neither ? nor #", { issuer: "https://issuer.example?a=b" }],
    ["auth.jwksUri must be an https URL (http only for this machine)", { issuer, jwksUri: "file:///keys" }],
    ["auth.audience needs auth.issuer beside it", { audience: "x", apiKeys: [{ principal: "ci", hash }] }],
    ["auth.audience must be a non-empty string or a list of them", { issuer, audience: "" }],
    ["auth.audience must be a non-empty string or a list of them", { issuer, audience: [] }],
    ["auth.scopes must be a list of scopes", wrong({ issuer, scopes: "read" })],
    ["auth.scopes has offline_access, which clients ask for by themselves", { issuer, scopes: ["offline_access"] }],
    ["auth.covers.admin must be a list of scopes", wrong({ issuer, covers: { admin: "read" } })],
    [
      "auth.algorithms must be some of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519, not HS256",
      { issuer, algorithms: ["RS256", "HS256"] },
    ],
    [
      "auth.algorithms must be some of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519, not none",
      { issuer, algorithms: ["none"] },
    ],
    ["auth.clockSkewMs must be a number from 0 to 300000", { issuer, clockSkewMs: 300_001 }],
    ['auth.selfCheck must be "warn", "fail" or "off"', wrong({ issuer, selfCheck: true })],
    ["auth.authenticate must be a function", wrong({ authenticate: "yes" })],
    [
      "auth.apiKeys[1].hash must be what hashApiKey(key) gives: 64 hexadecimal digits",
      wrong({
        apiKeys: [
          { principal: "a", hash },
          { principal: "b", hash: "secret" },
        ],
      }),
    ],
    ["auth.apiKeys must be a list", wrong({ apiKeys: {} })],
    ["auth.apiKeys must be a list", wrong({ issuer, apiKeys: "key" })],
    ["auth.apiKeys must be a list", wrong({ issuer, apiKeys: null })],
    ["auth.apiKeys[0] must be an object", wrong({ apiKeys: [null] })],
    ["auth.covers must be an object", wrong({ issuer, covers: null })],
    ["auth.introspection must be an object", wrong({ issuer, introspection: null })],
    ["auth.apiKeys[0].principal must be a non-empty string", { apiKeys: [{ principal: "", hash }] }],
    ["auth.apiKeys[0].scopes must be a list of scopes", wrong({ apiKeys: [{ principal: "a", hash, scopes: "x" }] })],
    [
      "auth.introspection.clientSecret must be a non-empty string",
      { issuer, introspection: { clientId: "a", clientSecret: "" } },
    ],
    [
      "auth.jwksUri has no use beside auth.introspection; leave one out",
      { issuer, jwksUri: issuer, introspection: { clientId: "a", clientSecret: "b" } },
    ],
  ])("%s", (message, options) => {
    expect(() => createAuthSettings(options, place)).toThrow(new TypeError(`Cannot serve over HTTP: ${message}`));
  });

  test("a misspelt one, with what was meant", () => {
    expect(() => createAuthSettings(wrong({ issuer, scope: ["read"] }), place)).toThrow(
      new TypeError("Cannot serve over HTTP with this auth: scope is unknown; did you mean scopes?"),
    );
  });

  test("a missing audience, where nothing else says which tokens are meant", () => {
    const nowhere = { path: "/mcp", toolScopes: () => [] };
    expect(() => createAuthSettings({ issuer }, nowhere)).toThrow(
      new TypeError(
        "Cannot serve over HTTP: auth.audience must say which tokens are meant for this server; or give publicUrl",
      ),
    );
    expect(createAuthSettings({ issuer, audience: "mine" }, nowhere).audience).toEqual(["mine"]);
    expect(createAuthSettings({ issuer }, { ...nowhere, localPort: () => undefined }).audience).toEqual([]);
  });
});

describe("API keys", () => {
  test("are hashed with SHA-256", () => {
    expect(hashApiKey("aaaaaaaaaaaaaaaaaaaa")).toBe("42492da06234ad0ac76f5d5debdb6d1ae027cffbe746a1c13b89bb8bc0139137");
  });

  test("that can be guessed or cannot be sent are refused", () => {
    expect(() => hashApiKey("short")).toThrow(
      new TypeError("Cannot hash the API key: it has fewer than 20 characters; make one with: openssl rand -hex 32"),
    );
    expect(() => hashApiKey("twenty characters long")).toThrow(
      new TypeError("Cannot hash the API key: it has characters that a bearer token cannot have"),
    );
  });
});
