import { createHash, createHmac } from "node:crypto";
import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AUDIENCE, type Issuer, openIssuer } from "./issuer.js";
import { call, type Guarded, serveGuarded } from "./protected-server.js";

let issuer: Issuer;
let guarded: Guarded;
beforeEach(async () => {
  issuer = await openIssuer();
  guarded = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.stop();
});

type Claims = Record<string, unknown>;
const now = () => Math.floor(Date.now() / 1000);
const use = async (token: string | Promise<string>) => call(guarded.url, `Bearer ${await token}`);
const refusal = (said: string) => ({
  status: 401,
  said,
  challenge: expect.stringContaining('error="invalid_token"') as string,
});
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a token of the issuer", () => {
  test("authenticates the user in sub", async () => {
    expect(await use(issuer.sign())).toEqual({ status: 200, challenge: null, said: "ada" });
  });

  test("without a user authenticates the client, which is distinct from a user", async () => {
    expect((await use(issuer.sign({ sub: undefined, client_id: "robot" }))).said).toBe("client:robot");
    expect((await use(issuer.sign({ sub: "", azp: "robot" }))).said).toBe("client:robot");
    expect((await use(issuer.sign({ sub: "ada", client_id: "ada" }))).said).toBe("client:ada");
    expect((await use(issuer.sign({ sub: "client:robot" }))).said).toBe("user:client:robot");
    expect((await use(issuer.sign({ sub: "user:client:robot" }))).said).toBe("user:user:client:robot");
    expect((await use(issuer.sign({ sub: "ada", client_id: "robot" }))).said).toBe("ada");
    expect(await use(issuer.sign({ sub: undefined }))).toEqual(refusal("The token has neither sub nor client_id."));
  });

  test.each<[string, Claims, Claims]>([
    ["among several audiences", { aud: ["https://other.example", AUDIENCE] }, {}],
    ["with the audience in another spelling [AUTH-13]", { aud: "HTTPS://MCP.Example:443/mcp/" }, {}],
    ["whose type is JWT", {}, { typ: "JWT" }],
    ["without a type", {}, { typ: undefined }],
    ["whose type is written in full", {}, { typ: "application/at+jwt" }],
    ["that ended a moment ago by a clock that is ahead", { exp: now() - 5 }, {}],
    ["that begins in a moment by a clock that is behind", { nbf: now() + 20 }, {}],
  ])("%s is accepted", async (_name, claims, header) => {
    expect(await use(issuer.sign(claims, header))).toEqual({ status: 200, challenge: null, said: "ada" });
  });

  test.each<[string, Claims, Claims, string]>([
    ["that has expired", { exp: 1 }, {}, "The token has expired."],
    ["without an end", { exp: undefined }, {}, "The token has no expiry time (exp)."],
    ["that begins later", { nbf: 4_000_000_000 }, {}, "The token is not valid yet, or its time claims are invalid."],
    ["of another issuer", { iss: "https://other.example" }, {}, "The token was not issued by ISSUER."],
    ["without an issuer", { iss: undefined }, {}, "The token was not issued by ISSUER."],
    [
      "for another server [AUTH-09]",
      { aud: "https://other.example/mcp" },
      {},
      `The token is not meant for this server: its audience must be ${AUDIENCE}.`,
    ],
    [
      "for the whole host [AUTH-09]",
      { aud: "https://mcp.example" },
      {},
      `The token is not meant for this server: its audience must be ${AUDIENCE}.`,
    ],
    [
      "for nobody [AUTH-09]",
      { aud: undefined },
      {},
      `The token is not meant for this server: its audience must be ${AUDIENCE}.`,
    ],
    ["that is an ID token", { nonce: "n" }, { typ: "JWT" }, "This is an ID token, not an access token."],
    ["of another kind", {}, { typ: "logout+jwt" }, "This is not an access token."],
    ["whose type is a number", {}, { typ: 5 }, "This is not an access token."],
    ["whose type is nothing", {}, { typ: null }, "This is not an access token."],
    ["whose type is a list", {}, { typ: ["JWT"] }, "This is not an access token."],
    [
      "that is bound to a key",
      { cnf: { jkt: "x" } },
      {},
      "The token is bound to a key (cnf); this server accepts only plain bearer tokens.",
    ],
    [
      "that names a key nobody has",
      {},
      { kid: "unknown" },
      "The token is signed with a key that the issuer does not publish.",
    ],
  ])("%s is rejected [HST-16]", async (_name, claims, header, said) => {
    expect(await use(issuer.sign(claims, header))).toEqual(refusal(said.replace("ISSUER", issuer.url)));
  });
});

describe("a forged token", () => {
  const claims = () => ({ iss: issuer.url, aud: AUDIENCE, sub: "ada", exp: now() + 600 });

  test("with a valid header and the signature of another key is rejected", async () => {
    const [header = ""] = (await issuer.sign()).split(".");
    const { privateKey } = await generateKeyPair("ES256");
    const other = await new SignJWT(claims()).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const [, payload, signature] = other.split(".");
    expect(await use(`${header}.${payload}.${signature}`)).toEqual(refusal("The token's signature is invalid."));
  });

  test("with changed claims is rejected", async () => {
    const [header, , signature] = (await issuer.sign()).split(".");
    expect(await use(`${header}.${base64({ ...claims(), sub: "root" })}.${signature}`)).toEqual(
      refusal("The token's signature is invalid."),
    );
  });

  test("that is not signed is rejected", async () => {
    const said = "The token's signature algorithm is not accepted.";
    expect(await use(`${base64({ alg: "none", typ: "at+jwt" })}.${base64(claims())}.`)).toEqual(refusal(said));
  });

  test("that is signed with the public key as a shared secret is rejected", async () => {
    const { publicKey } = await generateKeyPair("RS256", { extractable: true });
    const [{ kid }] = (issuer.pages.get("/keys") as { keys: [{ kid: string }] }).keys;
    const text = `${base64({ alg: "HS256", typ: "at+jwt", kid })}.${base64(claims())}`;
    const signature = createHmac("sha256", await exportSPKI(publicKey))
      .update(text)
      .digest("base64url");
    expect(await use(`${text}.${signature}`)).toEqual(refusal("The token's signature algorithm is not accepted."));
  });

  test("that contains its own key is rejected", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const header = { alg: "ES256", jku: `${issuer.url}/mine`, x5u: `${issuer.url}/mine` };
    const token = await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
    expect(await use(token)).toEqual(refusal("The token's signature is invalid."));
    expect(issuer.asked.filter((path) => path === "/mine")).toEqual([]);
  });

  test.each(["a", "a.b.c", "a.b.c.d.e", "....", "eyJhbGciOiJFUzI1NiJ9.e30."])("%s is rejected", async (token) => {
    expect(await use(token)).toMatchObject({ status: 401 });
  });
});

describe("keys of the issuer", () => {
  const asked = () => issuer.asked.filter((path) => path === "/keys").length;

  test("are fetched once, and a token is verified once", async () => {
    const token = await issuer.sign();
    await Promise.all([use(token), use(token), use(token)]);
    expect(asked()).toBe(1);
    issuer.isDown = true;
    expect((await use(token)).said).toBe("ada");
  });

  test("are fetched again for a token with a new key, but not repeatedly", async () => {
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    await use(issuer.sign());
    await issuer.rotate();
    expect((await use(issuer.sign())).said).toBe("ada");
    expect(asked()).toBe(2);
    await issuer.rotate();
    const token = await issuer.sign();
    expect(await use(token)).toMatchObject({ status: 401 });
    expect(asked()).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect((await use(token)).said).toBe("ada");
    for (let time = 0; time < 5; time += 1) await use(issuer.sign({}, { kid: `unknown-${time}` }));
    expect(asked()).toBe(3);
  });

  test("that were revoked are rejected after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    const token = await issuer.sign({ exp: now() + 3600 });
    expect((await use(token)).said).toBe("ada");
    await issuer.rotate();
    vi.advanceTimersByTime(600_000);
    expect(await use(token)).toEqual(refusal("The token is signed with a key that the issuer does not publish."));
  });

  test("stay in use while the issuer is down, and are fetched again when it is back", async () => {
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    await use(issuer.sign());
    issuer.isDown = true;
    vi.advanceTimersByTime(3600_000);
    expect((await use(issuer.sign({ sub: "bob" }))).said).toBe("bob");
    expect(guarded.logged.map(({ level }) => level)).toContain("warning");
    issuer.isDown = false;
    await issuer.rotate();
    vi.advanceTimersByTime(10_000);
    expect((await use(issuer.sign({ sub: "eve" }))).said).toBe("eve");
  });

  test("must be named by the token if the issuer has several", async () => {
    await issuer.rotate({ hasId: false });
    await issuer.rotate({ hasId: false, keepsOld: true });
    expect(await use(issuer.sign())).toEqual(
      refusal("The token does not name its key (kid), and the issuer has several."),
    );
  });

  test("without ids are fetched again for a token with an unknown key, but not repeatedly", async () => {
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    await issuer.rotate({ hasId: false });
    expect((await use(issuer.sign())).said).toBe("ada");
    await issuer.rotate({ hasId: false });
    expect((await use(issuer.sign())).said).toBe("ada");
    expect(asked()).toBe(2);
    await issuer.rotate({ hasId: false, published: false });
    expect(await use(issuer.sign())).toEqual(refusal("The token's signature is invalid."));
    vi.advanceTimersByTime(10_000);
    for (let time = 0; time < 5; time += 1)
      expect(await use(issuer.sign({ sub: `${time}` }))).toEqual(refusal("The token's signature is invalid."));
    expect(asked()).toBe(3);
  });

  test("that are unavailable cause 503, so that the client keeps its token", async () => {
    issuer.isDown = true;
    const fresh = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
    expect(await call(fresh.url, `Bearer ${await issuer.sign()}`)).toEqual({
      status: 503,
      challenge: null,
      said: expect.stringContaining("The authorization server is unavailable") as string,
      retryAfter: "10",
    });
  });

  test("can have a configured URL", async () => {
    issuer.pages.delete("/.well-known/oauth-authorization-server");
    const named = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, jwksUri: `${issuer.url}/keys` });
    expect((await call(named.url, `Bearer ${await issuer.sign()}`)).said).toBe("ada");
  });
});

describe("a token", () => {
  test("that has expired is rejected, even if it was cached", async () => {
    vi.useFakeTimers({ toFake: ["Date", "hrtime"] });
    const token = await issuer.sign({ exp: now() + 60 });
    expect((await use(token)).said).toBe("ada");
    vi.advanceTimersByTime(120_000);
    expect(await use(token)).toEqual(refusal("The token has expired."));
  });

  test("is read from the header Authorization only [AUTH-11]", async () => {
    const token = await issuer.sign();
    for (const url of [`${guarded.url}?access_token=${token}`, `${guarded.url}?token=${token}`])
      expect(await call(url)).toMatchObject({ status: 401 });
    expect(await call(guarded.url, undefined, "whoami", { cookie: `access_token=${token}` })).toMatchObject({
      status: 401,
    });
    expect(await call(`${guarded.url}?access_token=${token}`, "Bearer x")).toMatchObject({ status: 401 });
  });

  test("is neither logged nor sent to the issuer [AUTH-10]", async () => {
    const tokens = [await issuer.sign(), await issuer.sign({ exp: 1 }), await issuer.sign({}, { kid: "x" })];
    issuer.isDown = true;
    const fresh = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
    for (const token of tokens) {
      await use(token);
      await call(fresh.url, `Bearer ${token}`);
    }
    expect(fresh.logged).not.toEqual([]);
    const seen = JSON.stringify([guarded.logged, fresh.logged, issuer.asked]);
    for (const token of tokens) for (const part of token.split(".")) expect(seen).not.toContain(part);
    expect(seen).not.toContain(
      createHash("sha256")
        .update(tokens[0] as string)
        .digest("base64"),
    );
  });

  test.each(["Bearer", "Bearer a b", "Bearer a,b", "Bearer ä"])(
    "that is malformed gets 400: %s [HST-16]",
    async (authorization) => {
      expect(await call(guarded.url, authorization)).toEqual({
        status: 400,
        challenge: expect.stringContaining('error="invalid_request"') as string,
        said: expect.stringContaining("exactly one bearer token") as string,
      });
    },
  );

  test("of another scheme is ignored", async () => {
    expect(await call(guarded.url, "Basic YTpi")).toMatchObject({ status: 401 });
  });
});
