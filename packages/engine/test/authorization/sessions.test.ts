import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AUDIENCE, type Issuer, openIssuer } from "./issuer.js";
import { type Guarded, serveGuarded } from "./protected-server.js";

let issuer: Issuer;
let guarded: Guarded;
let ada: string;
let eve: string;
beforeAll(async () => {
  issuer = await openIssuer();
  ada = await issuer.sign({ sub: "ada" });
  eve = await issuer.sign({ sub: "eve" });
});
afterAll(() => issuer.stop());
beforeEach(async () => {
  guarded = await serveGuarded({ issuer: issuer.url, audience: AUDIENCE });
});

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly session?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

async function send({ method = "POST", token, session, body, headers }: Sent): Promise<Response> {
  const response = await fetch(guarded.url, {
    method,
    headers: {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      ...(body && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(session !== undefined && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) await response.body?.cancel();
  return response;
}

async function open(token: string): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const response = await send({ token, body: { jsonrpc: "2.0", id: 0, method: "initialize", params } });
  expect(response.status).toBe(200);
  return response.headers.get("mcp-session-id") as string;
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const requests: [string, Sent][] = [
  ["POST", { body: ping }],
  ["GET", { method: "GET" }],
  ["GET of a stream that broke off", { method: "GET", headers: { "last-event-id": "0-0" } }],
  ["DELETE", { method: "DELETE" }],
];

describe.each(requests)("%s in a session", (_name, request) => {
  test("requires a token: the session id is not sufficient [AUTH-12 SEC-02]", async () => {
    const session = await open(ada);
    const response = await send({ ...request, session });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata=");
  });

  test("requires a token that has not expired [AUTH-12]", async () => {
    const session = await open(ada);
    const expired = await issuer.sign({ sub: "ada", exp: 1 });
    const foreign = await issuer.sign({ sub: "ada", aud: "https://other.example" });
    expect((await send({ ...request, session, token: expired })).status).toBe(401);
    expect((await send({ ...request, session, token: foreign })).status).toBe(401);
  });

  test("is only for its owner: others get 404 [SEC-02]", async () => {
    const session = await open(ada);
    expect((await send({ ...request, session, token: eve })).status).toBe(404);
    expect((await send({ session, token: ada, body: ping })).status).toBe(200);
  });
});

describe("a session", () => {
  test("continues with another token of the same user", async () => {
    const session = await open(ada);
    const renewed = await issuer.sign({ sub: "ada", jti: "another" });
    const response = await send({ session, token: renewed, body: ping });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  test("has the scopes of each token, not of the first one [AUTH-12]", async () => {
    const wide = await issuer.sign({ sub: "ada", scope: "write" });
    const session = await open(wide);
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "write" } };
    expect((await send({ session, token: wide, body })).status).toBe(200);
    const refused = await send({ session, token: ada, body });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
  });
});

test("every method requires a token without a session too [AUTH-12]", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
    expect([method, (await send({ method })).status]).toEqual([method, 401]);
});

test.each([
  ["the stream of a session", "GET", false],
  ["a call that lasts", "POST", true],
])("%s ends with the token that opened it [AUTH-12]", async (_name, method, isCall) => {
  const valid = new Set(["Bearer ada"]);
  const authenticate = (request: { header(name: string): string | undefined }) =>
    valid.has(request.header("authorization") ?? "") ? { principal: "ada" } : undefined;
  guarded = await serveGuarded({ authenticate }, { limits: { keepAliveMs: 20 } });
  const session = await open("ada");
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const listen = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { notifications: {}, _meta: meta } };
  const response = await fetch(guarded.url, {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      authorization: "Bearer ada",
      ...(isCall
        ? {
            "content-type": "application/json",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "subscriptions/listen",
          }
        : { "mcp-session-id": session }),
    },
    ...(isCall && { body: JSON.stringify(listen) }),
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  valid.clear();
  // It ends by itself; with a token that holds it would go on for ever.
  expect(await response.text()).not.toContain('"result"');
});
