import { setTimeout } from "node:timers/promises";
import { tool } from "@toolwright/engine";
import { hashApiKey } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Message, pause, serve, textOf, until } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { openWire, postText, type Wire } from "./wire.js";

const MIB = 1024 * 1024;
const echo = (text: string) => modern("tools/call", { name: "echo", arguments: { text } });
const head = (headers: string) =>
  `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${headers}\r\n`;

const PRINCIPALS = ["hog", "other"] as const;
const keyOf = (principal: (typeof PRINCIPALS)[number]): string => principal.repeat(12);
const KEYS = {
  apiKeys: PRINCIPALS.map((principal) => ({ principal, hash: hashApiKey(keyOf(principal)) })),
  selfCheck: "off",
} as const;
const keyHeader = (principal: (typeof PRINCIPALS)[number]) => ({ authorization: `Bearer ${keyOf(principal)}` });

describe("a body over the limit", () => {
  test("gets 413 by its Content-Length, before any of it is received [SEC-07]", async () => {
    const site = await serve({}, { limits: { messageBytes: 1000 } });
    const answer = await openWire(site).write(head("content-length: 1001\r\n")).answer();
    expect([answer.status, answer.headers["connection"]]).toEqual([413, "close"]);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { data: { limit: "messageBytes" } } });
  });

  test("gets 413 in chunks too, as soon as it exceeds the limit, and the rest is discarded [SEC-07]", async () => {
    const site = await serve({}, { limits: { messageBytes: 100_000 } });
    const wire = openWire(site).write(head("transfer-encoding: chunked\r\n"));
    const chunk = `${(50_000).toString(16)}\r\n${"x".repeat(50_000)}\r\n`;
    wire.write(chunk).write(chunk);
    await pause(50);
    expect(wire.text).toBe("");
    wire.write(chunk);
    expect((await wire.answer()).status).toBe(413);
    const before = process.memoryUsage();
    // Another hundred megabytes, which nobody reads: the connection is closed instead.
    for (let at = 0; at < 2000 && !wire.socket.destroyed && wire.socket.writable; at += 1) {
      if (!wire.socket.write(chunk)) await Promise.race([wire.closed, pause(20)]);
      if (wire.socket.writableLength > MIB) break;
    }
    await wire.closed;
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 * MIB);
  });

  test("of exactly the limit is served", async () => {
    const { body, headers } = echo("x");
    const size = JSON.stringify(body).length;
    const site = await serve({}, { limits: { messageBytes: size + 200 } });
    const padded = JSON.stringify(body) + " ".repeat(200);
    expect((await site.post(padded, headers)).status).toBe(200);
    expect((await site.post(`${padded} `, headers)).status).toBe(413);
  });
});

describe("bodies that are being received", () => {
  const half = (bytes: number): string => head(`content-length: ${2 * bytes}\r\n`) + "x".repeat(bytes);

  test("over their limit get 503 and free their memory, and other requests are served", async () => {
    const site = await serve({ limits: { bodyBytes: 4 * MIB } }, { limits: { messageBytes: 10 * MIB } });
    const wires = Array.from({ length: 9 }, () => openWire(site).write(half(400_000)));
    await until(() => wires.filter(({ text }) => text.startsWith("HTTP/1.1 503")).length >= 3, "three rejections");
    const rejected = wires.find(({ text }) => text !== "") as Wire;
    const { headers, body } = await rejected.answer();
    expect([headers["connection"], headers["retry-after"]]).toEqual(["close", "5"]);
    expect(JSON.parse(body)).toMatchObject({ error: { data: { limit: "bodyBytes" } } });
    expect((await callModern(site, "echo", { text: "hi" })).status).toBe(200);
  });

  test("of one principal are no reason to reject those of another one at the same address", async () => {
    const site = await serve({ limits: { bodyBytes: 4 * MIB }, auth: KEYS }, { limits: { messageBytes: 10 * MIB } });
    const hogs =
      head(`authorization: ${keyHeader("hog").authorization}\r\ncontent-length: 9000000\r\n`) + "x".repeat(700_000);
    const wires = Array.from({ length: 20 }, () => openWire(site).write(hogs));
    await until(() => wires.filter(({ text }) => text.startsWith("HTTP/1.1 503")).length >= 16, "rejections");
    const text = "x".repeat(1_000_000);
    expect((await callModern(site, "echo", { text }, {}, keyHeader("hog"))).status).toBe(503);
    expect((await callModern(site, "echo", { text }, {}, keyHeader("other"))).status).toBe(200);
  });

  test("no longer count when their client has gone or they are complete", async () => {
    const site = await serve({ limits: { bodyBytes: 4 * MIB } }, { limits: { messageBytes: 10 * MIB } });
    const wires = Array.from({ length: 2 }, () => openWire(site).write(half(400_000)));
    await pause(100);
    expect(wires.map(({ text }) => text)).toEqual(["", ""]);
    for (const { socket } of wires) socket.destroy();
    await pause(50);
    for (const text of ["a".repeat(700_000), "b".repeat(700_000)])
      expect((await callModern(site, "echo", { text })).status).toBe(200);
  });
});

describe("Expect: 100-continue", () => {
  test("gets 100, and the request is served", async () => {
    const site = await serve();
    const { body, headers } = echo("hi");
    const text = postText(body, { ...headers, expect: "100-continue" });
    const at = text.indexOf("\r\n\r\n") + 4;
    const wire = openWire(site).write(text.slice(0, at));
    await until(() => wire.text !== "", "100 Continue");
    expect(wire.text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    wire.write(text.slice(at));
    const [, answer] = await wire.answers(2);
    expect(answer?.status).toBe(200);
  });
});

describe("headers", () => {
  test("over the limit get 431", async () => {
    const site = await serve({ limits: { headerBytes: 2048 } });
    const answer = await openWire(site)
      .write(postText("{}", { "x-long": "x".repeat(3000) }))
      .answer();
    expect(answer.status).toBe(431);
    expect((await callModern(site, "echo", { text: "hi" })).status).toBe(200);
  });

  test("that do not arrive get 408, and so does a body", async () => {
    const site = await serve({ limits: { headersMs: 150, requestMs: 300 } });
    const dripping = (wire: Wire) => {
      const timer = setInterval(() => wire.write("a"), 20);
      void wire.closed.then(() => clearInterval(timer));
    };
    const headers = openWire(site).write("POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ");
    dripping(headers);
    const body = openWire(site).write(head("content-length: 500\r\n"));
    dripping(body);
    expect((await headers.answer()).status).toBe(408);
    expect((await body.answer()).status).toBe(408);
    await Promise.all([headers.closed, body.closed]);
    expect((await callModern(site, "echo", { text: "hi" })).status).toBe(200);
  });

  test("may arrive slowly within their timeout, and a call may take longer than both", async () => {
    const long = tool({ name: "long", description: "Takes its time.", run: () => setTimeout(1300, "done") });
    const site = await serve({ limits: { headersMs: 1000, requestMs: 1000 } }, { tools: [long] });
    const answer = await callModern(site, "long");
    expect(textOf((await answer.json()) as Message)).toBe("done");
  });
});

describe("connections", () => {
  test("over the limit are closed with a log entry, and the others continue", async () => {
    const site = await serve({ limits: { connections: 2 } });
    const { body, headers } = echo("hi");
    const kept = [openWire(site), openWire(site)];
    for (const wire of kept) await wire.write(postText(body, headers)).answer();
    const refused = openWire(site).write(postText(body, headers));
    await refused.closed;
    expect(refused.text).toBe("");
    expect(site.entries.map(({ message }) => message)).toContain(
      "a connection was closed: the connection limit is reached",
    );
    for (const wire of kept) expect((await wire.write(postText(body, headers)).answers(2)).length).toBe(2);
    kept[0]?.socket.destroy();
    await until(async () => {
      const wire = openWire(site).write(postText(body, headers));
      const came = await Promise.race([wire.answer().then(() => true), wire.closed.then(() => false)]).catch(
        () => false,
      );
      wire.socket.destroy();
      return came;
    }, "a free place");
  });

  test("that are idle for too long are closed", async () => {
    const site = await serve({ limits: { idleConnectionMs: 50 } });
    const wire = openWire(site).write("GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    expect((await wire.answer()).status).toBe(200);
    await wire.closed;
  });
});

describe("the rate limit of a client", () => {
  test("responds with 429 and Retry-After for every method, and then recovers [SEC-07]", async () => {
    const site = await serve({ rate: { burst: 3, perSecond: 0.5 }, sse: true });
    for (let times = 0; times < 3; times += 1)
      expect((await callModern(site, "echo", { text: "hi" })).status).toBe(200);
    const refused = await callModern(site, "echo", { text: "hi" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await refused.json()) as Message).toMatchObject({ error: { data: { limit: "rate" } } });
    expect((await fetch(site.url, { method: "DELETE" })).status).toBe(429);
    expect((await fetch(site.at("/sse"))).status).toBe(429);
    expect((await fetch(site.at("/health"))).status).toBe(200);
    await until(async () => (await callModern(site, "echo", { text: "hi" })).status === 200, "a free place");
  });

  test("does not count pings if the option says so", async () => {
    const site = await serve({ rate: { burst: 2, perSecond: 0.01, countPings: false } });
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const call = async () => (await callModern(site, "echo", { text: "ping" })).status;
    const statuses = [];
    for (const send of [call, ping, ping, ping, call, ping, call, ping])
      statuses.push(typeof send === "function" ? await send() : (await site.post(JSON.stringify(send))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 200]);
    expect((await site.post("{")).status).toBe(429);
  });

  test("counts by principal if there is one, and can be disabled", async () => {
    const auth = {
      authenticate: (request: { header(name: string): string | undefined }) => ({
        principal: request.header("authorization") ?? "nobody",
      }),
      selfCheck: "off" as const,
    };
    const site = await serve({ auth, rate: { burst: 1, perSecond: 0.01 } });
    const as = async (name: string) =>
      (await callModern(site, "echo", { text: "hi" }, {}, { authorization: `Bearer ${name}` })).status;
    expect([await as("ada"), await as("ada"), await as("bob"), await as("bob")]).toEqual([200, 429, 200, 429]);
    const free = await serve({ rate: false });
    const many = await Promise.all(Array.from({ length: 1200 }, () => callModern(free, "echo", { text: "hi" })));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test("infinite limits are accepted without a warning", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const infinite = Number.POSITIVE_INFINITY;
  const site = await serve({ limits: { headerBytes: infinite, idleConnectionMs: infinite } });
  const { body, headers } = echo("hi");
  const answer = await site.post(body, { ...headers, "x-large": "x".repeat(100_000) });
  expect(textOf((await answer.json()) as Message)).toBe("hi");
  await pause(20);
  expect(warnings).toEqual([]);
});

describe("a client that takes all there is", () => {
  test("of sessions loses its own", async () => {
    const site = await serve({ limits: { sessions: 4 }, auth: KEYS });
    const other = await site.open("2025-11-25", keyHeader("other"));
    const hogs = [];
    for (let count = 0; count < 10; count += 1) hogs.push(await site.open("2025-11-25", keyHeader("hog")));
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await other.post(list, keyHeader("other"))).status).toBe(200);
    expect(await Promise.all(hogs.map(async (hog) => (await hog.post(list, keyHeader("hog"))).status))).toEqual([
      ...Array.from({ length: 7 }, () => 404),
      ...Array.from({ length: 3 }, () => 200),
    ]);
  });

  test("of event streams leaves one to a client that has none", async () => {
    const site = await serve({ limits: { streams: 4 }, auth: KEYS });
    const listen = async (principal: (typeof PRINCIPALS)[number]): Promise<number> =>
      (await (await site.open("2025-11-25", keyHeader(principal))).get(keyHeader(principal))).status;
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push(await listen("hog"));
    expect(statuses).toEqual([200, 200, 200, 200, 503]);
    expect([await listen("other"), await listen("other")]).toEqual([200, 503]);
  });
});
