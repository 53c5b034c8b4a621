import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { type Event, Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { type Message, pause, type Served, type SessionClient, serve, textOf, until } from "./serve.js";

const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26"];

const callHeld = (client: SessionClient) =>
  client.request("tools/call", { name: "held", arguments: { reportProgress: true }, _meta: { progressToken: "p" } });

/** Starts a held call, and reads its stream up to the progress notification. */
async function begin(site: Served, held: ReturnType<typeof createHeld>, version = "2025-11-25") {
  const client = await site.open(version);
  const stream = Events.of(await callHeld(client));
  let event: Event | undefined;
  while (!event?.data) event = await stream.nextEvent();
  await until(() => held.waiting === 1, "the call");
  return { client, stream, after: event.id as string };
}

describe("a client that loses the stream of a call", () => {
  test.each(HANDSHAKE)(
    "does not cancel the call, and gets the rest with GET and the last event id (%s) [CANC-04 HTL-09]",
    async (version) => {
      const held = createHeld();
      const site = await serve({}, { tools: [held.tool] });
      const { client, stream, after } = await begin(site, held, version);
      await stream.leave();
      await pause(50);
      expect(held.stopped).toEqual([]);
      const again = await client.listen(after);
      held.release();
      const messages = await again.messages();
      expect(messages).toHaveLength(1);
      expect(textOf(messages[0] as Message)).toBe("released");
    },
  );

  test.each(HANDSHAKE)("gets the rest also after the call has ended, any number of times (%s)", async (version) => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const { client, stream, after } = await begin(site, held, version);
    await stream.leave();
    await pause(50);
    held.release();
    for (let times = 0; times < 2; times += 1) {
      await pause(30);
      const messages = await (await client.listen(after)).messages();
      expect(messages.map((message) => textOf(message))).toEqual(["released"]);
    }
  });

  test("before the first message can resume with the id of the priming event", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const client = await site.open();
    const stream = Events.of(await callHeld(client));
    const first = await stream.nextEvent();
    await stream.leave();
    await pause(50);
    const again = await client.listen(first?.id);
    held.release();
    const events = await again.rest();
    expect(events.map(({ id, data }) => [id, data === ""])).toEqual([
      ["1-0", true],
      ["1-1", false],
      ["1-2", false],
    ]);
  });

  test("before there was a stream can still cancel, and a later response is discarded", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const client = await site.open();
    const abort = new AbortController();
    const gone = client.request("tools/call", { name: "held" }, {}, abort.signal);
    await until(() => held.waiting === 1, "the call");
    abort.abort();
    await expect(gone).rejects.toThrow();
    await pause(50);
    expect(held.stopped).toEqual([]);
    held.release();
    await pause(20);
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("gets no events of other streams", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const { client, stream, after } = await begin(site, held);
    const other = Events.of(await callHeld(client));
    await stream.leave();
    await pause(30);
    site.server.notifyResourceListChanged();
    held.release();
    const ids = (await (await client.listen(after)).rest()).map(({ id }) => id);
    expect(ids).toEqual(["1-1", "1-2"]);
    expect((await other.rest()).map(({ id }) => id)).toEqual(["2-0", "2-1", "2-2"]);
  });

  test("gets events only on the new connection; the old one ends", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const { client, stream, after } = await begin(site, held);
    const again = await client.listen(after);
    expect(await stream.rest()).toEqual([]);
    held.release();
    expect((await again.messages()).map((message) => textOf(message))).toEqual(["released"]);
  });
});

describe("a client that loses the standalone stream", () => {
  test("gets the missed events after the event id, and continues listening", async () => {
    const site = await serve();
    const client = await site.open("2025-06-18");
    await client.watch(5);
    const stream = await client.listen();
    site.change(1, 3);
    const first = await stream.nextEvent();
    expect(first?.id).toBe("s-1");
    await stream.leave();
    await pause(50);
    site.change(4);
    const again = await client.listen("s-1");
    const ids = [];
    for (let times = 0; times < 3; times += 1) ids.push((await again.nextEvent())?.id);
    site.change(5);
    ids.push((await again.nextEvent())?.id);
    expect(ids).toEqual(["s-2", "s-3", "s-4", "s-5"]);
  });

  test("loses no unsent event if it reconnects without an event id", async () => {
    const site = await serve();
    const client = await site.open("2025-06-18");
    await (await client.listen()).leave();
    await pause(50);
    site.server.notifyResourceListChanged();
    const again = await client.listen();
    expect((await again.nextEvent())?.id).toBe("s-1");
  });
});

describe("an event id", () => {
  test("of an unknown stream gets 405, and no stream is opened", async () => {
    const site = await serve({ limits: { streams: 1 } });
    const client = await site.open();
    for (const id of [
      "9-1",
      "x",
      "-1",
      "1-",
      "1--1",
      "1-1e999",
      "1-0.5",
      "../../../../tests/s",
      "1-9007199254740993",
      "%00",
    ]) {
      const answer = await client.get({ "last-event-id": id });
      expect([id, answer.status]).toEqual([id, 405]);
      await answer.text();
    }
    expect((await client.get()).status).toBe(200);
  });

  test("of another session is rejected", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const { stream, after } = await begin(site, held);
    const other = await site.open();
    expect((await other.get({ "last-event-id": after })).status).toBe(405);
    held.release();
    expect((await stream.messages()).map((message) => textOf(message))).toEqual(["released"]);
  });

  test("that is no longer stored resumes with the oldest stored event", async () => {
    const site = await serve({ limits: { eventsKept: 5 } });
    const client = await site.open("2025-06-18");
    await client.watch(20);
    site.change(1, 20);
    await pause(20);
    const stream = await client.listen("s-2");
    const ids = [];
    for (let times = 0; times < 5; times += 1) ids.push((await stream.nextEvent())?.id);
    expect(ids).toEqual(["s-16", "s-17", "s-18", "s-19", "s-20"]);
  });
});

test("a client that resumes more than the buffer limit gets everything as fast as it reads", async () => {
  const large = tool({
    name: "large",
    description: "Says much.",
    async run(_input, call) {
      for (let at = 1; at <= 200; at += 1) {
        call.progress(at, "x".repeat(20_000));
        if (at % 2 === 0) await pause(1);
      }
      return "said";
    },
  });
  const site = await serve(
    { limits: { streamBytes: 100_000, eventsKept: 1000 } },
    {
      tools: [large],
      limits: { notificationBurst: 10_000 },
    },
  );
  const client = await site.open("2025-06-18");
  const stream = Events.of(await client.call("large"));
  await stream.next();
  await stream.leave();
  await until(async () => {
    const answer = await client.get({ "last-event-id": "1-200" });
    return answer.ok && (await Events.of(answer).messages()).length === 1;
  }, "the end of the call");
  const ids = (await (await client.listen("1-1")).rest()).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 200 }, (_, at) => `1-${at + 2}`));
});

describe("pollAfterMs", () => {
  test("closes the stream of a long call of 2025-11-25, and the client resumes it for the response [HTL-04]", async () => {
    const held = createHeld();
    const site = await serve({ pollAfterMs: 40 }, { tools: [held.tool] });
    const client = await site.open();
    // Without progress: the stream is there for the id alone.
    const events = await Events.of(await client.request("tools/call", { name: "held" })).rest();
    expect(events).toEqual([{ id: "1-0", retry: "1000", data: "" }]);
    expect(held.stopped).toEqual([]);
    const again = await client.listen("1-0");
    held.release();
    expect((await again.messages()).map((message) => textOf(message))).toEqual(["released"]);
  });

  test("does not disconnect clients of older revisions or clients that accept only JSON", async () => {
    const held = createHeld();
    const site = await serve({ pollAfterMs: 30 }, { tools: [held.tool] });
    const [older, plain] = [await site.open("2025-06-18"), await site.open()];
    const answers = [
      older.request("tools/call", { name: "held" }),
      plain.request("tools/call", { name: "held" }, { accept: "application/json" }),
    ];
    await until(() => held.waiting === 2, "two calls");
    await pause(80);
    held.release();
    for (const answer of await Promise.all(answers)) {
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(textOf((await answer.json()) as Message)).toBe("released");
    }
  });

  test("does not affect a call that ends earlier", async () => {
    const site = await serve({ pollAfterMs: 20_000 });
    const client = await site.open();
    const events = await Events.of(await client.call("steps")).rest();
    expect(events.map(({ id }) => id)).toEqual(["1-0", "1-1", "1-2", "1-3"]);
  });
});
