import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { type Serving, serveWebSocket, tool, type WebSocketOptions } from "@toolwright/engine";
import { afterEach, describe, expect, test } from "vitest";
import { createGate } from "../protocol/support.js";
import { call, chatter, createLogged, openWebSocket, ping, pong, request, until } from "./wire.js";

let servings: Serving[] = [];
const noRate = { rate: false } as const;

async function serve(...[options, sockets]: [Parameters<typeof createLogged>[0]?, WebSocketOptions?]) {
  const { server, log } = createLogged(options);
  const serving = await serveWebSocket(server, { port: 0, ...noRate, ...sockets });
  servings.push(serving);
  return { log, url: serving.url };
}

afterEach(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  servings = [];
});

/** A connection whose frames the test writes itself. */
async function openRaw(url: string): Promise<{ socket: Socket; heard: () => Buffer; closed: () => boolean }> {
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
  return { socket, heard: () => bytes.subarray(bytes.indexOf("\r\n\r\n") + 4), closed: () => isClosed };
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
  expect(await client.hear(1)).toEqual([pong("next")]);
  client.ws.terminate();
}

describe("a message that is none", () => {
  test("is answered, and the next one is served", async () => {
    const { url, log } = await serve();
    const client = await openWebSocket(url);
    const nonsense = ["", " ", "{", "[]", "nul", '"text"', '{"jsonrpc":"1.0"}', "\u{0}", "[[[[[", "1e999"];
    for (let round = 0; round < 100; round += 1) for (const text of nonsense) client.send(text);
    client.send(ping("after"));
    const heard = await client.hear(1001);
    expect(heard.slice(0, 1000).every(({ error }) => error !== undefined)).toBe(true);
    expect(heard[1000]).toEqual(pong("after"));
    expect(log).toEqual([]);
    client.ws.terminate();
  });

  test("closes the connection when it is no text, no UTF-8 or over the limit", async () => {
    const { url } = await serve({ limits: { messageBytes: 1000 } });
    const closedBy = async (bytes: Buffer, binary: boolean) => {
      const client = await openWebSocket(url);
      client.ws.send(bytes, { binary });
      client.send(ping("passed over"));
      const words = await client.closed;
      expect(client.heard).toEqual([]);
      return words;
    };
    expect(await closedBy(Buffer.from(ping(1)), true)).toBe("1003 messages are text");
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
  test("close their connections and harm nobody else", async () => {
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
        // What was cut short ends here.
        socket.end();
      }
      await until(() => raws.every(({ closed }) => closed()));
    }
    other.send(ping(1));
    expect(await other.hear(1)).toEqual([pong(1)]);
    expect(log).toEqual([]);
    other.ws.terminate();
  });
});

describe("a client over its rate", () => {
  const rate = { burst: 3, perSecond: 0.001 };

  test("is told when to come back, under the id of its request", async () => {
    // One for the handshake.
    const { url } = await serve({}, { rate: { ...rate, burst: 3 } });
    const client = await openWebSocket(url);
    for (const id of [1, 2, "three"]) client.send(ping(id));
    client.send("not JSON");
    const heard = await client.hear(4);
    expect(heard.slice(0, 2)).toEqual([pong(1), pong(2)]);
    expect(heard[2]).toEqual({
      jsonrpc: "2.0",
      id: "three",
      error: {
        code: -32600,
        message: expect.stringMatching(/^Invalid request: too many messages; try again in \d+ ms$/) as string,
        data: { limit: "rate", retryAfterMs: expect.any(Number) as number },
      },
    });
    expect(heard[3]).toMatchObject({ id: null, error: { data: { limit: "rate" } } });
    client.ws.terminate();
  });

  test("is still heard where it cannot say the same again: cancelling", async () => {
    const gate = createGate();
    const { url } = await serve({ tools: [gate.tool] }, { rate: { ...rate, burst: 2 } });
    const client = await openWebSocket(url);
    client.send(call(1, "gate"));
    await until(() => gate.waiting === 1);
    const params = { requestId: 1, reason: "no more" };
    client.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
    await until(() => gate.stopped.length === 1);
    expect(gate.stopped).toEqual(["one: no more"]);
    expect(client.heard).toEqual([]);
    client.ws.terminate();
  });

  test("is sent away when it does not stop, and cannot come back at once", async () => {
    const { url } = await serve({}, { rate });
    const client = await openWebSocket(url);
    for (let id = 1; id <= 20; id += 1) client.send(ping(id));
    expect(await client.closed).toBe("1008 too many messages");
    expect(client.heard.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    await expect(openWebSocket(url)).rejects.toThrow("Unexpected server response: 429");
  });
});

describe("a client that does not read", () => {
  test("is dropped when too much waits for it, and the others are served on", async () => {
    const limits = { messageBytes: 100_000, notificationBurst: 1_000_000 };
    const { url, log } = await serve({ tools: [chatter], limits }, { limits: { streamBytes: 100_000 } });
    const slow = await openWebSocket(url);
    slow.ws.pause();
    slow.send(request(1, "tools/call", { name: "chatter", _meta: { progressToken: "t" } }));
    await until(() => log.length > 0);
    expect(log).toEqual(["warning: a connection was dropped: its client reads too slowly"]);
    await expectServed(url);
    slow.ws.terminate();
  });

  test("is not read either, and gets each answer when it reads", async () => {
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
    const heard = await client.hear(100);
    expect(heard.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    expect(log).toEqual([]);
    client.ws.terminate();
  });
});

describe("a client that is not there any more", () => {
  test("is dropped when it does not answer pings, and one that does is kept", async () => {
    const { url, log } = await serve({}, { limits: { keepAliveMs: 20 } });
    const alive = await openWebSocket(url);
    let pings = 0;
    alive.ws.on("ping", () => {
      pings += 1;
    });
    // It hears, and says nothing.
    const dead = await openRaw(url);
    await until(dead.closed);
    expect(log).toEqual(["notice: a connection was dropped: its client does not answer"]);
    expect(dead.heard()[0]).toBe(0x89);
    const before = pings;
    await until(() => pings > before + 5);
    alive.send(ping(1));
    expect(await alive.hear(1)).toEqual([pong(1)]);
    expect(log).toHaveLength(1);
    alive.ws.terminate();
  });

  test("may go in the middle of a frame, or of a message", async () => {
    const gate = createGate();
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
