import { createServer } from "@toolwright/engine";
import { createFetchHandler, type SessionRecord, type SessionStore, type StreamEvent } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { OriginPolicy } from "../../src/transports/http/access-control.js";
import type { HttpRequest } from "../../src/transports/http/http-message.js";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, PLAIN, pause, type Served, serve, until } from "./serve.js";
import { openWire, postText } from "./wire.js";

/** A remote store whose operations take this long. */
function createSlowStore(ms: Partial<Record<keyof SessionStore, number>>): SessionStore {
  const records = new Map<string, SessionRecord>();
  const events: { readonly id: string; readonly event: StreamEvent }[] = [];
  return {
    async save(record) {
      await pause(ms.save ?? 0);
      records.set(record.id, record);
    },
    async find(id) {
      const record = records.get(id);
      await pause(ms.find ?? 0);
      return record;
    },
    async delete(id) {
      await pause(ms.delete ?? 0);
      records.delete(id);
    },
    async append(id, event) {
      await pause(ms.append ?? 0);
      events.push({ id, event });
    },
    async eventsAfter(id, stream, number) {
      const found = events.filter((kept) => kept.id === id && kept.event.stream === stream);
      await pause(ms.eventsAfter ?? 0);
      return found.map(({ event }) => event).filter((event) => event.number > number);
    },
  };
}

/** Opens the two endpoints of the oldest revision. */
async function openOldest(at: Served): Promise<{ events: Events; post: (body: Message) => Promise<void> }> {
  const events = Events.of(await fetch(at.at("/sse"), { headers: { accept: "text/event-stream" } }));
  const address = at.at((await events.nextEvent())?.data as string);
  return {
    events,
    async post(body) {
      await (await fetch(address, { method: "POST", headers: PLAIN, body: JSON.stringify(body) })).text();
    },
  };
}

const call = (id: number, name: string, args: Message = {}): Message => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { progressToken: "p" } },
});

describe("a slow session store", () => {
  test("ends a stream if the session was deleted while its events were read", async () => {
    let finishReading = (): void => undefined;
    const reading = new Promise<void>((resolve) => {
      finishReading = resolve;
    });
    const eventsAfter = () => reading.then(() => []);
    const at = await serve({ sessions: { store: { ...createSlowStore({}), eventsAfter } } });
    const client = await at.open();
    const stream = await client.get({ "last-event-id": "other.s-0" });
    expect((await client.delete()).status).toBe(204);
    finishReading();
    expect(await Events.of(stream).rest()).toEqual([]);
  });

  test("loses no event that is sent while a client catches up", async () => {
    const at = await serve({ sessions: { store: createSlowStore({ append: 60, eventsAfter: 20 }) } });
    const client = await at.open();
    await client.watch(3);
    at.change(1);
    const events = await client.listen();
    await pause(10);
    at.change(2);
    await pause(200);
    at.change(3);
    const received = [await events.next(), await events.next(), await events.next()];
    expect(received).toMatchObject([1, 2, 3].map((number) => ({ params: { uri: `note://${number}` } })));
    await events.leave();
  });

  test("does not lose the response that is still being stored when the client reconnects", async () => {
    const held = createHeld();
    const at = await serve({ sessions: { store: createSlowStore({ append: 80 }) } }, { tools: [held.tool] });
    const client = await at.open();
    const first = Events.of(await client.call("held", { reportProgress: true }));
    expect((await first.nextEvent())?.id).toBe("1-0");
    expect((await first.nextEvent())?.id).toBe("1-1");
    await first.leave();
    held.release();
    await until(() => held.waiting === 0, "the answer");
    await pause(30);
    const second = await client.listen("1-1");
    expect((await second.messages()).map(({ id, result }) => [id, (result as Message)["isError"]])).toEqual([
      [101, false],
    ]);
  });
});

describe("a failing session store", () => {
  test("ends the fallback stream instead of leaving it without events", async () => {
    let isDown = false;
    const store = createSlowStore({});
    const eventsAfter: SessionStore["eventsAfter"] = (...args) => {
      if (isDown) throw new Error("the store is down");
      return store.eventsAfter(...args);
    };
    const at = await serve({ sessions: { store: { ...store, eventsAfter } } });
    const client = await at.open();
    const [older, newer] = [await client.listen(), await client.listen()];
    await pause(20);
    isDown = true;
    await newer.leave();
    expect(await older.messages()).toEqual([]);
    expect(at.entries.filter(({ level }) => level === "error")).toMatchObject([
      { message: "stored events could not be read" },
    ]);
  });
});

describe("a server that shuts down", () => {
  test("responds to a client of an ended session that it does not exist", async () => {
    const at = await serve();
    const client = await at.open();
    await at.server.close();
    const answer = await client.call("echo", { text: "a" });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("start a new one")]);
  });

  test("still sends the response that waits for progress over HTTP+SSE", async () => {
    const held = createHeld();
    const at = await serve({ sse: true }, { tools: [held.tool] });
    const { events, post } = await openOldest(at);
    const clientInfo = { name: "test", version: "1.0.0" };
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
    await post({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    await events.next();
    await post(call(7, "held", { reportProgress: true }));
    held.release();
    expect((await events.next())?.["method"]).toBe("notifications/progress");
    const closed = at.serving.close();
    expect((await events.messages()).map(({ id }) => id)).toEqual([7]);
    await closed;
  });
});

describe("a page that uses DNS rebinding", () => {
  test("is rejected by a fetch handler without allowedHosts, while pages of localhost are allowed", async () => {
    const handle = createFetchHandler(createServer({ name: "test", version: "1.0.0" }), {});
    const statusOf = async (origin: string): Promise<number> => {
      const init = { method: "POST", headers: { ...PLAIN, origin }, body: JSON.stringify(initialize("2025-11-25")) };
      return (await handle(new Request(`${origin}/mcp`, init))).status;
    };
    expect(await statusOf("http://evil.example:3000")).toBe(403);
    expect(await statusOf("http://localhost:3000")).toBe(200);
    expect(await statusOf("http://192.168.0.2:3000")).toBe(200);
    expect(await statusOf("https://tools.example")).toBe(200);
  });

  test("is rejected by a server that allows any host", async () => {
    const at = await serve({ allowedHosts: ["*"] });
    const page = { host: "evil.example", origin: "http://evil.example" };
    const wire = openWire(at).write(postText(initialize("2025-11-25"), page));
    expect((await wire.answer()).status).toBe(403);
  });
});

test("a host name in capitals is allowed, and is a loopback name if it means localhost", async () => {
  const at = await serve({ host: "LocalHost" });
  const answer = await at.post(initialize("2025-11-25"), { origin: "http://localhost:6274" });
  expect(answer.status).toBe(200);
  const named = new OriginPolicy({
    listenAddress: "Ada-Box.Local",
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
  });
  const request = { header: (name: string) => (name === "host" ? "ada-box.local:3000" : undefined) } as HttpRequest;
  expect(named.rejectionReason(request)).toBeUndefined();
});

describe("a single connection", () => {
  test("can carry many requests at once without a warning from Node", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const held = createHeld();
    const at = await serve({}, { tools: [held.tool] });
    const client = await at.open();
    const wire = openWire(at);
    for (let id = 1; id <= 30; id += 1) wire.write(postText(call(id, "held"), client.headers));
    await until(() => held.waiting === 30, "30 calls");
    await pause(10);
    held.release();
    expect((await wire.answers(30)).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(warnings).toEqual([]);
  });
});
