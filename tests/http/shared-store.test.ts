import type { HttpOptions, SessionRecord, SessionStore, StreamEvent } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { initialize, type Message, pause, serve, textOf } from "./served.js";
import { createHeld } from "./workshop.js";

/** A store that other processes could share: everything takes its time, and only the end of a session deletes it. */
class SlowStore implements SessionStore {
  readonly records = new Map<string, SessionRecord>();
  readonly events: { readonly id: string; readonly event: StreamEvent }[] = [];
  isDown = false;

  async save(record: SessionRecord): Promise<void> {
    await this.#wait();
    // As if it had been written down: nothing but JSON comes back.
    this.records.set(record.id, JSON.parse(JSON.stringify(record)) as SessionRecord);
  }

  async find(id: string): Promise<SessionRecord | undefined> {
    await this.#wait();
    return this.records.get(id);
  }

  async delete(id: string, why: "ended" | "idle"): Promise<void> {
    await this.#wait();
    if (why === "ended") this.records.delete(id);
  }

  async append(id: string, event: StreamEvent): Promise<void> {
    this.events.push({ id, event });
    await this.#wait();
  }

  async eventsAfter(id: string, stream: string, number: number): Promise<readonly StreamEvent[]> {
    await this.#wait();
    return this.events
      .filter((kept) => kept.id === id && kept.event.stream === stream && kept.event.number > number)
      .map(({ event }) => event);
  }

  async #wait(): Promise<void> {
    await pause(3);
    if (this.isDown) throw new Error("the store is down: postgres://admin:secret@db");
  }
}

const sharing = (store: SessionStore): HttpOptions => ({ sessions: { store } });

describe("two instances that share a store", () => {
  test("go on with each other's sessions, in the revision that was agreed on", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open("2025-06-18", {}, { elicitation: {} });
    const there = visitor.at(two);
    expect(textOf((await (await there.call("echo", { text: "hi" })).json()) as Message)).toBe("hi");
    // What the client can do is known there too.
    const stream = Events.of(await there.call("greet"));
    const question = (await stream.next()) as { id: number; method: string };
    expect(question.method).toBe("elicitation/create");
    await there.tell({ id: question.id, result: { action: "accept", content: { name: "Ada" } } });
    expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
    const own = await there.listen();
    two.server.resourceListChanged();
    expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("ask under ids that never meet, so that no answer is taken for another's [RPC-04]", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open("2025-11-25", {}, { elicitation: {} });
    const here = Events.of(await visitor.call("greet"));
    const there = Events.of(await visitor.at(two).call("greet"));
    const [mine, other] = [await here.next(), await there.next()];
    expect(mine?.["id"]).toBe(1);
    expect(Number.isSafeInteger(other?.["id"])).toBe(true);
    // Whoever stands in front may bring the answer to the wrong one.
    expect(await visitor.tell({ id: other?.["id"], result: { action: "accept", content: { name: "Eve" } } })).toBe(202);
    expect(await visitor.tell({ id: 1, result: { action: "accept", content: { name: "Ada" } } })).toBe(202);
    expect(textOf((await here.next()) as Message)).toBe("Hello, Ada.");
  });

  test("replay each other's streams, under ids that never meet", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open();
    const here = await Events.of(await visitor.call("steps")).rest();
    const there = await Events.of(await visitor.at(two).call("steps")).rest();
    const ids = [...here, ...there].map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(8);
    const [, first] = here;
    const replayed = await (await visitor.at(two).listen(first?.id)).messages();
    expect(replayed.map((message) => message["method"] ?? textOf(message))).toEqual(["notifications/progress", "done"]);
    const [, other] = there;
    const back = await (await visitor.listen(other?.id)).messages();
    expect(back.map((message) => message["method"] ?? textOf(message))).toEqual(["notifications/progress", "done"]);
  });

  test("replay what the session's own stream missed at the other, and go on with their own", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open("2025-06-18");
    await visitor.watch(2);
    one.change(1, 2);
    await pause(20);
    const own = await visitor.at(two).listen("s-1");
    expect((await own.nextEvent())?.id).toBe("s-2");
    two.server.resourceListChanged();
    expect((await own.nextEvent())?.id).toMatch(/^[\da-f]{8}\.s-1$/);
  });

  test("keep the session of one principal from another", async () => {
    const store = new SlowStore();
    const auth: HttpOptions["auth"] = {
      authenticate: (request) => ({ principal: request.header("authorization") ?? "nobody" }),
      selfCheck: "off",
    };
    const options = { ...sharing(store), auth };
    const [one, two] = [await serve(options), await serve(options)];
    const visitor = (await one.open("2025-11-25", { authorization: "Bearer ada" })).at(two);
    expect((await visitor.request("tools/list", {}, { authorization: "Bearer bob" })).status).toBe(404);
    expect((await visitor.request("tools/list")).status).toBe(200);
  });

  test("end a session for both that has not been served at the other yet", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open();
    expect((await visitor.at(two).delete()).status).toBe(204);
    expect(store.records.size).toBe(0);
    const third = await serve(sharing(store));
    expect((await visitor.at(third).request("tools/list")).status).toBe(404);
  });

  test("end a session for both that both have served, and what is open in it [HTL-11] [HST-13]", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open("2025-06-18");
    const there = visitor.at(two);
    const stream = await there.listen();
    expect((await visitor.delete()).status).toBe(204);
    expect((await there.request("tools/list")).status).toBe(404);
    expect(await stream.rest()).toEqual([]);
    expect((await there.get()).status).toBe(404);
    expect((await there.delete()).status).toBe(404);
  });

  test("outlive each other: an instance that closes leaves its sessions to the rest", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const visitor = await one.open();
    await one.serving.close();
    expect((await visitor.at(two).request("tools/list")).status).toBe(200);
  });
});

describe("a slow store", () => {
  test("changes no order: a stream that opens while messages come brings each once", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const visitor = await site.open("2025-06-18");
    await visitor.watch(30);
    site.change(1, 3);
    const opening = visitor.listen();
    let last = 3;
    const telling = setInterval(() => {
      last += 1;
      site.change(last);
      if (last === 30) clearInterval(telling);
    }, 1);
    const stream = await opening;
    const ids: (string | undefined)[] = [];
    while (ids.length < 30) ids.push((await stream.nextEvent())?.id);
    expect(ids).toEqual(Array.from({ length: 30 }, (_, at) => `s-${at + 1}`));
  });

  test("loses nothing when the stream that was to be brought up to date goes again", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const visitor = await site.open("2025-06-18");
    await visitor.watch(11);
    const staying = await visitor.listen();
    for (let at = 1; at <= 10; at += 1) {
      const leaving = await visitor.listen();
      site.change(at);
      await leaving.leave();
    }
    await pause(100);
    site.change(11);
    // Whatever went out to those that left, this one goes on with the newest.
    let id: string | undefined;
    while (id !== "s-11") id = (await staying.nextEvent())?.id;
  });
});

describe("a store that is down", () => {
  test("gets 503 for whoever needs it, shows nothing of itself, and is said in the log", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const visitor = await site.open();
    store.isDown = true;
    const other = await site.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "elsewhere" });
    const begun = await site.post(initialize("2025-11-25"));
    const headers = { "mcp-session-id": "elsewhere", accept: "text/event-stream" };
    const listened = await fetch(site.url, { headers });
    const ended = await fetch(site.url, { method: "DELETE", headers });
    for (const answer of [other, begun, listened, ended]) {
      expect(answer.status).toBe(503);
      expect(await answer.text()).not.toContain("secret");
    }
    expect(begun.headers.get("mcp-session-id")).toBeNull();
    expect(site.entries.map(({ message }) => message)).toContain("the store of sessions failed");
    // A session that is known here is served all the same, its events are just not kept.
    expect((await Events.of(await visitor.call("steps")).messages()).length).toBe(3);
    store.isDown = false;
    expect((await site.open()).id).toMatch(/./);
  });

  test("gets 503 too where it throws, and where the events of a stream cannot be read", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const visitor = await site.open();
    const [first] = await Events.of(await visitor.call("steps")).rest();
    // From here on its events are in the store alone.
    await pause(50);
    store.isDown = true;
    expect((await visitor.get({ "last-event-id": first?.id as string })).status).toBe(503);
    store.eventsAfter = store.find = () => {
      throw new Error("the store is down: postgres://admin:secret@db");
    };
    const answers = [
      await visitor.get({ "last-event-id": first?.id as string }),
      await site.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "elsewhere" }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.text()).not.toContain("secret");
    }
    // A session that is known here is served all the same.
    expect((await visitor.request("tools/list")).status).toBe(200);
  });

  test("ends a stream that it cannot bring up to date, and the session goes on", async () => {
    const store = new SlowStore();
    const held = createHeld();
    const site = await serve(sharing(store), { tools: [held.tool] });
    const visitor = await site.open("2025-06-18");
    site.server.resourceListChanged();
    store.isDown = true;
    expect(await (await visitor.listen()).rest()).toEqual([]);
    store.isDown = false;
    const stream = await visitor.listen();
    expect((await stream.nextEvent())?.id).toBe("s-1");
  });
});

test("a store that gives something for an event, and no promise, has kept it", async () => {
  const events: StreamEvent[] = [];
  const store = new SlowStore();
  const plain: SessionStore = {
    save: (record) => store.save(record),
    find: (id) => store.find(id),
    delete: (id, why) => store.delete(id, why),
    append: (_id, event) => events.push(event) as unknown as undefined,
    eventsAfter: (_id, stream, number) => events.filter((event) => event.stream === stream && event.number > number),
  };
  const site = await serve(sharing(plain));
  const visitor = await site.open();
  expect(await Events.of(await visitor.call("steps")).messages()).toHaveLength(3);
  expect(events).toHaveLength(3);
  expect(site.entries.filter(({ level }) => level === "error")).toEqual([]);
});
