import { PassThrough } from "node:stream";
import { createServer, type JsonObject } from "@toolwright/engine";
import { serveStreams } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";
import { Wire } from "../features/wire.js";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createBlockingTool, createEcho, settled } from "./support.js";

const QUICK = { intervalMs: 1, timeoutMs: 5000 };

onRevisions(HANDSHAKE, "a client that responds to pings is pinged again and served [PING-02]", async (open) => {
  const client = await open(createEcho({ protocol: { keepAlive: QUICK } }));
  while (client.received("ping").length < 3) await settled();
  expect(new Set(client.received("ping").map(({ id }) => id)).size).toBe(client.received("ping").length);
  expect((await client.callTool("echo", { text: "here" }))["content"]).toEqual([{ type: "text", text: "here" }]);
});

onRevisions(HANDSHAKE, "an error response to a ping counts as alive [PING-02]", async (_open, revision) => {
  const wire = new Wire(createEcho({ protocol: { keepAlive: QUICK } }), revision);
  wire.initialize();
  for (let round = 1; round <= 3; round += 1) {
    await wire.waitFor({ method: "ping", id: round });
    wire.send({ id: round, error: { code: -32601, message: "Method not found" } });
  }
  await wire.waitFor({ method: "ping", id: 4 });
  wire.send({ id: "still", method: "ping" });
  expect(await wire.waitFor({ id: "still" })).toEqual({ jsonrpc: "2.0", id: "still", result: {} });
  wire.session.close();
  wire.expectLegal();
});

onRevisions(
  HANDSHAKE,
  "a client that does not respond is disconnected, and its calls are aborted [PING-02]",
  async (_open, revision) => {
    const gate = createBlockingTool();
    const wire = new Wire(
      createEcho({ tools: [gate.tool], protocol: { keepAlive: { intervalMs: 1, timeoutMs: 1 } } }),
      revision,
    );
    wire.initialize();
    wire.send({ id: "call", method: "tools/call", params: { name: "gate", arguments: {} } });
    while (gate.stopped.length === 0) await settled();
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
  },
);

onRevisions([STATELESS], "a stateless client is never pinged", async (open) => {
  const client = await open(createEcho({ protocol: { keepAlive: QUICK } }));
  await client.callTool("echo", { text: "a" });
  await settled(20);
  expect(client.received("ping")).toEqual([]);
});

test("no client is pinged by default, or before the handshake", async () => {
  const [silent, early] = [
    new Wire(createEcho(), "2025-11-25"),
    new Wire(createEcho({ protocol: { keepAlive: QUICK } }), "2025-11-25"),
  ];
  silent.initialize();
  const clientInfo = { name: "early", version: "1" };
  early.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await settled(20);
  expect([silent.receivedMethods, early.receivedMethods]).toEqual([["response"], ["response"]]);
});

test("over streams, a client that does not respond is disconnected, and the log says why", async () => {
  const log: string[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    protocol: { keepAlive: { intervalMs: 1, timeoutMs: 1 } },
    log: ({ message }) => void log.push(message),
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.resume();
  const served = serveStreams(server, { input, output });
  const clientInfo = { name: "gone", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const send = (message: JsonObject) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 1, method: "initialize", params });
  send({ method: "notifications/initialized" });
  await served;
  expect(log).toEqual(["a client did not respond to a ping and was disconnected"]);
});

describe("keepAlive is rejected", () => {
  test.each([
    [{ every: 5 }, "unknown option protocol.keepAlive.every; expected one of intervalMs, timeoutMs"],
    [{ intervalMs: 0 }, "protocol.keepAlive.intervalMs must be a positive number"],
    [{ timeoutMs: "5" }, "protocol.keepAlive.timeoutMs must be a positive number"],
  ])("with %j", (keepAlive, fault) => {
    expect(() => createEcho({ protocol: { keepAlive: keepAlive as never } })).toThrow(
      new TypeError(`Cannot create the server: ${fault}`),
    );
  });
});
