import { createServer, type Middleware, type Server, tool } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { expect, test } from "vitest";
import { initialize, until } from "../http/serve.js";
import { everyTransport } from "../support/every-transport.js";

const echo = tool({
  name: "echo",
  description: "Echoes.",
  input: { type: "object", properties: {} },
  run: () => "hello",
});

const seen = new WeakMap<Server, { transport: string; hasId: boolean }[]>();

function create(): Server {
  const requests: { transport: string; hasId: boolean }[] = [];
  const look: Middleware = (request, next) => {
    if (request.method === "tools/call")
      requests.push({ transport: request.transport, hasId: request.sessionId !== undefined });
    return next();
  };
  const server = createServer({ name: "test", version: "1.0.0", tools: [echo], middleware: [look] });
  seen.set(server, requests);
  return server;
}

/** What each transport is called in reports, by the name that the tests have for it. */
const NAMES: readonly [of: RegExp, transport: string, hasId: (revision: string) => boolean][] = [
  [/\(memory/, "memory", () => false],
  [/\(streams/, "streams", () => false],
  [/\(a Unix socket/, "unix", () => false],
  [/\(HTTP,|\(a fetch handler/, "http", (revision) => revision !== "2026-07-28"],
  [/\(HTTP\+SSE/, "sse", () => true],
  [/\(WebSocket/, "websocket", () => false],
];

everyTransport("requests say what they came over", create, async (join, server, revision) => {
  const client = await join();
  await client.callTool("echo", {});
  const current = expect.getState().currentTestName ?? "";
  const [, transport, hasId] = NAMES.find(([of]) => of.test(current)) ?? [];
  expect(seen.get(server)).toEqual([{ transport, hasId: hasId?.(revision) }]);
});

test("requests of a batch have the transport too", async () => {
  const server = create();
  const received: string[] = [];
  const client = await openMemoryConnection(server, (message) => void received.push(message));
  client.send(JSON.stringify(initialize("2025-03-26")));
  await until(() => received.length === 1, "the handshake");
  const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "echo", arguments: {} } };
  client.send(JSON.stringify([1, 2].map((id) => ({ ...call, id }))));
  await until(() => received.length === 2, "the answers");
  client.close();
  const same = { transport: "memory", hasId: false };
  expect(seen.get(server)).toEqual([same, same]);
});
