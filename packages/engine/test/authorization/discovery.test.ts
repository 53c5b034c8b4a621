import { createServer, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AUDIENCE, type Issuer, openIssuer } from "./issuer.js";
import { call, read, serveGuarded } from "./protected-server.js";

let issuer: Issuer;
beforeAll(async () => {
  issuer = await openIssuer();
});
afterAll(() => issuer.stop());

describe("the metadata of the server", () => {
  const places = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/mcp/.well-known/oauth-protected-resource",
  ];

  test.each(places)("is at %s [AUTH-02 AUTH-03]", async (place) => {
    const { origin, url } = await serveGuarded({ issuer: issuer.url, scopes: ["read"] });
    expect(await read(origin + place)).toEqual({
      resource: url,
      authorization_servers: [issuer.url],
      scopes_supported: ["read", "write", "wipe"],
      bearer_methods_supported: ["header"],
    });
  });

  test("is also under the path of the public URL, which it describes", async () => {
    const publicUrl = "https://tools.example/team/mcp";
    const { origin } = await serveGuarded({ issuer: issuer.url }, { publicUrl });
    for (const place of [...places, "/.well-known/oauth-protected-resource/team/mcp"])
      expect(await read(origin + place)).toMatchObject({ resource: publicUrl });
    const { challenge } = await call(`${origin}/mcp`);
    expect(challenge).toContain(
      'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/team/mcp"',
    );
  });

  test("of HTTP+SSE describes its own URL, which its challenges name [AUTH-02 AUTH-03]", async () => {
    const { origin } = await serveGuarded({ issuer: issuer.url }, { sse: true });
    const documents = ["/.well-known/oauth-protected-resource/sse", "/sse/.well-known/oauth-protected-resource"];
    for (const place of documents) expect(await read(origin + place)).toMatchObject({ resource: `${origin}/sse` });
    for (const place of places) expect(await read(origin + place)).toMatchObject({ resource: `${origin}/mcp` });
    for (const path of ["/sse", "/messages?sessionId=1"])
      expect((await fetch(origin + path)).headers.get("www-authenticate")).toContain(
        `resource_metadata="${origin}${documents[0]}"`,
      );
    const hidden = await serveGuarded(
      { issuer: issuer.url },
      { sse: true, publicUrl: "https://tools.example/team/mcp" },
    );
    const document = "/.well-known/oauth-protected-resource/team/sse";
    expect(await read(hidden.origin + document)).toMatchObject({ resource: "https://tools.example/team/sse" });
    expect((await fetch(`${hidden.origin}/sse`)).headers.get("www-authenticate")).toContain(
      `resource_metadata="https://tools.example${document}"`,
    );
    const plain = await serveGuarded({ issuer: issuer.url });
    expect(await read(plain.origin + documents[0])).toBe(404);
  });

  test("names the server as the client does [AUTH-13]", async () => {
    const { url } = await serveGuarded({ issuer: issuer.url });
    const { host, port } = new URL(url);
    const asked = `http://LOCALHOST:${port}/.well-known/oauth-protected-resource`;
    expect(await read(asked)).toMatchObject({ resource: `http://localhost:${port}/mcp` });
    expect(await read(`http://${host}/.well-known/oauth-protected-resource`)).toMatchObject({ resource: url });
  });

  test("lists the minimal scopes of tools: no wildcard and no scope that implies others [SEC-05]", async () => {
    const impliedScopes = { admin: ["read", "write", "wipe"] };
    const { origin } = await serveGuarded({ issuer: issuer.url, scopes: ["read"], impliedScopes });
    expect(await read(`${origin}/.well-known/oauth-protected-resource`)).toMatchObject({
      scopes_supported: ["read", "write", "wipe"],
    });
    await expect(serveGuarded({ issuer: issuer.url, scopes: ["*"] })).rejects.toThrow(
      "auth.scopes must name the required scopes, not * or offline_access",
    );
  });

  test("is public, and the rest is not", async () => {
    const { origin } = await serveGuarded({ issuer: issuer.url });
    const post = await fetch(`${origin}/.well-known/oauth-protected-resource`, { method: "POST", body: "{}" });
    expect(post.status).toBe(404);
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource/other`)).status).toBe(404);
  });
});

describe("for clients of 2025-03-26", () => {
  test.each([
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/mcp/.well-known/oauth-authorization-server",
  ])("the metadata of the issuer is at %s [AUTH-14]", async (place) => {
    const { origin } = await serveGuarded({ issuer: issuer.url });
    await expect
      .poll(() => read(origin + place))
      .toMatchObject({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/authorize`,
        token_endpoint: `${issuer.url}/token`,
      });
  });

  test("the server is neither an authorization server nor a proxy of one [SEC-04]", async () => {
    const { origin } = await serveGuarded({ issuer: issuer.url });
    for (const path of ["/authorize", "/token", "/register", "/callback"])
      expect((await fetch(origin + path)).status).toBe(404);
  });
});

describe("a request without a token", () => {
  test("gets a challenge with the metadata URL and the scopes [AUTH-03 AUTH-04 HST-16]", async () => {
    const { url, origin } = await serveGuarded({ issuer: issuer.url, scopes: ["read", "files.list"] });
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    expect(await call(url)).toEqual({
      status: 401,
      challenge: `Bearer scope="read files.list", resource_metadata="${metadata}"`,
      said: expect.stringContaining("Authentication is required.") as string,
    });
  });

  test("is served if authentication is not configured [AUTH-01]", async () => {
    expect(await call(await serveOpen())).toEqual({ status: 200, challenge: null, said: "nobody" });
  });

  test("can only come from this machine by default [SEC-01]", async () => {
    expect(new URL(await serveOpen()).hostname).toBe("127.0.0.1");
  });
});

/** Serves a tool to everybody. */
async function serveOpen(): Promise<string> {
  const whoami = tool({
    name: "whoami",
    description: "Says who calls.",
    scopes: ["read"],
    run: (_input, { principal }) => principal ?? "nobody",
  });
  const serving = await serveHttp(createServer({ name: "open", version: "1.0.0", tools: [whoami] }), { port: 0 });
  onTestFinished(() => serving.close());
  return serving.url;
}

describe("a token with insufficient scopes", () => {
  const use = async (url: string, scope: string, name: string) =>
    call(url, `Bearer ${await issuer.sign({ scope })}`, name);

  test("for a tool gets all scopes of the tool, in the same order each time [AUTH-05 AUTH-06 HST-17]", async () => {
    const { url, origin } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, scopes: ["read"] });
    for (const scope of ["read", "read write", "read wipe", "read other"])
      expect(await use(url, scope, "wipe")).toEqual({
        status: 403,
        challenge:
          'Bearer error="insufficient_scope", error_description="The granted scopes are not sufficient.", ' +
          `scope="read write wipe", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        said: "The tool wipe needs a token with the scope write wipe",
      });
    expect(await use(url, "read write", "write")).toMatchObject({ status: 200, said: "written" });
    expect(await use(url, "wipe write read", "wipe")).toMatchObject({ status: 200, said: "wiped" });
  });

  test("for every request is rejected for every method [AUTH-05 HST-17]", async () => {
    const { url } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, scopes: ["read", "list"] });
    for (const scope of ["", "read", "write wipe"])
      expect(await use(url, scope, "whoami")).toEqual({
        status: 403,
        challenge: expect.stringContaining('scope="read list"') as string,
        said: "The granted scopes are not sufficient. Every request requires read, list.",
      });
  });

  test("may have a scope that implies the required one [AUTH-07]", async () => {
    const impliedScopes = { admin: ["write", "wipe"], write: ["read"] };
    const { url } = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE, scopes: ["read"], impliedScopes });
    expect(await use(url, "admin", "wipe")).toMatchObject({ status: 200, said: "wiped" });
    expect(await use(url, "write", "write")).toMatchObject({ status: 200, said: "written" });
    expect(await use(url, "write", "wipe")).toMatchObject({ status: 403 });
    expect(await use(url, "Admin", "wipe")).toMatchObject({ status: 403 });
  });

  test("never gets a challenge with offline_access [AUTH-08]", async () => {
    await expect(serveGuarded({ issuer: issuer.url, scopes: ["offline_access"] })).rejects.toThrow(
      "auth.scopes must name the required scopes, not * or offline_access",
    );
  });
});
