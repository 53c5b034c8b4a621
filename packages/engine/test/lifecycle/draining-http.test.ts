import { createServer, type Server, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import type { RunningServer } from "@toolwright/engine/sockets";
import { expect, onTestFinished, test } from "vitest";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const REFUSAL = {
  code: -32603,
  message: "The server is shutting down: it accepts no new requests. Try again after it has restarted.",
  data: { retryable: true },
};

interface Workshop {
  readonly server: Server;
  readonly url: string;
  /** Lets the tool `wait` continue. */
  readonly open: () => void;
  /** Resolves when the tool runs. */
  readonly runs: Promise<void>;
}

async function start(limits = {}): Promise<Workshop> {
  const [gate, runs] = [deferred<string>(), deferred<void>()];
  const wait = tool({
    name: "wait",
    description: "Waits.",
    run() {
      runs.resolve();
      return gate.promise;
    },
  });
  const server = createServer({ name: "test", version: "1.0.0", tools: [wait], limits, log: () => undefined });
  const running: RunningServer = await serveHttp(server, { port: 0 });
  onTestFinished(() => running.close());
  return { server, url: running.url, open: () => gate.resolve("waited"), runs: runs.promise };
}

function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function post(url: string, message: object, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  const own = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(url, { method: "POST", headers: { ...own, ...headers }, body });
}

function postAlone(url: string, id: number, method: string, params: object = {}): Promise<Response> {
  const name = (params as { name?: string }).name;
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  return post(url, { id, method, params: { ...params, _meta: META } }, headers);
}

test("a draining server finishes running HTTP requests, and rejects new stateless ones with 503", async () => {
  const { server, url, open, runs } = await start();
  const running = postAlone(url, 1, "tools/call", { name: "wait", arguments: {} });
  await runs;
  const drained = server.drain();
  expect(server.isDraining).toBe(true);
  const refused = await postAlone(url, 2, "tools/list");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toEqual({ jsonrpc: "2.0", id: 2, error: REFUSAL });
  expect((await fetch(new URL("/health", url))).status).toBe(503);
  expect((await fetch(new URL("/alive", url))).status).toBe(200);
  open();
  const answer = await running;
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("waited");
  await drained;
});

test("a draining server responds to pings in a session and accepts cancellations", async () => {
  const { server, url, runs } = await start();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const begun = await post(url, { id: 0, method: "initialize", params });
  const session = {
    "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await begun.text();
  await post(url, { method: "notifications/initialized" }, session);
  const running = post(url, { id: 1, method: "tools/call", params: { name: "wait", arguments: {} } }, session);
  await runs;
  const drained = server.drain();
  const refused = await post(url, { id: 2, method: "tools/list" }, session);
  expect([refused.status, await refused.json()]).toEqual([503, { jsonrpc: "2.0", id: 2, error: REFUSAL }]);
  const pinged = await post(url, { id: 3, method: "ping" }, session);
  expect([pinged.status, await pinged.json()]).toEqual([200, { jsonrpc: "2.0", id: 3, result: {} }]);
  const cancelled = await post(url, { method: "notifications/cancelled", params: { requestId: 1 } }, session);
  expect(cancelled.status).toBe(202);
  await drained;
  expect((await running).status).toBe(202);
});

test("an HTTP request that is aborted gets an error response", async () => {
  const { server, url, runs } = await start({ drainMs: 50 });
  const running = postAlone(url, 1, "tools/call", { name: "wait", arguments: {} });
  await runs;
  await server.drain();
  expect(await (await running).json()).toMatchObject({
    id: 1,
    error: { code: -32603, data: { limit: "drainMs" } },
  });
});

test("a closed server processes nothing more, even if a transport still listens", async () => {
  const { server, url } = await start();
  expect((await postAlone(url, 1, "tools/list")).status).toBe(200);
  await server.close();
  const refused = await postAlone(url, 2, "tools/list");
  expect([refused.status, await refused.json()]).toEqual([503, { jsonrpc: "2.0", id: 2, error: REFUSAL }]);
});
