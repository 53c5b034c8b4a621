import type { HttpOptions, SessionRecord, SessionStore, StreamEvent } from "@toolwright/engine/http";
import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, pause, serve, textOf } from "./serve.js";

/** A store that other processes could share: it is asynchronous, and only the end of a session deletes it. */
class SlowStore implements SessionStore {
  readonly records = new Map<string, SessionRecord>();
  readonly events: { readonly id: string; readonly event: StreamEvent }[] = [];
  isDown = false;

  async save(record: SessionRecord): Promise<void> {
    await this.#wait();
    // A real store keeps only JSON.
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
  test("continue each other's sessions in the negotiated revision", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open("2025-06-18", {}, { elicitation: {} });
    const there = client.at(two);
    expect(textOf((await (await there.call("echo", { text: "hi" })).json()) as Message)).toBe("hi");
    // The client's capabilities are restored too.
    const stream = Events.of(await there.call("greet"));
    const elicitation = (await stream.next()) as { id: number; method: string };
    expect(elicitation.method).toBe("elicitation/create");
    await there.sendOneWay({ id: elicitation.id, result: { action: "accept", content: { name: "Ada" } } });
    expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
    const own = await there.listen();
    two.server.notifyResourceListChanged();
    expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("use distinct request ids, so that responses cannot be confused [RPC-04]", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open("2025-11-25", {}, { elicitation: {} });
    const here = Events.of(await client.call("greet"));
    const there = Events.of(await client.at(two).call("greet"));
    const [mine, other] = [await here.next(), await there.next()];
    expect(mine?.["id"]).toBe(1);
    expect(Number.isSafeInteger(other?.["id"])).toBe(true);
    // A load balancer may route a response to the wrong instance.
    expect(await client.sendOneWay({ id: other?.["id"], result: { action: "accept", content: { name: "Eve" } } })).toBe(
      202,
    );
    expect(await client.sendOneWay({ id: 1, result: { action: "accept", content: { name: "Ada" } } })).toBe(202);
    expect(textOf((await here.next()) as Message)).toBe("Hello, Ada.");
  });

  test("replay each other's streams with distinct event ids", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open();
    const here = await Events.of(await client.call("steps")).rest();
    const there = await Events.of(await client.at(two).call("steps")).rest();
    const ids = [...here, ...there].map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(8);
    const [, first] = here;
    const replayed = await (await client.at(two).listen(first?.id)).messages();
    expect(replayed.map((message) => message["method"] ?? textOf(message))).toEqual(["notifications/progress", "done"]);
    const [, other] = there;
    const back = await (await client.listen(other?.id)).messages();
    expect(back.map((message) => message["method"] ?? textOf(message))).toEqual(["notifications/progress", "done"]);
  });

  test("replay missed events of the other's standalone stream, and continue with their own", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open("2025-06-18");
    await client.watch(2);
    one.change(1, 2);
    await pause(20);
    const own = await client.at(two).listen("s-1");
    expect((await own.nextEvent())?.id).toBe("s-2");
    two.server.notifyResourceListChanged();
    expect((await own.nextEvent())?.id).toMatch(/^[\da-f]{8}\.s-1$/);
  });

  test("reject a session of another principal", async () => {
    const store = new SlowStore();
    const auth: HttpOptions["auth"] = {
      authenticate: (request) => ({ principal: request.header("authorization") ?? "nobody" }),
      selfCheck: "off",
    };
    const options = { ...sharing(store), auth };
    const [one, two] = [await serve(options), await serve(options)];
    const client = (await one.open("2025-11-25", { authorization: "Bearer ada" })).at(two);
    expect((await client.request("tools/list", {}, { authorization: "Bearer bob" })).status).toBe(404);
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("end a session for both that the other has not served yet", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open();
    expect((await client.at(two).delete()).status).toBe(204);
    expect(store.records.size).toBe(0);
    const third = await serve(sharing(store));
    expect((await client.at(third).request("tools/list")).status).toBe(404);
  });

  test("end a session for both that both have served, including its open streams [HTL-11] [HST-13]", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open("2025-06-18");
    const there = client.at(two);
    const stream = await there.listen();
    expect((await client.delete()).status).toBe(204);
    expect((await there.request("tools/list")).status).toBe(404);
    expect(await stream.rest()).toEqual([]);
    expect((await there.get()).status).toBe(404);
    expect((await there.delete()).status).toBe(404);
  });

  test("can continue the sessions of an instance that has closed", async () => {
    const store = new SlowStore();
    const [one, two] = [await serve(sharing(store)), await serve(sharing(store))];
    const client = await one.open();
    await one.serving.close();
    expect((await client.at(two).request("tools/list")).status).toBe(200);
  });
});

describe("a slow store", () => {
  test("keeps the order: a stream that opens while messages are sent gets each once", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const client = await site.open("2025-06-18");
    await client.watch(30);
    site.change(1, 3);
    const opening = client.listen();
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

  test("loses nothing if the stream that is catching up disconnects", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const client = await site.open("2025-06-18");
    await client.watch(11);
    const staying = await client.listen();
    for (let at = 1; at <= 10; at += 1) {
      const leaving = await client.listen();
      site.change(at);
      await leaving.leave();
    }
    await pause(100);
    site.change(11);
    // Whatever was sent to the closed streams, this one continues with the newest event.
    let id: string | undefined;
    while (id !== "s-11") id = (await staying.nextEvent())?.id;
  });
});

describe("an unavailable store", () => {
  test("causes 503 without details, and a log entry", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const client = await site.open();
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
    expect(site.entries.map(({ message }) => message)).toContain("the session store failed");
    // A session of this process is still served; its events are not stored.
    expect((await Events.of(await client.call("steps")).messages()).length).toBe(3);
    store.isDown = false;
    expect((await site.open()).id).toMatch(/./);
  });

  test("causes 503 too if it throws, or if the events of a stream cannot be read", async () => {
    const store = new SlowStore();
    const site = await serve(sharing(store));
    const client = await site.open();
    const [first] = await Events.of(await client.call("steps")).rest();
    // From now on its events are only in the store.
    await pause(50);
    store.isDown = true;
    expect((await client.get({ "last-event-id": first?.id as string })).status).toBe(503);
    store.eventsAfter = store.find = () => {
      throw new Error("the store is down: postgres://admin:secret@db");
    };
    const answers = [
      await client.get({ "last-event-id": first?.id as string }),
      await site.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "elsewhere" }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.text()).not.toContain("secret");
    }
    // A session of this process is still served.
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("ends a stream that cannot catch up, and the session continues", async () => {
    const store = new SlowStore();
    const held = createHeld();
    const site = await serve(sharing(store), { tools: [held.tool] });
    const client = await site.open("2025-06-18");
    site.server.notifyResourceListChanged();
    store.isDown = true;
    expect(await (await client.listen()).rest()).toEqual([]);
    store.isDown = false;
    const stream = await client.listen();
    expect((await stream.nextEvent())?.id).toBe("s-1");
  });
});

test("a store may return a value that is not a promise", async () => {
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
  const client = await site.open();
  expect(await Events.of(await client.call("steps")).messages()).toHaveLength(3);
  expect(events).toHaveLength(3);
  expect(site.entries.filter(({ level }) => level === "error")).toEqual([]);
});
