import {
  createFetchHandler,
  createServer,
  type SessionRecord,
  type SessionStore,
  type StreamEvent,
} from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { Guard } from "../../packages/engine/src/transports/http/guard.js";
import type { HttpRequest } from "../../packages/engine/src/transports/http/host.js";
import { Events } from "./events.js";
import { initialize, type Message, PLAIN, pause, type Served, serve, until } from "./served.js";
import { openWire, postText } from "./wire.js";
import { createHeld } from "./workshop.js";

/** A store beyond a network: each deed of it takes so long. */
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

describe("a store of sessions that takes its time", () => {
  test("does not bring a session back to life that is being deleted", async () => {
    const at = await serve({ sessions: { store: createSlowStore({ delete: 100 }) } });
    const visitor = await at.open();
    const deleted = visitor.delete();
    await pause(30);
    const during = await visitor.call("echo", { text: "a" });
    expect((await deleted).status).toBe(204);
    const after = await visitor.call("echo", { text: "a" });
    expect([during.status, after.status]).toEqual([404, 404]);
  });

  test("opens no stream of a session that was deleted while the events of the stream were looked up", async () => {
    const at = await serve({ sessions: { store: createSlowStore({ eventsAfter: 100 }) } });
    const visitor = await at.open();
    const stream = visitor.get({ "last-event-id": "other.s-0" });
    await pause(30);
    expect((await visitor.delete()).status).toBe(204);
    expect((await stream).status).toBe(404);
  });

  test("costs a client none of the events that come while it is brought up to date", async () => {
    const at = await serve({ sessions: { store: createSlowStore({ append: 60, eventsAfter: 20 }) } });
    const visitor = await at.open();
    await visitor.watch(3);
    at.change(1);
    const events = await visitor.listen();
    await pause(10);
    at.change(2);
    await pause(200);
    at.change(3);
    const heard = [await events.next(), await events.next(), await events.next()];
    expect(heard).toMatchObject([1, 2, 3].map((number) => ({ params: { uri: `note://${number}` } })));
    await events.leave();
  });

  test("costs a client that comes back not the answer that is still being kept", async () => {
    const held = createHeld();
    const at = await serve({ sessions: { store: createSlowStore({ append: 80 }) } }, { tools: [held.tool] });
    const visitor = await at.open();
    const first = Events.of(await visitor.call("held", { tell: true }));
    expect((await first.nextEvent())?.id).toBe("1-0");
    expect((await first.nextEvent())?.id).toBe("1-1");
    await first.leave();
    held.release();
    await until(() => held.waiting === 0, "the answer");
    await pause(30);
    const second = await visitor.listen("1-1");
    expect((await second.messages()).map(({ id, result }) => [id, (result as Message)["isError"]])).toEqual([
      [101, false],
    ]);
  });
});

describe("a store of sessions that fails", () => {
  test("ends the stream that was to take the place of another, instead of leaving it silent", async () => {
    let isDown = false;
    const store = createSlowStore({});
    const eventsAfter: SessionStore["eventsAfter"] = (...asked) => {
      if (isDown) throw new Error("the store is down");
      return store.eventsAfter(...asked);
    };
    const at = await serve({ sessions: { store: { ...store, eventsAfter } } });
    const visitor = await at.open();
    const [older, newer] = [await visitor.listen(), await visitor.listen()];
    await pause(20);
    isDown = true;
    await newer.leave();
    expect(await older.messages()).toEqual([]);
    expect(at.entries.filter(({ level }) => level === "error")).toMatchObject([
      { message: "events could not be read" },
    ]);
  });
});

describe("a server that stops", () => {
  test("tells a client whose session it has ended that there is none", async () => {
    const at = await serve();
    const visitor = await at.open();
    await at.server.close();
    const answer = await visitor.call("echo", { text: "a" });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("begin a new one")]);
  });

  test("still sends the answer that was held back for the sake of progress, over the oldest two endpoints", async () => {
    const held = createHeld();
    const at = await serve({ sse: true }, { tools: [held.tool] });
    const { events, post } = await openOldest(at);
    const clientInfo = { name: "test", version: "1.0.0" };
    const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
    await post({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    await events.next();
    await post(call(7, "held", { tell: true }));
    held.release();
    expect((await events.next())?.["method"]).toBe("notifications/progress");
    const closed = at.serving.close();
    expect((await events.messages()).map(({ id }) => id)).toEqual([7]);
    await closed;
  });
});

describe("a page whose name was made to point to this machine", () => {
  test("is not let in by a fetch handler that was told no name, while pages of this machine are", async () => {
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

  test("is not let in by a server that takes any name", async () => {
    const at = await serve({ allowedHosts: ["*"] });
    const page = { host: "evil.example", origin: "http://evil.example" };
    const wire = openWire(at).write(postText(initialize("2025-11-25"), page));
    expect((await wire.answer()).status).toBe(403);
  });
});

test("a server that listens under a name in capitals is known by it, and local where the name is", async () => {
  const at = await serve({ host: "LocalHost" });
  const answer = await at.post(initialize("2025-11-25"), { origin: "http://localhost:6274" });
  expect(answer.status).toBe(200);
  const named = new Guard({ boundTo: "Ada-Box.Local", publicUrl: undefined, allowedHosts: [], allowedOrigins: [] });
  const request = { header: (name: string) => (name === "host" ? "ada-box.local:3000" : undefined) } as HttpRequest;
  expect(named.refusal(request)).toBeUndefined();
});

describe("one connection", () => {
  test("may bring many requests at once without a word of warning from Node", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const held = createHeld();
    const at = await serve({}, { tools: [held.tool] });
    const visitor = await at.open();
    const wire = openWire(at);
    for (let id = 1; id <= 30; id += 1) wire.write(postText(call(id, "held"), visitor.headers));
    await until(() => held.waiting === 30, "30 calls");
    await pause(10);
    held.release();
    expect((await wire.answers(30)).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(warnings).toEqual([]);
  });
});
