import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { tool } from "@toolwright/engine";
import { type RunningServer, serveWebSocket, type WebSocketOptions } from "@toolwright/engine/sockets";
import { afterEach, describe, expect, test } from "vitest";
import { createBlockingTool } from "../protocol/support.js";
import { call, chatter, createLogged, openWebSocket, ping, pong, request, until } from "./wire.js";

let runningServers: RunningServer[] = [];
const noRate = { rate: false } as const;

async function serve(...[options, sockets]: [Parameters<typeof createLogged>[0]?, WebSocketOptions?]) {
  const { server, log } = createLogged(options);
  const running = await serveWebSocket(server, { port: 0, ...noRate, ...sockets });
  runningServers.push(running);
  return { log, url: running.url };
}

afterEach(async () => {
  await Promise.all(runningServers.map((running) => running.close()));
  runningServers = [];
});

/** A connection whose frames the test writes itself. */
async function openRaw(url: string): Promise<{ socket: Socket; received: () => Buffer; closed: () => boolean }> {
  const { port, hostname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = ["GET /mcp HTTP/1.1", `Host: ${host}`, "Upgrade: websocket", "Connection: Upgrade"];
  const key = ["Sec-WebSocket-Version: 13", `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`];
  socket.write(`${[...lines, ...key].join("\r\n")}\r\n\r\n`);
  let bytes = Buffer.alloc(0);
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  await until(() => bytes.includes("\r\n\r\n"));
  expect(bytes.toString("latin1")).toMatch(/^HTTP\/1\.1 101 /);
  return { socket, received: () => bytes.subarray(bytes.indexOf("\r\n\r\n") + 4), closed: () => isClosed };
}

/** A short masked frame. */
function frame(opcode: number, text: string | Buffer, isLast = true): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.from([1, 2, 3, 4]);
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 255]);
  const masked = payload.map((byte, at) => byte ^ (mask[at & 3] as number));
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode]), length, mask, masked]);
}

async function expectServed(url: string): Promise<void> {
  const client = await openWebSocket(url);
  client.send(ping("next"));
  expect(await client.receive(1)).toEqual([pong("next")]);
  client.ws.terminate();
}

describe("messages that stay incomplete", () => {
  const limits = { bodyBytes: 4 * 1024 * 1024 };
  const large = (opcode: number, isLast: boolean): Buffer => frame(opcode, "x".repeat(60_000), isLast);

  test("take no more memory than request bodies may, and what they held is free again", async () => {
    const { url, log } = await serve(undefined, { limits });
    const raws = await Promise.all(Array.from({ length: 10 }, () => openRaw(url)));
    for (const { socket } of raws) {
      socket.write(large(1, false));
      for (let part = 0; part < 19; part += 1) socket.write(large(0, false));
    }
    await until(() => raws.some(({ closed }) => closed()));
    await expectServed(url);
    expect(raws.filter(({ closed }) => !closed()).length).toBeLessThanOrEqual(3);
    expect(new Set(log)).toEqual(
      new Set([
        "warning: connection dropped: the client sends a large message while too many others are being received",
      ]),
    );
    for (const { socket } of raws) socket.destroy();
    const last = await openRaw(url);
    for (let round = 0; round < 10; round += 1) {
      last.socket.write(large(1, false));
      for (let part = 0; part < 10; part += 1) {
        last.socket.write(large(0, part === 9));
        if (part < 9) last.socket.write(frame(9, "ping"));
      }
    }
    await until(
      () =>
        (
          last
            .received()
            .toString("latin1")
            .match(/Parse error/g) ?? []
        ).length === 10,
    );
    expect(last.closed()).toBe(false);
    last.socket.destroy();
  });
});

describe("an invalid message", () => {
  test("gets an error response, and the next one is processed", async () => {
    const { url, log } = await serve();
    const client = await openWebSocket(url);
    const nonsense = ["", " ", "{", "[]", "nul", '"text"', '{"jsonrpc":"1.0"}', "\u{0}", "[[[[[", "1e999"];
    for (let round = 0; round < 100; round += 1) for (const text of nonsense) client.send(text);
    client.send(ping("after"));
    const received = await client.receive(1001);
    expect(received.slice(0, 1000).every(({ error }) => error !== undefined)).toBe(true);
    expect(received[1000]).toEqual(pong("after"));
    expect(log.filter((line) => !line.startsWith("warning: message rejected: "))).toEqual([]);
    client.ws.terminate();
  });

  test("closes the connection if it is binary, not UTF-8 or over the limit", async () => {
    const { url } = await serve({ limits: { messageBytes: 1000 } });
    const closedBy = async (bytes: Buffer, binary: boolean) => {
      const client = await openWebSocket(url);
      client.ws.send(bytes, { binary });
      client.send(ping("ignored"));
      const words = await client.closed;
      expect(client.received).toEqual([]);
      return words;
    };
    expect(await closedBy(Buffer.from(ping(1)), true)).toBe("1003 binary messages are not supported");
    expect(await closedBy(Buffer.from([0x22, 0xc3, 0x28, 0x22]), false)).toBe("1007 the message is not UTF-8");
    expect(await closedBy(Buffer.alloc(1001, 32), false)).toBe("1009");
    await expectServed(url);
  });

  test("over the limit in many frames is not read to its end", async () => {
    const { url } = await serve({ limits: { messageBytes: 1000 } });
    const client = await openWebSocket(url);
    for (let at = 0; at < 20; at += 1) client.ws.send("x".repeat(100), { fin: false });
    expect(await client.closed).toBe("1009");
  });
});

describe("a thousand malformed frames", () => {
  test("close their connections and affect no other client", async () => {
    const { url, log } = await serve({ limits: { messageBytes: 10_000 } });
    const other = await openWebSocket(url);
    const shapes: ((at: number) => Buffer)[] = [
      () => randomBytes(64),
      (at) => Buffer.from([0x80 | (3 + (at % 5)), 0x80, 0, 0, 0, 0]),
      (at) => Buffer.concat([Buffer.from([0xc1 | ((at % 3) << 4)]), frame(1, ping(1)).subarray(1)]),
      () => Buffer.from([0x81, 5, 104, 101, 108, 108, 111]),
      () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
      () => frame(0, "goes on with nothing"),
      () => Buffer.concat([frame(1, "[", false), frame(1, "]")]),
      () => frame(9, "x".repeat(126)),
      () => frame(8, Buffer.from([0x03])),
      () => frame(8, Buffer.from([0x00, 0x01])),
    ];
    for (let round = 0; round < 10; round += 1) {
      const raws = await Promise.all(Array.from({ length: 100 }, () => openRaw(url)));
      for (const [at, { socket }] of raws.entries()) {
        socket.write((shapes[at % shapes.length] as (at: number) => Buffer)(at));
        // Incomplete frames end here.
        socket.end();
      }
      await until(() => raws.every(({ closed }) => closed()));
    }
    other.send(ping(1));
    expect(await other.receive(1)).toEqual([pong(1)]);
    expect(log).toEqual([]);
    other.ws.terminate();
  });
});

describe("a client over its rate limit", () => {
  const rate = { burst: 3, perSecond: 0.001 };

  test("gets an error with its request id and when to retry", async () => {
    // One for the handshake.
    const { url } = await serve({}, { rate: { ...rate, burst: 3 } });
    const client = await openWebSocket(url);
    for (const id of [1, 2, "three"]) client.send(ping(id));
    client.send("not JSON");
    const received = await client.receive(4);
    expect(received.slice(0, 2)).toEqual([pong(1), pong(2)]);
    expect(received[2]).toEqual({
      jsonrpc: "2.0",
      id: "three",
      error: {
        code: -32600,
        message: expect.stringMatching(/^Invalid request: too many messages; try again in \d+ ms$/) as string,
        data: { limit: "rate", retryAfterMs: expect.any(Number) as number },
      },
    });
    expect(received[3]).toMatchObject({ id: null, error: { data: { limit: "rate" } } });
    client.ws.terminate();
  });

  test("can still ping if pings do not count", async () => {
    const { url } = await serve({}, { rate: { burst: 2, perSecond: 0.001, countPings: false } });
    const client = await openWebSocket(url);
    for (const id of [1, 2, 3]) client.send(ping(id));
    for (const id of [4, 5]) client.send(JSON.stringify({ jsonrpc: "2.0", id, method: "initialize" }));
    client.send(ping(6));
    const received = await client.receive(6);
    expect(received.slice(0, 3)).toEqual([pong(1), pong(2), pong(3)]);
    expect(received[3]).toMatchObject({ id: 4, error: { code: -32602 } });
    expect(received[4]).toMatchObject({ id: 5, error: { data: { limit: "rate" } } });
    expect(received[5]).toEqual(pong(6));
    client.ws.terminate();
  });

  test("can still cancel requests", async () => {
    const gate = createBlockingTool();
    const { url } = await serve({ tools: [gate.tool] }, { rate: { ...rate, burst: 2 } });
    const client = await openWebSocket(url);
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    const params = { requestId: 1, reason: "no more" };
    client.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    await until(() => gate.stopped.length === 1);
    expect(gate.stopped).toEqual(["one: no more"]);
    expect(client.received).toEqual([]);
    client.ws.terminate();
  });

  test("is disconnected if it continues, and cannot reconnect at once", async () => {
    const { url } = await serve({}, { rate });
    const client = await openWebSocket(url);
    for (let id = 1; id <= 20; id += 1) client.send(ping(id));
    expect(await client.closed).toBe("1008 too many messages");
    expect(client.received.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    await expect(openWebSocket(url)).rejects.toThrow("Unexpected server response: 429");
  });
});

describe("a client that does not read", () => {
  test("is disconnected when too much is buffered for it, and others are still served", async () => {
    const limits = { messageBytes: 100_000, notificationBurst: 1_000_000 };
    const { url, log } = await serve({ tools: [chatter], limits }, { limits: { streamBytes: 100_000 } });
    const slow = await openWebSocket(url);
    slow.ws.pause();
    slow.send(request(1, "tools/call", { name: "chatter", _meta: { progressToken: "t" } }));
    await until(() => log.length > 0);
    expect(log).toEqual(["warning: connection dropped: the client reads too slowly"]);
    await expectServed(url);
    slow.ws.terminate();
  });

  test("is not read from, and gets each response when it reads", async () => {
    let runs = 0;
    const counted = tool({
      name: "counted",
      description: "Gives much.",
      run: () => {
        runs += 1;
        return "x".repeat(1_000_000);
      },
    });
    const { url, log } = await serve({ tools: [counted] });
    const client = await openWebSocket(url);
    client.ws.pause();
    for (let id = 0; id < 100; id += 1) client.send(call(id, "counted"));
    await until(() => runs > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(runs).toBeLessThan(20);
    client.ws.resume();
    const received = await client.receive(100);
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    expect(log).toEqual([]);
    client.ws.terminate();
  });
});

describe("a client that is unreachable", () => {
  test("is disconnected if it does not respond to pings, and one that does is kept", async () => {
    const { url, log } = await serve({}, { limits: { keepAliveMs: 20 } });
    const alive = await openWebSocket(url);
    let pings = 0;
    alive.ws.on("ping", () => {
      pings += 1;
    });
    // It reads, and sends nothing.
    const dead = await openRaw(url);
    await until(dead.closed);
    expect(log).toEqual(["notice: connection dropped: the client does not respond"]);
    expect(dead.received()[0]).toBe(0x89);
    const before = pings;
    await until(() => pings > before + 5);
    alive.send(ping(1));
    expect(await alive.receive(1)).toEqual([pong(1)]);
    expect(log).toHaveLength(1);
    alive.ws.terminate();
  });

  test("is disconnected if it reads nothing while more is sent to it, in any language", async () => {
    const talker = tool({
      name: "talker",
      description: "Reports progress in Japanese until it is aborted.",
      run: async (_input, context) => {
        for (let at = 1; at <= 30; at += 1) context.progress(at, "日".repeat(300_000));
        for (let at = 31; !context.signal.aborted; at += 1) {
          context.progress(at, "日".repeat(20_000));
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
    });
    const limits = { notificationBurst: 1_000_000 };
    const { url, log } = await serve(
      { tools: [talker], limits },
      { limits: { keepAliveMs: 20, streamBytes: 2 ** 30 } },
    );
    const client = await openWebSocket(url);
    client.ws.pause();
    client.send(request(1, "tools/call", { name: "talker", _meta: { progressToken: "t" } }));
    await until(() => log.length > 0);
    expect(log).toEqual(["notice: connection dropped: the client does not respond"]);
    client.ws.terminate();
  });

  test("may disconnect in the middle of a frame or message", async () => {
    const gate = createBlockingTool();
    const { url, log } = await serve({ tools: [gate.tool] });
    const [cut, half] = await Promise.all([openRaw(url), openRaw(url)]);
    cut.socket.write(frame(1, call(1, "gate")).subarray(0, 20));
    half.socket.write(frame(1, call(2, "gate").slice(0, 30), false));
    for (const { socket } of [cut, half]) socket.end();
    await until(() => cut.closed() && half.closed());
    expect(gate.waiting).toBe(0);
    expect(log).toEqual([]);
    await expectServed(url);
  });
});
