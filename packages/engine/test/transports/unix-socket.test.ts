import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type RunningServer, serveUnixSocket, type UnixSocketOptions } from "@toolwright/engine/sockets";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBlockingTool } from "../protocol/support.js";
import { ALL, STATELESS } from "../support/every-revision.js";
import { call, chatter, createLogged, openLines, ping, pong, request, until } from "./wire.js";

let folder = "";
let runningServers: RunningServer[] = [];
const at = () => path.join(folder, "mcp.sock");

async function serve(...[options, sockets]: [Parameters<typeof createLogged>[0]?, UnixSocketOptions?]) {
  const { server, log } = createLogged(options);
  const running = await serveUnixSocket(server, at(), sockets);
  runningServers.push(running);
  return { server, log, running };
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "toolwright-"));
});
afterEach(async () => {
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
  rmSync(folder, { recursive: true });
});

describe("a Unix socket", () => {
  test.each(ALL)("serves %s", async (revision) => {
    await serve({ compat: { lifecycle: "strict" } });
    const client = await openLines(at());
    const info = { name: "test", version: "1.0.0" };
    if (revision === STATELESS) {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": info,
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      client.send(request(1, "tools/call", { name: "echo", arguments: { text: "é" }, _meta }));
      expect(await client.receive(1)).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
    } else {
      client.send(request(0, "initialize", { protocolVersion: revision, capabilities: {}, clientInfo: info }));
      expect(await client.receive(1)).toMatchObject([{ id: 0, result: { protocolVersion: revision } }]);
      client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
      client.send(call(1, "echo", { text: "é" }));
      expect((await client.receive(2))[1]).toMatchObject({ id: 1, result: { content: [{ type: "text", text: "é" }] } });
    }
    client.socket.end();
    await client.closed;
  });

  test("serves several clients at once, each in its own session", async () => {
    await serve({ compat: { lifecycle: "strict" } });
    const clients = await Promise.all([openLines(at()), openLines(at()), openLines(at())]);
    const versions = ["2025-11-25", "2025-03-26", "2024-11-05"];
    for (const [index, client] of clients.entries()) {
      const params = {
        protocolVersion: versions[index] ?? "",
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      };
      client.send(request("same id", "initialize", params));
    }
    for (const [index, client] of clients.entries())
      expect(await client.receive(1)).toMatchObject([{ id: "same id", result: { protocolVersion: versions[index] } }]);
    clients[0]?.socket.destroy();
    clients[1]?.send(ping(2));
    expect((await clients[1]?.receive(2))?.[1]).toEqual(pong(2));
    for (const client of clients) client.socket.destroy();
  });

  test("responds to a client that has closed its writing side", async () => {
    await serve();
    const client = await openLines(at());
    client.socket.end(`${ping(1)}\n${call(2, "echo", { text: "last" })}`);
    await client.closed;
    expect(client.received.map(({ id }) => id)).toEqual([1, 2]);
  });

  test("aborts the calls of a client that disconnects", async () => {
    const gate = createBlockingTool();
    await serve({ tools: [gate.tool], limits: { drainMs: 50 } });
    const client = await openLines(at());
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    client.socket.destroy();
    await until(() => gate.stopped.length === 1);
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
  });

  test("waits for running calls on close, then closes the connections", async () => {
    const gate = createBlockingTool();
    const { running } = await serve({ tools: [gate.tool] });
    const [busy, idle] = await Promise.all([openLines(at()), openLines(at())]);
    busy.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    const closing = running.close();
    await idle.closed;
    // Nothing more is read from here on.
    busy.send(call(2, "gate"));
    await expect(openLines(at())).rejects.toThrow("ENOENT");
    gate.open();
    await busy.closed;
    await closing;
    await running.closed;
    expect(busy.received).toMatchObject([{ id: 1, result: { content: [{ text: "one done" }] } }]);
    expect(gate.stopped).toEqual([]);
  });

  test("does not wait forever for a hanging call or a client that does not read", async () => {
    const gate = createBlockingTool();
    const limits = { drainMs: 50 };
    const { running } = await serve({ tools: [gate.tool], limits });
    const client = await openLines(at());
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    client.socket.pause();
    await running.close();
    expect(gate.stopped).toEqual(["one: the connection was closed"]);
    client.socket.destroy();
  });
});

describe("a client of a Unix socket", () => {
  test("is rejected over the limit, and accepted when another has disconnected", async () => {
    const { log } = await serve({}, { connections: 2 });
    const [first, second] = await Promise.all([openLines(at()), openLines(at())]);
    const third = connect(at());
    await new Promise((resolve) => third.on("close", resolve));
    expect(log).toEqual(["warning: connection rejected: too many connections"]);
    first.socket.destroy();
    await until(() => first.socket.destroyed);
    second.send(ping(1));
    await second.receive(1);
    const fourth = await openLines(at());
    fourth.send(ping(2));
    expect(await fourth.receive(1)).toEqual([pong(2)]);
    for (const { socket } of [second, fourth]) socket.destroy();
  });

  test("that sends nothing, or half a message, affects no other client", async () => {
    await serve();
    const [silent, half, whole] = await Promise.all([openLines(at()), openLines(at()), openLines(at())]);
    half.socket.write('{"jsonrpc":"2.0","id":1,');
    whole.send(ping(2));
    expect(await whole.receive(1)).toEqual([pong(2)]);
    half.socket.destroy();
    silent.socket.destroy();
    whole.send(ping(3));
    expect((await whole.receive(2))[1]).toEqual(pong(3));
    whole.socket.destroy();
  });

  test("that sends invalid messages gets an error each time, and is served afterwards", async () => {
    const { log } = await serve();
    const client = await openLines(at());
    const nonsense = ["{", "[]", "nul", '"text"', '{"jsonrpc":"1.0"}', "\u{0}", "]]]", "{}", "1e999", "[[[[["];
    for (let round = 0; round < 100; round += 1) for (const text of nonsense) client.send(text);
    client.send(ping("after"));
    const received = await client.receive(1001);
    expect(received.slice(0, 1000).every(({ error }) => error !== undefined)).toBe(true);
    expect(received[1000]).toEqual(pong("after"));
    expect(log.filter((line) => !line.startsWith("warning: message rejected: "))).toEqual([]);
    client.socket.destroy();
  });

  test("that does not read is disconnected when too much is buffered for it, and others are still served", async () => {
    const limits = { messageBytes: 100_000, notificationBurst: 1_000_000 };
    const { log } = await serve({ tools: [chatter], limits }, { streamBytes: 100_000 });
    const [slow, other] = await Promise.all([openLines(at()), openLines(at())]);
    slow.socket.pause();
    slow.send(request(1, "tools/call", { name: "chatter", _meta: { progressToken: "t" } }));
    await until(() => log.length > 0);
    expect(log).toEqual(["warning: connection dropped: the client reads too slowly"]);
    other.send(ping(1));
    expect(await other.receive(1)).toEqual([pong(1)]);
    slow.socket.destroy();
    other.socket.destroy();
  });
});
