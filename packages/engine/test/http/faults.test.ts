import { once } from "node:events";
import { tool } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, pause, type Served, serve, textOf, until } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { openWire, postText } from "./wire.js";

const echo = (text: string) => modern("tools/call", { name: "echo", arguments: { text } });
const echoText = (text: string) => {
  const { body, headers } = echo(text);
  return postText(body, headers);
};

/** Verifies that the server still serves calls. */
async function expectWell(site: Served): Promise<void> {
  const answer = await callModern(site, "echo", { text: "well" });
  expect(textOf((await answer.json()) as Message)).toBe("well");
}

describe("pipelined requests", () => {
  test("are answered in order, regardless of their duration", async () => {
    const site = await serve();
    const slow = modern("tools/call", { name: "steps" });
    const wire = openWire(site).write(echoText("one") + postText(slow.body, slow.headers) + echoText("three"));
    const answers = await wire.answers(3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => textOf(JSON.parse(body) as Message))).toEqual(["one", "done", "three"]);
  });

  test("can be many slow ones", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const site = await serve();
    const slow = modern("tools/call", { name: "steps" }, { progressToken: 1 });
    const wire = openWire(site).write(postText(slow.body, slow.headers).repeat(20));
    expect((await wire.answers(20)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(warnings).toEqual([]);
  });

  test("leave nothing behind if the client disconnects before the first response", async () => {
    const held = createHeld();
    const site = await serve({ limits: { streams: 2 } }, { tools: [held.tool] });
    const listen = modern("subscriptions/listen", { notifications: { resourcesListChanged: true } });
    const call = modern("tools/call", { name: "held" });
    const wire = openWire(site);
    wire.write(
      postText(call.body, call.headers) + postText(listen.body, listen.headers) + postText(listen.body, listen.headers),
    );
    await until(() => held.waiting === 1, "the first call");
    await pause(50);
    wire.socket.destroy();
    await until(() => held.stopped.length === 1, "the end of the call");
    // The two streams that waited for it are closed too, otherwise the limit would be reached.
    for (let times = 0; times < 2; times += 1)
      expect((await site.post(listen.body, listen.headers)).headers.get("content-type")).toBe("text/event-stream");
  });
});

describe("a body", () => {
  test("that is incomplete is not served, and its connection is released", async () => {
    const site = await serve();
    const text = echoText("half");
    for (const keep of [10, text.length - 30, text.length - 1]) {
      const wire = openWire(site).write(text.slice(0, keep));
      await pause(20);
      wire.socket.end();
      await wire.closed;
      expect(wire.text).not.toContain('"result"');
    }
    await expectWell(site);
  });

  test("that is longer than its Content-Length is cut, and the rest is rejected as an invalid request", async () => {
    const site = await serve();
    const { body, headers } = echo("hi");
    const wire = openWire(site).write(postText(body, headers));
    await wire.answer();
    wire.write("GARBAGE\r\n\r\n");
    const answers = await wire.answers(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    await wire.closed;
    await expectWell(site);
  });

  test.each([
    ["two lengths", "content-length: 5\r\ncontent-length: 6\r\n"],
    ["a length and chunks", "content-length: 5\r\ntransfer-encoding: chunked\r\n"],
    ["a length that is no number", "content-length: many\r\n"],
    ["a negative length", "content-length: -5\r\n"],
  ])("with %s gets 400 and the connection is closed", async (_what, lengths) => {
    const site = await serve();
    const wire = openWire(site).write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${lengths}\r\nhello`,
    );
    expect((await wire.answer()).status).toBe(400);
    await wire.closed;
    await expectWell(site);
  });

  test("in many small chunks is a single message", async () => {
    const site = await serve();
    const { body, headers } = echo("é".repeat(50));
    const bytes = Buffer.from(JSON.stringify(body));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const wire = openWire(site).write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n${lines.join("")}\r\n`,
    );
    for (const byte of bytes)
      wire.write(Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]));
    wire.write("0\r\n\r\n");
    const { status, body: answer } = await wire.answer();
    expect(status).toBe(200);
    expect(textOf(JSON.parse(Buffer.from(answer, "latin1").toString()) as Message)).toBe("é".repeat(50));
  });

  test("that is not UTF-8 gets 400 and -32700", async () => {
    const site = await serve();
    const head = postText("", { "content-length": "4", "mcp-protocol-version": "2026-07-28" });
    const wire = openWire(site).write(Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xff, 0xfe, 0x22])]));
    const { status, body } = await wire.answer();
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32700 } });
  });
});

describe("a duplicate header", () => {
  test.each([
    "host",
    "origin",
    "content-type",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "authorization",
    "last-event-id",
  ])("gets 400: %s", async (name) => {
    const site = await serve();
    const { body, headers } = echo("hi");
    const all: Record<string, string> = { ...headers, [name]: headers[name] ?? (name === "host" ? "127.0.0.1" : "x") };
    if (name === "content-type") all[name] = "application/json";
    const text = postText(body, all);
    const line = new RegExp(`^${name}: .*\r\n`, "im").exec(text)?.[0] as string;
    const wire = openWire(site).write(text.replace(line, line + line));
    expect((await wire.answer()).status).toBe(400);
    await expectWell(site);
  });

  test("is allowed for list headers such as Accept", async () => {
    const site = await serve();
    const { body, headers } = echo("hi");
    const text = postText(body, headers).replace(
      /accept: .*\r\n/,
      "accept: application/json\r\naccept: text/event-stream\r\n",
    );
    expect((await openWire(site).write(text).answer()).status).toBe(200);
  });
});

describe("a client that disconnects", () => {
  test("in the middle of a stream leaves nothing behind", async () => {
    const held = createHeld();
    const site = await serve({ limits: { streams: 1 } }, { tools: [held.tool] });
    const { body, headers } = modern(
      "tools/call",
      { name: "held", arguments: { reportProgress: true } },
      { progressToken: 1 },
    );
    for (let times = 0; times < 3; times += 1) {
      const wire = openWire(site).write(postText(body, headers));
      await until(() => wire.text.includes("notifications/progress"), "the stream");
      wire.socket.resetAndDestroy();
      await until(() => held.stopped.length === times + 1, "the end of the call");
    }
  });

  test("during authentication leaves no stream behind", async () => {
    const auth = {
      authenticate: async () => {
        await pause(60);
        return { principal: "ada" };
      },
      selfCheck: "off" as const,
    };
    const site = await serve({ auth, sse: true, limits: { streams: 1 } });
    const client = await site.open();
    const lines = Object.entries(client.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const path of ["/mcp", "/sse"]) {
      const wire = openWire(site).write(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n${lines.join("")}\r\n`,
      );
      await pause(20);
      wire.socket.destroy();
      await pause(100);
    }
    // The limit is one stream, so a leaked one would be noticed.
    expect((await client.get()).status).toBe(200);
  });

  test("by closing only its sending side still gets its response", async () => {
    const site = await serve();
    const slow = modern("tools/call", { name: "steps" });
    const wire = openWire(site);
    wire.socket.end(postText(slow.body, slow.headers));
    await wire.closed;
    await expectWell(site);
  });
});

test("the connection of a client that does not read a large response is closed", async () => {
  const large = tool({ name: "large", description: "Gives much.", run: () => "x".repeat(40_000_000) });
  // More than the socket buffers hold.
  const limits = { messageBytes: 50_000_000 };
  const site = await serve({ limits: { stalledMs: 300, connections: 1 } }, { tools: [large], limits });
  const { body, headers } = modern("tools/call", { name: "large" });
  const wire = openWire(site);
  wire.socket.pause();
  await once(wire.socket, "connect");
  wire.write(postText(body, headers));
  const isServed = () =>
    fetch(site.at("/health"), { headers: { connection: "close" } }).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await isServed()).toBe(false);
  await until(isServed, "room for another client");
});

test("the timeout of a large response does not affect other calls on the same connection", async () => {
  const held = createHeld();
  const large = tool({ name: "large", description: "Says much.", run: () => "x".repeat(200_000) });
  const site = await serve({ limits: { stalledMs: 100 } }, { tools: [large, held.tool] });
  const say = (name: string) => {
    const { body, headers } = modern("tools/call", { name, arguments: {} });
    return postText(body, headers);
  };
  for (const names of [
    ["large", "held"],
    ["held", "large"],
  ]) {
    const wire = openWire(site).write(names.map(say).join(""));
    await until(() => held.waiting === 1, "the call");
    await pause(300);
    held.release();
    expect((await wire.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
  }
  expect(held.stopped).toEqual([]);
});

describe("a slow reader", () => {
  const TEXT = "an event stream was closed: the client reads too slowly";
  const stopped: string[] = [];
  /** Sends more than the socket buffers hold. */
  const noisy = tool({
    name: "noisy",
    description: "Says much.",
    async run(_input, call) {
      call.signal.addEventListener("abort", () => stopped.push("noisy"));
      for (let at = 1; !call.signal.aborted && at <= 1500; at += 1) {
        call.progress(at, "x".repeat(20_000));
        if (at % 5 === 0) await pause(1);
      }
      return "said";
    },
  });
  const open = async () => {
    stopped.length = 0;
    const site = await serve(
      { sse: true, limits: { streamBytes: 200_000 } },
      {
        tools: [noisy],
        limits: { notificationBurst: 10_000 },
      },
    );
    const wire = openWire(site);
    wire.socket.pause();
    const dropped = () => until(() => site.entries.some(({ message }) => message === TEXT), "the line in the log");
    return { site, wire, dropped };
  };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "noisy", _meta: { progressToken: 1 } } };

  test("is dropped with a log entry if too much is buffered, without effect on other clients", async () => {
    const { site, wire, dropped } = await open();
    const other = await site.open();
    const own = await other.listen();
    const { body, headers } = modern("tools/call", { name: "noisy" }, { progressToken: 1 });
    wire.write(postText(body, headers));
    await dropped();
    expect(stopped).toEqual(["noisy"]);
    expect((await other.request("tools/list")).status).toBe(200);
    site.server.notifyResourceListChanged();
    expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("in a session is dropped too, while its call continues and can be resumed", async () => {
    const { site, wire, dropped } = await open();
    const client = await site.open("2025-06-18");
    wire.write(postText(call, client.headers));
    await dropped();
    expect(stopped).toEqual([]);
    const again = await client.listen("1-1");
    const ids = (await again.rest()).map(({ id }) => Number(id?.slice(2)));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.at(-1)).toBe(1501);
  });

  test("of HTTP+SSE is dropped, and its session ends", async () => {
    const { site, wire, dropped } = await open();
    wire.socket.resume();
    wire.write("GET /sse HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n");
    await until(() => wire.text.includes("sessionId="), "the first event");
    wire.socket.pause();
    const target = site.at(/data: (.*)/.exec(wire.text)?.[1] as string);
    const post = async (message: Message) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(target, { method: "POST", headers, body: JSON.stringify(message) })).status;
    };
    await post(initialize("2025-06-18"));
    await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(await post(call)).toBe(202);
    await dropped();
    expect(stopped).toEqual(["noisy"]);
    expect(await post({ jsonrpc: "2.0", id: 8, method: "ping" })).toBe(404);
  });
});

test("a call that fails in the transport does not stop the server", async () => {
  const site = await serve();
  const client = await site.open();
  const wires = Array.from({ length: 20 }, () => {
    const wire = openWire(site);
    const body = {
      jsonrpc: "2.0",
      id: Math.random().toString(),
      method: "tools/call",
      params: { name: "steps", _meta: { progressToken: 1 } },
    };
    wire.write(postText(body, client.headers));
    return wire;
  });
  await pause(30);
  for (const wire of wires) wire.socket.resetAndDestroy();
  await pause(200);
  await expectWell(site);
  expect((await Events.of(await client.call("steps")).messages()).length).toBe(3);
});
