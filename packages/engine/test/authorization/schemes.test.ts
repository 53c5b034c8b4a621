import { once } from "node:events";
import { hashApiKey } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { AUDIENCE, openIssuer } from "./issuer.js";
import { call, serveGuarded } from "./protected-server.js";

const key = "0123456789abcdef0123456789abcdef";
const hash = "3c4516c17d0b2bafc3b1aac1a49b1b3a5f3b4d51bcbd40a4a0b2c3c8b2f5e7c1";

async function issuerForTest(path?: string) {
  const issuer = await openIssuer(path);
  onTestFinished(() => issuer.stop());
  return issuer;
}

describe("an API key", () => {
  test("authenticates its owner, with or without restricted scopes", async () => {
    const apiKeys = [
      { principal: "ci", hash: hashApiKey(key) },
      { principal: "reader", hash: hashApiKey(`${key}2`), scopes: ["read"] },
    ];
    const { url } = await serveGuarded({ apiKeys, scopes: ["read"] });
    expect(await call(url, `Bearer ${key}`)).toEqual({ status: 200, challenge: null, said: "ci" });
    expect(await call(url, `Bearer ${key}`, "wipe")).toMatchObject({ status: 200, said: "wiped" });
    expect(await call(url, `Bearer ${key}2`)).toMatchObject({ status: 200, said: "reader" });
    expect(await call(url, `Bearer ${key}2`, "wipe")).toMatchObject({ status: 403 });
  });

  test("that is unknown, or only the hash of a key, is rejected", async () => {
    const { url } = await serveGuarded({ apiKeys: [{ principal: "ci", hash: hashApiKey(key) }] });
    for (const wrong of [`${key}3`, hashApiKey(key)])
      expect(await call(url, `Bearer ${wrong}`)).toEqual({
        status: 401,
        challenge: 'Bearer error="invalid_token", error_description="The API key is unknown."',
        said: "The API key is unknown.",
      });
    expect(await call(url)).toMatchObject({ status: 401, challenge: 'Bearer realm="mcp"' });
  });

  test("without an issuer has no discovery documents", async () => {
    const { origin } = await serveGuarded({ apiKeys: [{ principal: "ci", hash }] });
    for (const kind of ["oauth-protected-resource", "oauth-authorization-server"])
      expect((await fetch(`${origin}/.well-known/${kind}`)).status).toBe(404);
  });
});

describe("failed attempts", () => {
  const rate = { burst: 3, perSecond: 0.01 };
  const guess = async (url: string) => {
    for (let times = 0; times < 3; times += 1) expect((await call(url, "Bearer wrong")).status).toBe(401);
  };

  test("are limited, without locking out known keys and tokens", async () => {
    const issuer = await issuerForTest();
    const apiKeys = [{ principal: "ci", hash: hashApiKey(key) }];
    const { url } = await serveGuarded({ apiKeys, issuer: issuer.url, audience: AUDIENCE }, { rate, webSocket: true });
    const [known, unknown] = [await issuer.sign(), await issuer.sign({ sub: "bob" })];
    expect((await call(url, `Bearer ${known}`)).status).toBe(200);
    await guess(url);
    expect((await call(url, "Bearer wrong")).said).toMatch(/try again in (?:9\d|100) s/);
    // To check it would cost too much.
    expect((await call(url, `Bearer ${unknown}`)).status).toBe(429);
    expect((await call(url, `Bearer ${known}`)).said).toBe("ada");
    expect((await call(url, `Bearer ${key}`)).said).toBe("ci");
    const open = (token: string) => {
      const socket = new WebSocket(url.replace("http", "ws"), { headers: { authorization: `Bearer ${token}` } });
      onTestFinished(() => socket.terminate());
      return once(socket, "open");
    };
    await expect(open("wrong")).rejects.toThrow("429");
    await open(key);
  });

  test("do not call auth.authenticate once they exceed the limit", async () => {
    let asked = 0;
    const authenticate = () => {
      asked += 1;
      return undefined;
    };
    const { url } = await serveGuarded({ authenticate }, { rate });
    await guess(url);
    expect((await call(url, "Bearer wrong")).status).toBe(429);
    expect(asked).toBe(3);
  });
});

describe("auth.authenticate", () => {
  test("gets the request, and its scopes apply", async () => {
    const { url } = await serveGuarded({
      impliedScopes: { admin: ["write", "wipe"] },
      authenticate: async (request) => {
        const name = request.header("x-user");
        await Promise.resolve();
        return name === undefined ? undefined : { principal: name, scopes: name === "root" ? ["admin"] : [] };
      },
    });
    expect(await call(url, undefined, "whoami", { "x-user": "ada" })).toMatchObject({ status: 200, said: "ada" });
    expect(await call(url, undefined, "wipe", { "x-user": "ada" })).toMatchObject({ status: 403 });
    expect(await call(url, undefined, "wipe", { "x-user": "root" })).toMatchObject({ status: 200, said: "wiped" });
    expect(await call(url)).toMatchObject({ status: 401 });
  });

  test("that fails rejects the request, and the cause is only logged", async () => {
    const { url, logged } = await serveGuarded({
      authenticate: () => {
        throw new Error("the database of users is away");
      },
    });
    expect(await call(url)).toEqual({
      status: 500,
      challenge: null,
      said: "Authentication failed because of a server error. See the server log for details.",
    });
    expect(logged).toMatchObject([{ level: "error", message: "auth.authenticate failed" }]);
  });

  test.each([true, "ada", null, {}])("must return a principal: %j is rejected", async (identity) => {
    const { url, logged } = await serveGuarded({ authenticate: () => identity as never });
    expect(await call(url)).toMatchObject({ status: 500 });
    expect(logged).toMatchObject([
      { error: new TypeError("auth.authenticate must return undefined or { principal, scopes }") },
    ]);
  });
});

describe("several methods", () => {
  test("are tried in order: API keys, auth.authenticate, tokens", async () => {
    const issuer = await issuerForTest();
    const own = vi.fn((request: { header(name: string): string | undefined }) =>
      request.header("x-user") === undefined ? undefined : { principal: "own" },
    );
    const { url } = await serveGuarded({
      issuer: issuer.url,
      audience: AUDIENCE,
      apiKeys: [{ principal: "key", hash: hashApiKey(key) }],
      authenticate: own,
    });
    const token = `Bearer ${await issuer.sign()}`;
    expect((await call(url, `Bearer ${key}`, "whoami", { "x-user": "x" })).said).toBe("key");
    expect(own).toHaveBeenCalledTimes(0);
    expect((await call(url, token, "whoami", { "x-user": "x" })).said).toBe("own");
    expect((await call(url, "Bearer a b", "whoami", { "x-user": "x" })).said).toBe("own");
    expect((await call(url, token)).said).toBe("ada");
    expect((await call(url, token)).said).toBe("ada");
    expect(own).toHaveBeenCalledTimes(4);
    expect(await call(url, "Bearer nonsense")).toMatchObject({ status: 401 });
    expect(await call(url, "Bearer a b")).toMatchObject({ status: 400 });
  });
});

describe("token introspection", () => {
  const introspection = { clientId: "guarded", clientSecret: "s3cret" };
  const exp = () => Math.floor(Date.now() / 1000) + 600;

  test("returns the principal and is cached for 30 seconds", async () => {
    const issuer = await issuerForTest();
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    onTestFinished(() => void vi.useRealTimers());
    const { url } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, introspection });
    issuer.pages.set("/introspect", { active: true, sub: "ada", aud: [AUDIENCE], exp: exp(), scope: "read" });
    for (let time = 0; time < 3; time += 1) expect((await call(url, "Bearer opaque")).said).toBe("ada");
    const asked = () => issuer.asked.filter((path) => path.startsWith("/introspect"));
    expect(asked()).toEqual(["/introspect token=opaque&token_type_hint=access_token"]);
    issuer.pages.set("/introspect", { active: false });
    vi.advanceTimersByTime(30_000);
    expect(await call(url, "Bearer opaque")).toMatchObject({
      status: 401,
      said: "The token is not active.",
    });
  });

  test.each<[string, object, string]>([
    ["for another server [AUTH-09]", { aud: "https://other.example" }, "The token is not meant for this server"],
    ["for nobody [AUTH-09]", { aud: undefined }, "The token is not meant for this server"],
    ["of another issuer", { iss: "https://other.example" }, "The token was not issued by"],
    ["that has expired", { exp: 1 }, "The token has expired."],
    ["without an end", { exp: undefined }, "The token has no expiry time (exp)."],
  ])("rejects a token %s", async (_name, claims, said) => {
    const issuer = await issuerForTest();
    const { url } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, introspection });
    issuer.pages.set("/introspect", { active: true, sub: "ada", aud: AUDIENCE, exp: exp(), ...claims });
    expect(await call(url, "Bearer opaque")).toMatchObject({
      status: 401,
      said: expect.stringContaining(said) as string,
    });
  });

  test("that is unavailable causes 503", async () => {
    const issuer = await issuerForTest();
    const named = { ...introspection, url: `${issuer.url}/elsewhere` };
    const { url, logged } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, introspection: named });
    expect(await call(url, "Bearer opaque")).toMatchObject({ status: 503, challenge: null });
    expect(logged).toEqual([{ level: "warning", message: `${issuer.url}/elsewhere responded with status 404` }]);
    expect(JSON.stringify(logged)).not.toMatch(/opaque|s3cret/);
  });
});

describe("the metadata of an issuer", () => {
  test.each([
    "/.well-known/oauth-authorization-server/tenant/one",
    "/.well-known/openid-configuration/tenant/one",
    "/tenant/one/.well-known/openid-configuration",
  ])("is found at %s", async (place) => {
    const issuer = await issuerForTest("/tenant/one");
    const document = issuer.pages.get("/.well-known/oauth-authorization-server/tenant/one") as object;
    issuer.pages.delete("/.well-known/oauth-authorization-server/tenant/one");
    issuer.pages.set(place, document);
    const { url } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
    expect((await call(url, `Bearer ${await issuer.sign()}`)).said).toBe("ada");
  });

  test.each<[string, (document: { jwks_uri: string }, origin: string) => object | string, RegExp]>([
    [
      "another issuer's",
      (document) => ({ ...document, issuer: "https://other.example" }),
      /has the metadata of "https:\/\/other\.example"/,
    ],
    ["a redirect", (_document, origin) => `${origin}/elsewhere`, /responded with status 302/],
    ["no JSON", () => "<html>", /not a JSON object/],
    ["a list", () => "[]", /not a JSON object/],
    ["endless", () => `"${"x".repeat(1024 * 1024)}"`, /more than 1048576 bytes/],
    ["without keys", (document) => ({ ...document, jwks_uri: undefined }), /has no jwks_uri/],
    [
      "with keys in a file [SEC-06]",
      (document) => ({ ...document, jwks_uri: "file:///etc/passwd" }),
      /the URL is not https/,
    ],
    [
      "with keys over plain http [SEC-06]",
      (document) => ({ ...document, jwks_uri: "http://keys.example/" }),
      /the URL is not https/,
    ],
    [
      "with keys that are none",
      (document) => ({
        ...document,
        jwks_uri: document.jwks_uri.replace("/keys", "/.well-known/oauth-authorization-server"),
      }),
      /has no valid key set/,
    ],
  ])("is rejected if it is %s", async (_name, change, message) => {
    const issuer = await issuerForTest();
    const place = "/.well-known/oauth-authorization-server";
    issuer.pages.set(place, change(issuer.pages.get(place) as { jwks_uri: string }, issuer.url));
    issuer.pages.set("/elsewhere", { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    const { url, logged } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
    expect(await call(url, `Bearer ${await issuer.sign()}`)).toMatchObject({ status: 503 });
    expect(logged.map((entry) => entry.message).join("\n")).toMatch(message);
  });
});
