import { describe, expect, test } from "vitest";
import { initialize, type Message, serve } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { openWire, postText } from "./wire.js";

const evil = { origin: "https://evil.example" };
const local = { origin: "http://localhost:6274" };
const get = (path: string, headers: Record<string, string>) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
};

describe("Origin", () => {
  test("that is not allowed is rejected on every request, before anything else [HST-03]", async () => {
    const site = await serve({ sse: true });
    const client = await site.open();
    const answers = [
      await site.post(initialize("2025-11-25"), evil),
      await callModern(site, "echo", { text: "hi" }, {}, evil),
      await client.request("tools/list", {}, evil),
      await client.get(evil),
      await client.delete(evil),
      await fetch(site.at("/sse"), { headers: { ...evil, accept: "text/event-stream" } }),
      await fetch(site.at("/messages?sessionId=x"), { method: "POST", headers: evil }),
      await fetch(site.at("/health"), { headers: evil }),
      await fetch(site.url, { method: "OPTIONS", headers: evil }),
      await site.post("{}", { origin: "null" }),
      await site.post("{}", { origin: "http://localhost.evil.example" }),
      await site.post("{}", { origin: "http://127.0.0.1.evil.example" }),
      await site.post("{}", { origin: "file://" }),
      await site.post("{}", { origin: "chrome-extension://abc" }),
      await site.post("{}", { origin: "http://localhost@evil.example" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(answers.every(({ headers }) => headers.get("access-control-allow-origin") === null)).toBe(true);
    expect((await answers[0]?.json()) as Message).toMatchObject({ error: { code: -32600 } });
    // The session has lost nothing by it.
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("of this machine, of the server's own address or of allowedOrigins is accepted", async () => {
    const site = await serve({ allowedOrigins: ["https://app.example"] });
    const own = `http://127.0.0.1:${site.port}`;
    for (const origin of ["http://localhost:6274", "http://127.0.0.1:1", "https://APP.example", "http://[::1]:9", own])
      expect((await callModern(site, "echo", { text: "hi" }, {}, { origin })).status).toBe(200);
    const open = await serve({ allowedOrigins: ["*"] });
    expect((await callModern(open, "echo", { text: "hi" }, {}, evil)).status).toBe(200);
  });
});

describe("Host", () => {
  test("that is not a name of the server is rejected on every request (DNS rebinding) [HST-04]", async () => {
    const site = await serve({ sse: true });
    const client = await site.open();
    const { body, headers } = modern("tools/list");
    for (const host of [
      "evil.example",
      "evil.example:3000",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "169.254.169.254",
    ]) {
      const texts = [
        postText(body, { ...headers, host }),
        get("/mcp", { host, accept: "text/event-stream", ...client.headers }),
        get("/mcp", { host, ...client.headers }).replace("GET", "DELETE"),
        get("/sse", { host, accept: "text/event-stream" }),
        postText("{}", { host }).replace("/mcp", "/messages?sessionId=x"),
        get("/health", { host }),
      ];
      for (const text of texts) expect((await openWire(site).write(text).answer()).status).toBe(403);
    }
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("may be a loopback name or an allowed one", async () => {
    const site = await serve({ allowedHosts: ["mcp.example"] });
    const { body, headers } = modern("tools/list");
    for (const host of [
      "localhost",
      "LOCALHOST:80",
      "127.0.0.1:1",
      "[::1]:5",
      "mcp.example",
      "mcp.example:8080",
      "MCP.example",
    ])
      expect(
        (
          await openWire(site)
            .write(postText(body, { ...headers, host }))
            .answer()
        ).status,
      ).toBe(200);
  });

  test("is required", async () => {
    const site = await serve();
    expect((await openWire(site).write("GET /health HTTP/1.0\r\n\r\n").answer()).status).toBe(403);
    expect((await openWire(site).write("GET /health HTTP/1.1\r\n\r\n").answer()).status).toBe(400);
  });
});

test("a server listens on 127.0.0.1 by default [SEC-01]", async () => {
  const site = await serve();
  expect(site.url).toBe(`http://127.0.0.1:${site.port}/mcp`);
  const other = await serve({ host: "localhost" });
  expect(new URL(other.url).hostname).toBe("localhost");
});

describe("CORS", () => {
  test("lets pages of allowed origins read responses, and no others [SEC-08]", async () => {
    const site = await serve();
    const answer = await site.post(initialize("2025-11-25"), local);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(answer.headers.get("access-control-expose-headers")).toBe("Mcp-Session-Id, WWW-Authenticate, Retry-After");
    const client = await site.open();
    expect((await client.get(local)).headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
    expect((await client.request("nope", {}, local)).headers.get("access-control-allow-origin")).toBe(
      "http://localhost:6274",
    );
    const refused = await site.post("{}", { ...local, "content-type": "text/plain" });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      415,
      "http://localhost:6274",
    ]);
    const plain = await client.request("tools/list");
    expect(plain.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("allows all headers that clients send, including those of tools, in a preflight [SEC-08]", async () => {
    const site = await serve();
    const response = await fetch(site.url, {
      method: "OPTIONS",
      headers: {
        ...local,
        "access-control-request-method": "POST",
        "access-control-request-headers":
          "content-type, mcp-param-region, mcp-param-tenant.id!, x-evil, mcp-method, x-mcp-toolsets, mcp-param-(x)",
      },
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, mcp-param-region, mcp-param-tenant.id!, x-mcp-toolsets",
    );
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  });

  test("requires no token for a preflight and does not limit its rate", async () => {
    const auth = { authenticate: () => undefined, selfCheck: "off" as const };
    const site = await serve({ auth, rate: { burst: 1, perSecond: 0.01 } });
    for (let times = 0; times < 5; times += 1)
      expect((await fetch(site.url, { method: "OPTIONS", headers: local })).status).toBe(204);
    const denied = await site.post("{}", local);
    expect([denied.status, denied.headers.get("access-control-allow-origin")]).toEqual([401, "http://localhost:6274"]);
  });
});

describe("health", () => {
  test("is available at /health and /alive, with GET and HEAD", async () => {
    const site = await serve();
    for (const path of ["/health", "/alive"]) {
      const answer = await fetch(site.at(path));
      expect([answer.status, await answer.text()]).toEqual([200, '{"status":"ok"}']);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const head = await fetch(site.at(path), { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await fetch(site.at(path), { method: "POST" })).status).toBe(405);
    }
    expect((await fetch(site.at("/"))).status).toBe(404);
    expect((await fetch(site.url, { method: "PUT" })).status).toBe(405);
  });
});
