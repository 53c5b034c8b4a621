import { once } from "node:events";
import { tool } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { Events } from "./events.js";
import { callModern, modern } from "./modern.js";
import { initialize, type Message, pause, type Served, serve, textOf, until } from "./served.js";
import { openWire, postText } from "./wire.js";
import { createHeld } from "./workshop.js";

const echo = (text: string) => modern("tools/call", { name: "echo", arguments: { text } });
const echoText = (text: string) => {
  const { body, headers } = echo(text);
  return postText(body, headers);
};

/** The server is as well as before. */
async function expectWell(site: Served): Promise<void> {
  const answer = await callModern(site, "echo", { text: "well" });
  expect(textOf((await answer.json()) as Message)).toBe("well");
}

describe("requests that were sent without waiting", () => {
  test("are answered in their order, whatever each of them takes", async () => {
    const site = await serve();
    const slow = modern("tools/call", { name: "steps" });
    const wire = openWire(site).write(echoText("one") + postText(slow.body, slow.headers) + echoText("three"));
    const answers = await wire.answers(3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => textOf(JSON.parse(body) as Message))).toEqual(["one", "done", "three"]);
  });

  test("may be many that take their time", async () => {
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

  test("leave nothing behind when their client goes before the first is answered", async () => {
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
    // The two streams that had to wait for it are gone as well, or there were no room for these.
    for (let times = 0; times < 2; times += 1)
      expect((await site.post(listen.body, listen.headers)).headers.get("content-type")).toBe("text/event-stream");
  });
});

describe("a body", () => {
  test("that is cut short is no message, and its connection costs nothing", async () => {
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

  test("longer than its Content-Length is cut there, and the rest is refused as the nonsense that it is", async () => {
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
  ])("with %s is refused with 400 and the connection closed", async (_what, lengths) => {
    const site = await serve();
    const wire = openWire(site).write(
      `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${lengths}\r\nhello`,
    );
    expect((await wire.answer()).status).toBe(400);
    await wire.closed;
    await expectWell(site);
  });

  test("in many small chunks is one message", async () => {
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

  test("that is not UTF-8 is refused with 400 and -32700", async () => {
    const site = await serve();
    const head = postText("", { "content-length": "4", "mcp-protocol-version": "2026-07-28" });
    const wire = openWire(site).write(Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xff, 0xfe, 0x22])]));
    const { status, body } = await wire.answer();
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32700 } });
  });
});

describe("a header that came twice", () => {
  test.each([
    "host",
    "origin",
    "content-type",
    "mcp-session-id",
    "mcp-protocol-version",
    "mcp-method",
    "authorization",
    "last-event-id",
  ])("is refused with 400: %s", async (name) => {
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

  test("is fine where a list may stand: Accept", async () => {
    const site = await serve();
    const { body, headers } = echo("hi");
    const text = postText(body, headers).replace(
      /accept: .*\r\n/,
      "accept: application/json\r\naccept: text/event-stream\r\n",
    );
    expect((await openWire(site).write(text).answer()).status).toBe(200);
  });
});

describe("a client that goes", () => {
  test("in the middle of a stream, as killed ones do, leaves nothing behind", async () => {
    const held = createHeld();
    const site = await serve({ limits: { streams: 1 } }, { tools: [held.tool] });
    const { body, headers } = modern("tools/call", { name: "held", arguments: { tell: true } }, { progressToken: 1 });
    for (let times = 0; times < 3; times += 1) {
      const wire = openWire(site).write(postText(body, headers));
      await until(() => wire.text.includes("notifications/progress"), "the stream");
      wire.socket.resetAndDestroy();
      await until(() => held.stopped.length === times + 1, "the end of the call");
    }
  });

  test("while it is looked up who it is leaves no stream behind", async () => {
    const auth = {
      authenticate: async () => {
        await pause(60);
        return { principal: "ada" };
      },
      selfCheck: "off" as const,
    };
    const site = await serve({ auth, sse: true, limits: { streams: 1 } });
    const visitor = await site.open();
    const lines = Object.entries(visitor.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const path of ["/mcp", "/sse"]) {
      const wire = openWire(site).write(
        `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n${lines.join("")}\r\n`,
      );
      await pause(20);
      wire.socket.destroy();
      await pause(100);
    }
    // There is one stream at most, so one that was left behind would be in the way.
    expect((await visitor.get()).status).toBe(200);
  });

  test("only halfway, and still listens, gets its answer", async () => {
    const site = await serve();
    const slow = modern("tools/call", { name: "steps" });
    const wire = openWire(site);
    wire.socket.end(postText(slow.body, slow.headers));
    await wire.closed;
    await expectWell(site);
  });
});

test("a client that takes nothing of a large answer loses its connection, and makes room for others", async () => {
  const large = tool({ name: "large", description: "Gives much.", run: () => "x".repeat(40_000_000) });
  // More than the system takes off the server's hands.
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

test("a large answer that was taken sets no limit to the call after it on its connection, nor to the one before", async () => {
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
  const TEXT = "an event stream was dropped: its client reads too slowly";
  const stopped: string[] = [];
  /** Says more than sockets hold. */
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

  test("is dropped with a line in the log when too much waits for it, and nobody else notices", async () => {
    const { site, wire, dropped } = await open();
    const other = await site.open();
    const own = await other.listen();
    const { body, headers } = modern("tools/call", { name: "noisy" }, { progressToken: 1 });
    wire.write(postText(body, headers));
    await dropped();
    expect(stopped).toEqual(["noisy"]);
    expect((await other.request("tools/list")).status).toBe(200);
    site.server.resourceListChanged();
    expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("in a session is dropped too, while its call goes on and can be come back to", async () => {
    const { site, wire, dropped } = await open();
    const visitor = await site.open("2025-06-18");
    wire.write(postText(call, visitor.headers));
    await dropped();
    expect(stopped).toEqual([]);
    const again = await visitor.listen("1-1");
    const ids = (await again.rest()).map(({ id }) => Number(id?.slice(2)));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.at(-1)).toBe(1501);
  });

  test("of HTTP+SSE is dropped, and its conversation is over", async () => {
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

test("a call that breaks off in its transport never stops the server", async () => {
  const site = await serve();
  const visitor = await site.open();
  const wires = Array.from({ length: 20 }, () => {
    const wire = openWire(site);
    const body = {
      jsonrpc: "2.0",
      id: Math.random().toString(),
      method: "tools/call",
      params: { name: "steps", _meta: { progressToken: 1 } },
    };
    wire.write(postText(body, visitor.headers));
    return wire;
  });
  await pause(30);
  for (const wire of wires) wire.socket.resetAndDestroy();
  await pause(200);
  await expectWell(site);
  expect((await Events.of(await visitor.call("steps")).messages()).length).toBe(3);
});
