import { PassThrough } from "node:stream";
import { createServer, type JsonObject, serveStreams } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { Wire } from "../features/wire.js";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, createGate, settled } from "./support.js";

const QUICK = { everyMs: 1, timeoutMs: 5000 };

onRevisions(HANDSHAKE, "a client that answers pings is pinged again, and served [PING-02]", async (open) => {
  const client = await open(createEcho({ keepAlive: QUICK }));
  while (client.heard("ping").length < 3) await settled();
  expect(new Set(client.heard("ping").map(({ id }) => id)).size).toBe(client.heard("ping").length);
  expect((await client.callTool("echo", { text: "here" }))["content"]).toEqual([{ type: "text", text: "here" }]);
});

onRevisions(HANDSHAKE, "an error is a sign of life too [PING-02]", async (_open, revision) => {
  const wire = new Wire(createEcho({ keepAlive: QUICK }), revision);
  wire.initialize();
  for (let round = 1; round <= 3; round += 1) {
    await wire.until({ method: "ping", id: round });
    wire.say({ id: round, error: { code: -32601, message: "Method not found" } });
  }
  await wire.until({ method: "ping", id: 4 });
  wire.say({ id: "still", method: "ping" });
  expect(await wire.until({ id: "still" })).toEqual({ jsonrpc: "2.0", id: "still", result: {} });
  wire.session.close();
  wire.expectLegal();
});

onRevisions(
  HANDSHAKE,
  "a client that does not answer is given up: its calls stop [PING-02]",
  async (_open, revision) => {
    const gate = createGate();
    const wire = new Wire(createEcho({ tools: [gate.tool], keepAlive: { everyMs: 1, timeoutMs: 1 } }), revision);
    wire.initialize();
    wire.say({ id: "call", method: "tools/call", params: { name: "gate", arguments: {} } });
    while (gate.stopped.length === 0) await settled();
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
  },
);

onRevisions([STATELESS], "a stateless client is never pinged", async (open) => {
  const client = await open(createEcho({ keepAlive: QUICK }));
  await client.callTool("echo", { text: "a" });
  await settled(20);
  expect(client.heard("ping")).toEqual([]);
});

test("nobody is pinged by default, nor before the handshake is over", async () => {
  const [silent, early] = [
    new Wire(createEcho(), "2025-11-25"),
    new Wire(createEcho({ keepAlive: QUICK }), "2025-11-25"),
  ];
  silent.initialize();
  const clientInfo = { name: "early", version: "1" };
  early.say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  await settled(20);
  expect([silent.kinds, early.kinds]).toEqual([["answer"], ["answer"]]);
});

test("over streams, giving up a client ends the conversation, and the log says why", async () => {
  const log: string[] = [];
  const server = createServer({
    name: "test",
    version: "1.0.0",
    keepAlive: { everyMs: 1, timeoutMs: 1 },
    log: ({ message }) => void log.push(message),
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.resume();
  const served = serveStreams(server, { input, output });
  const clientInfo = { name: "gone", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const say = (message: JsonObject) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize", params });
  say({ method: "notifications/initialized" });
  await served;
  expect(log).toEqual(["a client did not answer a ping and is given up"]);
});

describe("keepAlive is refused", () => {
  test.each([
    [{ every: 5 }, "keepAlive.every is unknown"],
    [{ everyMs: 0 }, "keepAlive.everyMs must be a positive number"],
    [{ timeoutMs: "5" }, "keepAlive.timeoutMs must be a positive number"],
  ])("with %j", (keepAlive, fault) => {
    expect(() => createEcho({ keepAlive: keepAlive as never })).toThrow(
      new TypeError(`Cannot create the server: ${fault}`),
    );
  });
});
