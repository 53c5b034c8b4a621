import { once } from "node:events";
import { createServer } from "@toolwright/engine";
import {
  createFetchHandler,
  type HttpOptions,
  hashApiKey,
  type PageEventStream,
  type Pages,
  serveHttp,
} from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";
import { pause, serve as serveSite, until } from "./serve.js";
import { openWire } from "./wire.js";

const pages: Pages = {
  matches: (path) => path.startsWith("/p/"),
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

test("pages are served at paths that nothing else uses", async () => {
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
    expect.stringContaining("not found; the MCP endpoint is /mcp"),
  ]);
});

test("a body is read up to a limit", async () => {
  const get = await serve();
  expect(await (await get("/p/x", { method: "POST", body: "12345" })).text()).toBe("12345");
  expect(await (await get("/p/x", { method: "POST", body: "123456" })).text()).toBe("too much");
});

test("pages have the same host, origin and rate checks, and no CORS headers", async () => {
  const get = await serve({ rate: { burst: 2, perSecond: 0.001 } });
  expect((await get("/p/x", { headers: { origin: "https://evil.example" } })).status).toBe(403);
  const local = await get("/p/x", { headers: { origin: "http://localhost:1" } });
  expect([local.status, local.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  expect((await get("/p/x")).status).toBe(200);
  expect((await get("/p/x")).status).toBe(429);
});

test("pages require the same credentials; a browser sends a key as a password", async () => {
  const key = "k".repeat(32);
  const get = await serve({ auth: { apiKeys: [{ principal: "ada", hash: hashApiKey(key) }] } });
  const stranger = await get("/p/x");
  expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([
    401,
    'Basic realm="API key or token as the password", charset="UTF-8"',
  ]);
  expect((await get("/mcp", { method: "POST" })).headers.get("www-authenticate")).toMatch(/^Bearer/);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const known = await get("/p/x", { headers: { authorization: basic(`anybody:${key}`) } });
  expect([known.status, await known.text()]).toEqual([200, '{"who":"ada","query":""}']);
  expect((await get("/p/x", { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  expect((await get("/p/x", { headers: { authorization: basic(`anybody:${key}x`) } })).status).toBe(401);
  // Other paths accept no password.
  expect((await get("/mcp", { method: "POST", headers: { authorization: basic(`a:${key}`) } })).status).toBe(401);
  expect((await get("/q")).status).toBe(404);
});

test("an event stream of a page ends with its client or with the server, and counts against the limit", async () => {
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

test("a page whose stream fails to start or to end does not leak it or stop the server", async () => {
  const fail = (): never => {
    throw new Error("a fault of the page");
  };
  const streams: Record<string, PageEventStream["open"]> = {
    "/begin": fail,
    "/end": (stream) => {
      stream.write("data: 1\n\n");
      return fail;
    },
    "/nothing": (stream) => stream.write("data: 1\n\n") as never,
    "/later": follow,
  };
  const site = await serveSite({
    limits: { streams: 3 },
    pages: { matches: () => true, serve: ({ path }) => ({ open: streams[path] as PageEventStream["open"] }) },
  });
  expect(await (await fetch(site.at("/begin"))).text()).toBe("");
  const open = await Promise.all(["/end", "/nothing", "/later"].map((path) => fetch(site.at(path))));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  await site.serving.close();
  expect(followers).toBe(0);
  expect(site.entries.map(({ level, error }) => [level, String(error)])).toEqual([
    ["error", "Error: a fault of the page"],
    ["error", "Error: a fault of the page"],
  ]);
});

test("a body is read once even if a page reads it twice, and is undefined if the client disconnects", async () => {
  const read: (string | undefined)[] = [];
  const site = await serveSite({
    pages: {
      matches: () => true,
      serve: async (request) => {
        const [first, second] = [await request.read(100), await request.read(100)];
        read.push(first, second);
        return { status: first === undefined ? 413 : 200, headers: {} };
      },
    },
  });
  await fetch(site.at("/p"), { method: "POST", body: "hello" });
  const wire = openWire(site).write("POST /p HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\nhe");
  await once(wire.socket, "connect");
  await pause(50);
  wire.socket.destroy();
  await until(() => read.length === 4, "the end of the body");
  expect(read).toEqual(["hello", "hello", undefined, undefined]);
  const large = openWire(site).write("POST /p HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n");
  large.write(`${(300_000).toString(16)}\r\n${"x".repeat(300_000)}\r\n0\r\n\r\n`);
  const { status, headers } = await large.answer();
  expect([status, headers["connection"]]).toEqual([413, "close"]);
});

test("fetch handlers serve pages too", async () => {
  const server = createEmpty();
  const handle = createFetchHandler(server, { pages });
  const bytes = await handle(new Request("http://localhost/p/bytes"));
  expect([bytes.status, await bytes.text()]).toEqual([200, "hi"]);
  await server.close();
});
