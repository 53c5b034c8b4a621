import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { WebSocketClientTransport } from "@modelcontextprotocol/sdk/client/websocket.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { type RunningServer, serveWebSocket, type WebSocketOptions } from "@toolwright/engine/sockets";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createBlockingTool } from "../protocol/support.js";
import { ALL, STATELESS } from "../support/every-revision.js";
import { call, createLogged, echo, openWebSocket, ping, pong, request, until } from "./wire.js";

let runningServers: RunningServer[] = [];

async function serve(...[options, sockets]: [Parameters<typeof createLogged>[0]?, WebSocketOptions?]) {
  const { server, log } = createLogged(options);
  const running = await serveWebSocket(server, { port: 0, ...sockets });
  runningServers.push(running);
  return { server, log, running, url: running.url };
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
});

const info = { name: "test", version: "1.0.0" };
const statelessMeta = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": info,
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("a WebSocket", () => {
  test.each(ALL)("serves %s", async (revision) => {
    const { url } = await serve({ compat: { lifecycle: "strict" } });
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = await openWebSocket(url);
    expect(client.ws.protocol).toBe("mcp");
    if (revision === STATELESS) {
      const params = { name: "echo", arguments: { text: "é" }, _meta: statelessMeta };
      client.send(request(1, "tools/call", params));
      expect(await client.receive(1)).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
    } else {
      client.send(request(0, "initialize", { protocolVersion: revision, capabilities: {}, clientInfo: info }));
      expect(await client.receive(1)).toMatchObject([{ id: 0, result: { protocolVersion: revision } }]);
      client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
      client.send(call(1, "echo", { text: "é" }));
      expect((await client.receive(2))[1]).toMatchObject({ id: 1, result: { content: [{ type: "text", text: "é" }] } });
    }
    client.ws.close();
    expect(await client.closed).toBe("1005");
  });

  test("serves clients that offer no subprotocol, or several", async () => {
    const { url } = await serve();
    for (const [offered, chosen] of [
      [[], ""],
      [["other", "mcp"], "mcp"],
    ] as const) {
      const client = await openWebSocket(url, [...offered]);
      expect(client.ws.protocol).toBe(chosen);
      client.send(ping(1));
      expect(await client.receive(1)).toEqual([pong(1)]);
      client.ws.terminate();
    }
  });

  test("serves several clients at once, each in its own session", async () => {
    const gate = createBlockingTool();
    const { url } = await serve({ tools: [gate.tool, echo] });
    const clients = await Promise.all(Array.from({ length: 20 }, () => openWebSocket(url)));
    for (const client of clients) client.send(call("same id", "gate"));
    await until(() => gate.waiting === 20);
    for (const [index, client] of clients.entries()) client.send(call(1, "echo", { text: `${index}` }));
    for (const [index, client] of clients.entries())
      expect(await client.receive(1)).toMatchObject([{ id: 1, result: { content: [{ text: `${index}` }] } }]);
    clients[0]?.ws.close();
    await clients[0]?.closed;
    await until(() => gate.stopped.length === 1);
    gate.open();
    for (const client of clients.slice(1))
      expect((await client.receive(2))[1]).toMatchObject({
        id: "same id",
        result: { content: [{ text: "one done" }] },
      });
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
    for (const { ws } of clients) ws.terminate();
  });

  test("accepts a batch only in revisions that have them", async () => {
    const { url } = await serve({ compat: { lifecycle: "strict" } });
    for (const [revision, count] of [
      ["2025-03-26", 2],
      ["2025-06-18", undefined],
    ] as const) {
      const client = await openWebSocket(url);
      client.send(request(0, "initialize", { protocolVersion: revision, capabilities: {}, clientInfo: info }));
      await client.receive(1);
      client.send(`[${ping(1)},${ping(2)}]`);
      const [, answer] = await client.receive(2);
      if (count === undefined) expect(answer).toMatchObject({ error: { code: -32600 } });
      else expect(answer).toHaveLength(count);
      client.ws.terminate();
    }
  });

  test("accepts a message in many frames, and a large one in a single frame", async () => {
    const { url } = await serve();
    const client = await openWebSocket(url);
    const text = "é".repeat(300_000);
    const message = Buffer.from(call(1, "echo", { text }));
    for (let at = 0; at < message.length; at += 1001)
      client.ws.send(message.subarray(at, at + 1001), { binary: false, fin: at + 1001 >= message.length });
    expect(await client.receive(1)).toMatchObject([{ id: 1, result: { content: [{ text }] } }]);
    client.ws.terminate();
  });

  test("responds in order, whatever the message sizes and frames in between", async () => {
    const { url } = await serve();
    const client = await openWebSocket(url);
    let pongs = 0;
    client.ws.on("pong", () => {
      pongs += 1;
    });
    // Around every size where behaviour changes: the header length, and whether messages are joined.
    const texts = [0, 40, 60, 125, 126, 16_300, 16_384, 65_400, 65_536, 70_000].flatMap((size) => [
      "x".repeat(size),
      `é${"x".repeat(size)}`,
    ]);
    for (let round = 0; round < 10; round += 1) {
      for (const [at, text] of texts.entries()) {
        client.send(call(round * texts.length + at, "echo", { text }));
        client.ws.ping("a payload");
        const late = Buffer.from(ping("in parts"));
        client.ws.send(late.subarray(0, 10), { binary: false, fin: false });
        client.ws.send(late.subarray(10), { binary: false, fin: true });
      }
    }
    const received = await client.receive(20 * texts.length);
    const found = received.map(
      (message) => (message as { result: { content?: { text: string }[] } }).result.content?.[0]?.text,
    );
    const expected = texts.flatMap((text) => [text, undefined]);
    expect(found).toEqual(Array.from({ length: 10 }, () => expected).flat());
    await until(() => pongs === 10 * texts.length);
    client.ws.terminate();
  });

  test("aborts the calls of a client that disconnects", async () => {
    const gate = createBlockingTool();
    const { url } = await serve({ tools: [gate.tool] });
    const client = await openWebSocket(url);
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    client.ws.terminate();
    await until(() => gate.stopped.length === 1);
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
  });

  test("sends change notifications", async () => {
    const { server, url } = await serve({ dynamic: true });
    const client = await openWebSocket(url);
    client.send(request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info }));
    client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    client.send(ping(1));
    await client.receive(2);
    server.addTool(tool({ name: "new", description: "d", run: () => "new" }));
    expect((await client.receive(3))[2]).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    client.ws.terminate();
  });

  test("waits for running calls when the server closes, ends subscriptions, and sends a close frame", async () => {
    const gate = createBlockingTool();
    const { running, url } = await serve({ tools: [gate.tool] });
    const client = await openWebSocket(url);
    const idle = await openWebSocket(url);
    client.send(
      request("s", "subscriptions/listen", { _meta: statelessMeta, notifications: { toolsListChanged: true } }),
    );
    await client.receive(1);
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    const closing = running.close();
    await expect(openWebSocket(url)).rejects.toThrow("ECONNREFUSED");
    gate.open();
    expect(await client.closed).toBe("1001 the server is shutting down");
    expect(await idle.closed).toBe("1001 the server is shutting down");
    await closing;
    expect(client.received.filter(({ id }) => id === 1)).toMatchObject([
      { result: { content: [{ text: "one done" }] } },
    ]);
    expect(client.received.filter(({ id }) => id === "s")).toHaveLength(1);
    expect(gate.stopped).toEqual([]);
  });

  test("does not wait forever for a call or for the closing handshake", async () => {
    const gate = createBlockingTool();
    const { running, url } = await serve({ tools: [gate.tool], limits: { drainMs: 50 } });
    const client = await openWebSocket(url);
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    client.ws.pause();
    await running.close();
    await running.closed;
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
    client.ws.terminate();
  });
});

describe("WebSocket on the port of HTTP", () => {
  test("shares its path, and closes with it", async () => {
    const { server } = createLogged();
    const running = await serveHttp(server, { port: 0, webSocket: true });
    runningServers.push(running);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = request(1, "tools/call", { name: "echo", arguments: { text: "a" }, _meta: statelessMeta });
    const statelessRequest = {
      ...headers,
      "mcp-protocol-version": STATELESS,
      "mcp-method": "tools/call",
      "mcp-name": "echo",
    };
    const client = await openWebSocket(running.url.replace("http", "ws"));
    client.send(call(2, "echo", { text: "b" }));
    const answer = await fetch(running.url, { method: "POST", headers: statelessRequest, body });
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 1, result: { resultType: "complete" } }]);
    expect(await client.receive(1)).toMatchObject([{ id: 2, result: { content: [{ text: "b" }] } }]);
    await running.close();
    expect(await client.closed).toBe("1001 the server is shutting down");
  });

  test("is off by default", async () => {
    const { server } = createLogged();
    const running = await serveHttp(server, { port: 0 });
    runningServers.push(running);
    await expect(openWebSocket(running.url.replace("http", "ws"))).rejects.toThrow("Unexpected server response: 4");
  });
});

describe("the official client", () => {
  test("connects, lists, calls and gets elicitations", async () => {
    vi.stubGlobal("WebSocket", WebSocket);
    const deploy = tool({
      name: "deploy",
      description: "Asks first.",
      run: async (_input, running) => {
        const form = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const;
        return (await running.elicit("confirm", "Sure?", form))?.sure === true ? "Deployed." : "Left alone.";
      },
    });
    const { url } = await serve({ tools: [echo, deploy], compat: { lifecycle: "strict" } });
    const client = new Client(info, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { sure: true } }));
    await client.connect(new WebSocketClientTransport(new URL(url)));
    expect(client.getServerVersion()).toEqual({ name: "test", version: "1.0.0" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "deploy"]);
    const echoed = await client.callTool({ name: "echo", arguments: { text: "hello" } });
    expect(echoed.content).toEqual([{ type: "text", text: "hello" }]);
    expect((await client.callTool({ name: "deploy" })).content).toEqual([{ type: "text", text: "Deployed." }]);
    await client.close();
  });
});
