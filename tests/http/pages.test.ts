import { createServer, type HttpOptions, hashApiKey, type Pages, serveHttp } from "@toolwright/engine";
import { expect, onTestFinished, test } from "vitest";
import { openFetchHandler } from "../../packages/engine/src/transports/http/fetch-handler.js";

const pages: Pages = {
  isAt: (path) => path.startsWith("/p/"),
  serve: async (request) => {
    if (request.path === "/p/events") return { open: follow };
    const said = { who: request.principal, key: request.header("authorization"), query: request.query };
    if (request.method === "POST") return { status: 200, headers: {}, body: (await request.read(5)) ?? "too much" };
    if (request.path === "/p/bytes")
      return { status: 200, headers: { "x-own": "1" }, body: new Uint8Array([104, 105]) };
    return { status: 200, headers: { "content-type": "text/plain" }, body: JSON.stringify(said) };
  },
};

let followers = 0;
function follow(stream: { write(event: string): void }): () => void {
  followers += 1;
  stream.write("data: hello\n\n");
  return () => {
    followers -= 1;
  };
}

const createEmpty = () => createServer({ name: "empty", version: "1.0.0", tools: [], log: () => undefined });

async function serve(options: HttpOptions = {}): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const server = createEmpty();
  const serving = await serveHttp(server, { port: 0, pages, ...options });
  onTestFinished(async () => {
    await serving.close();
    await server.close();
  });
  return (path, init) => fetch(new URL(path, serving.url), init);
}

test("pages are served where nothing else is", async () => {
  const get = await serve();
  const page = await get("/p/x?a=1");
  expect([page.status, await page.text()]).toEqual([200, '{"query":"a=1"}']);
  const bytes = await get("/p/bytes");
  expect([bytes.headers.get("x-own"), bytes.headers.get("content-length"), await bytes.text()]).toEqual([
    "1",
    "2",
    "hi",
  ]);
  expect((await get("/health")).status).toBe(200);
  expect((await get("/mcp", { method: "PUT" })).status).toBe(405);
  const missing = await get("/q");
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining("nothing is here; MCP is spoken at /mcp"),
  ]);
});

test("a body is read up to a bound", async () => {
  const get = await serve();
  expect(await (await get("/p/x", { method: "POST", body: "12345" })).text()).toBe("12345");
  expect(await (await get("/p/x", { method: "POST", body: "123456" })).text()).toBe("too much");
});

test("pages are behind the same guard: names, origins and rate, and no other page may read them", async () => {
  const get = await serve({ rate: { burst: 2, perSecond: 0.001 } });
  expect((await get("/p/x", { headers: { origin: "https://evil.example" } })).status).toBe(403);
  const local = await get("/p/x", { headers: { origin: "http://localhost:1" } });
  expect([local.status, local.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  expect((await get("/p/x")).status).toBe(200);
  expect((await get("/p/x")).status).toBe(429);
});

test("pages need the same credentials; a browser gives a key as a password", async () => {
  const key = "k".repeat(32);
  const get = await serve({ auth: { apiKeys: [{ principal: "ada", hash: hashApiKey(key) }] } });
  const stranger = await get("/p/x");
  expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([
    401,
    'Basic realm="a key or token, as the password", charset="UTF-8"',
  ]);
  expect((await get("/mcp", { method: "POST" })).headers.get("www-authenticate")).toMatch(/^Bearer/);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const known = await get("/p/x", { headers: { authorization: basic(`anybody:${key}`) } });
  expect([known.status, await known.text()]).toEqual([200, '{"who":"ada","query":""}']);
  expect((await get("/p/x", { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  expect((await get("/p/x", { headers: { authorization: basic(`anybody:${key}x`) } })).status).toBe(401);
  // What is no page takes no password.
  expect((await get("/mcp", { method: "POST", headers: { authorization: basic(`a:${key}`) } })).status).toBe(401);
  expect((await get("/q")).status).toBe(404);
});

test("an event stream of a page ends with its client, or with the server, and there are only so many", async () => {
  const get = await serve({ limits: { streams: 1 } });
  const leaving = new AbortController();
  const stream = await get("/p/events", { signal: leaving.signal });
  expect(stream.headers.get("content-type")).toBe("text/event-stream");
  const read = await stream.body?.getReader().read();
  expect(Buffer.from(read?.value ?? []).toString()).toBe("data: hello\n\n");
  expect(followers).toBe(1);
  expect((await get("/p/events")).status).toBe(503);
  expect((await get("/p/events", { method: "POST" })).status).toBe(405);
  leaving.abort();
  await expect.poll(() => followers).toBe(0);
  const server = createEmpty();
  const serving = await serveHttp(server, { port: 0, pages });
  const other = await fetch(new URL("/p/events", serving.url));
  expect(followers).toBe(1);
  await serving.close();
  expect(followers).toBe(0);
  expect(await other.text()).toBe("data: hello\n\n");
  await server.close();
});

test("other hosts serve pages too", async () => {
  const server = createEmpty();
  const handle = await openFetchHandler(server, { pages });
  const bytes = await handle(new Request("http://localhost/p/bytes"));
  expect([bytes.status, await bytes.text()]).toEqual([200, "hi"]);
  await server.close();
});
