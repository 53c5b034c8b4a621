import { resource, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { type Event, Events } from "./events.js";
import { callModern, modern, sendModern } from "./modern.js";
import { type Message, pause, serve, textOf, until } from "./served.js";
import { createHeld } from "./workshop.js";

const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const STREAMING = { accept: "application/json, text/event-stream" };

const methodsOf = (events: readonly Event[]): unknown[] =>
  events.flatMap(({ data }) => (data ? [JSON.parse(data) as Message] : [])).map(({ method, id }) => method ?? id);

describe("an answer in a session", () => {
  test.each(HANDSHAKE)(
    "is JSON where nothing is sent before it, and 202 for what needs none (%s) [HTL-02]",
    async (version) => {
      const site = await serve();
      const visitor = await site.open(version);
      const answer = await visitor.call("echo", { text: "hi" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(textOf((await answer.json()) as Message)).toBe("hi");
      const unanswered = await visitor.post({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      expect([unanswered.status, await unanswered.text()]).toEqual([202, ""]);
      const stray = await visitor.post({ jsonrpc: "2.0", id: 99, result: {} });
      expect([stray.status, await stray.text()]).toEqual([202, ""]);
    },
  );

  test.each(HANDSHAKE)(
    "comes last on a stream, after its progress and nothing else, and ends it (%s) [HTL-03 PROG-04]",
    async (version) => {
      const site = await serve();
      const visitor = await site.open(version);
      const own = await visitor.listen();
      const stream = Events.of(await visitor.call("steps"));
      expect(stream.answer.headers.get("x-accel-buffering")).toBe("no");
      expect(methodsOf(await stream.rest())).toEqual(["notifications/progress", "notifications/progress", 101]);
      site.server.resourceListChanged();
      // Nothing of the call has come here before.
      expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    },
  );

  test("of 2025-11-25 begins with an event that has an id, a time to come back after, and nothing to read [HTL-05]", async () => {
    const site = await serve();
    const visitor = await site.open();
    const [first, ...rest] = await Events.of(await visitor.call("steps")).rest();
    expect(first).toEqual({ id: "1-0", retry: "1000", data: "" });
    expect(rest.map(({ id, event }) => [id, event])).toEqual([
      ["1-1", "message"],
      ["1-2", "message"],
      ["1-3", "message"],
    ]);
    const own = await visitor.listen();
    expect(await own.nextEvent()).toEqual({ id: "s-0", retry: "1000", data: "" });
  });

  test.each(HANDSHAKE.slice(1))(
    "of %s begins with its first message: its clients may read an empty one as a fault",
    async (version) => {
      const site = await serve();
      const visitor = await site.open(version);
      const events = await Events.of(await visitor.call("steps")).rest();
      expect(events.map(({ id }) => id)).toEqual(["1-1", "1-2", "1-3"]);
      expect(events.every(({ data, retry }) => data !== "" && retry === undefined)).toBe(true);
      const own = await visitor.listen();
      site.server.resourceListChanged();
      expect(await own.nextEvent()).toMatchObject({ id: "s-1", event: "message" });
    },
  );

  test("has ids that no other stream of the session has [HTL-09]", async () => {
    const site = await serve();
    const visitor = await site.open();
    const own = await visitor.listen();
    const streams = await Promise.all([visitor.call("steps"), visitor.call("steps"), visitor.call("steps")]);
    const events = (await Promise.all(streams.map((answer) => Events.of(answer).rest()))).flat();
    site.server.resourceListChanged();
    const told = [await own.nextEvent(), await own.nextEvent()];
    const ids = [...events, ...told].map((event) => event?.id);
    expect(new Set(ids).size).toBe(14);
  });

  test("to a client that takes JSON alone is JSON, and its progress goes nowhere but to the session's stream", async () => {
    const site = await serve();
    const visitor = await site.open();
    const answer = await visitor.request(
      "tools/call",
      { name: "steps", _meta: { progressToken: 1 } },
      { accept: "application/json" },
    );
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf((await answer.json()) as Message)).toBe("done");
    const nothing = await visitor.request("tools/list", {}, { accept: "image/png" });
    expect(nothing.status).toBe(406);
  });

  test("to a client that takes JSON alone is 406 where it has to be asked, unless it listens [HST-05]", async () => {
    const site = await serve();
    const visitor = await site.open("2025-11-25", {}, { elicitation: {} });
    const ask = () => visitor.request("tools/call", { name: "greet" }, { accept: "application/json" });
    const refused = await ask();
    expect([refused.status, await refused.json()]).toMatchObject([406, { id: 101, error: { code: -32600 } }]);
    const own = await visitor.listen();
    const answer = ask();
    const { id } = (await own.next()) as { id: number };
    await visitor.tell({ id, result: { action: "accept", content: { name: "Ada" } } });
    expect(textOf((await (await answer).json()) as Message)).toBe("Hello, Ada.");
  });

  test("that was cancelled never comes: the stream ends, and a POST without a stream gets 202", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const visitor = await site.open();
    const stream = Events.of(
      await visitor.request("tools/call", { name: "held", arguments: { tell: true }, _meta: { progressToken: 1 } }),
    );
    const plain = visitor.request("tools/call", { name: "held" });
    await until(() => held.waiting === 2, "two calls");
    for (const requestId of [101, 102])
      expect(await visitor.tell({ method: "notifications/cancelled", params: { requestId, reason: "enough" } })).toBe(
        202,
      );
    expect(methodsOf(await stream.rest())).toEqual(["notifications/progress"]);
    expect([(await plain).status, await (await plain).text()]).toEqual([202, ""]);
    expect(held.stopped).toEqual(["enough", "enough"]);
  });
});

describe("the GET stream of a session", () => {
  test("carries what belongs to no request, and no answer [HTL-06 HTL-07]", async () => {
    const site = await serve();
    const visitor = await site.open();
    const answer = await visitor.get();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
    const own = Events.of(answer);
    await Events.of(await visitor.call("steps")).rest();
    await (await visitor.call("echo", { text: "hi" })).text();
    site.server.resourceListChanged();
    expect(await own.next()).toEqual({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
  });

  test("may be open several times: each message goes to one of them, the newest that is still there [HTL-08]", async () => {
    const site = await serve();
    const visitor = await site.open("2025-06-18");
    const [first, second, third] = [await visitor.listen(), await visitor.listen(), await visitor.listen()];
    site.server.resourceListChanged();
    expect(await third.nextEvent()).toMatchObject({ id: "s-1" });
    await first.leave();
    await third.leave();
    await pause(50);
    site.server.resourceListChanged();
    expect(await second.nextEvent()).toMatchObject({ id: "s-2" });
    expect((await visitor.delete()).status).toBe(204);
    expect(await second.rest()).toEqual([]);
  });

  test("brings what nobody has heard when it opens, once and in order", async () => {
    const site = await serve();
    const visitor = await site.open("2025-06-18");
    await (await visitor.request("resources/subscribe", { uri: "note://one" })).text();
    site.server.resourceListChanged();
    site.server.resourceChanged("note://one");
    const stream = await visitor.listen();
    expect(methodsOf([(await stream.nextEvent()) as Event, (await stream.nextEvent()) as Event])).toEqual([
      "notifications/resources/list_changed",
      "notifications/resources/updated",
    ]);
    const other = await visitor.listen();
    site.server.resourceListChanged();
    expect(await other.nextEvent()).toMatchObject({ id: "s-3" });
  });

  test("says that it is still there while there is nothing to say", async () => {
    const site = await serve({ limits: { keepAliveMs: 30 } });
    const visitor = await site.open("2025-06-18");
    const stream = await visitor.listen();
    expect(await stream.nextEvent()).toEqual({ comment: "still here" });
    expect(await stream.nextEvent()).toEqual({ comment: "still here" });
  });

  test("is refused to a client that does not take one: 406", async () => {
    const site = await serve();
    const visitor = await site.open();
    expect((await visitor.get({ accept: "application/json" })).status).toBe(406);
    expect((await visitor.get({ accept: "*/*" })).status).toBe(200);
  });

  test("is refused where there are too many: 503, and calls are answered without one", async () => {
    const site = await serve({ limits: { streams: 1 } });
    const visitor = await site.open("2025-06-18");
    const stream = await visitor.listen();
    const refused = await visitor.get();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await refused.json()) as Message).toMatchObject({ error: { data: { limit: "streams" } } });
    const { body, headers } = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const unheard = await site.post({ ...body, id: "mine" }, headers);
    expect([unheard.status, await unheard.json()]).toMatchObject([
      503,
      { id: "mine", error: { data: { limit: "streams" } } },
    ]);
    const answer = await visitor.call("steps");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf((await answer.json()) as Message)).toBe("done");
    expect(await stream.next()).toMatchObject({ method: "notifications/progress" });
  });
});

describe("where all streams are taken by the time that there is something to tell", () => {
  test("a call that stands alone is answered without one", async () => {
    let came = 0;
    const late = tool({
      name: "late",
      description: "Tells something when all are there.",
      run: async (_input, call) => {
        came += 1;
        await until(() => came === 5, "five calls");
        call.progress(1);
        await pause(100);
        return "done";
      },
    });
    const site = await serve({ limits: { streams: 2 } }, { tools: [late] });
    const calls = Array.from({ length: 5 }, () => callModern(site, "late", {}, { progressToken: "p" }));
    const answers = await Promise.all(calls);
    const types = answers.map(({ headers }) => headers.get("content-type"));
    expect(types.filter((type) => type === "text/event-stream")).toHaveLength(2);
    for (const answer of answers) expect(await answer.text()).toContain("done");
  });

  test("a subscription that was let in has its own", async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = resource({ uri: "note://slow", name: "slow", read: () => "text", watched: () => begun });
    const site = await serve({ limits: { streams: 1 } }, { resources: [slow] });
    const visitor = await site.open("2025-06-18");
    const wanted = { notifications: { resourceSubscriptions: ["note://slow"] } };
    const subscribed = sendModern(site, "subscriptions/listen", wanted);
    await pause(50);
    await visitor.listen();
    begin();
    expect(await Events.of(await subscribed).next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
    });
  });
});

describe("a question", () => {
  test.each(["2025-11-25", "2025-06-18"])(
    "rides the stream of its call and is answered by another POST with 202 (%s) [CLI-03]",
    async (version) => {
      const site = await serve();
      const visitor = await site.open(version, {}, { elicitation: {} });
      const own = await visitor.listen();
      const stream = Events.of(await visitor.call("greet"));
      const question = (await stream.next()) as { id: number; method: string };
      expect(question.method).toBe("elicitation/create");
      const result = { action: "accept", content: { name: "Ada" } };
      expect(await visitor.tell({ id: question.id, result })).toBe(202);
      expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
      expect(await stream.next()).toBeUndefined();
      site.server.resourceListChanged();
      expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    },
  );

  test("cannot be answered from another session", async () => {
    const site = await serve();
    const [asked, other] = [await site.open("2025-11-25", {}, { elicitation: {} }), await site.open()];
    const stream = Events.of(await asked.call("greet"));
    const question = (await stream.next()) as { id: number };
    const answer = (name: string) => ({ id: question.id, result: { action: "accept", content: { name } } });
    expect(await other.tell(answer("Mallory"))).toBe(202);
    expect(await asked.tell(answer("Ada"))).toBe(202);
    expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
  });

  test("of a call whose client takes JSON alone comes on the session's stream", async () => {
    const site = await serve();
    const visitor = await site.open("2025-11-25", {}, { elicitation: {} });
    const own = await visitor.listen();
    const answer = visitor.request("tools/call", { name: "greet" }, { accept: "application/json" });
    const question = (await own.next()) as { id: number };
    await visitor.tell({ id: question.id, result: { action: "decline" } });
    expect(textOf((await (await answer).json()) as Message)).toBe("Nobody.");
  });
});

test("what a task has to say after its request was answered comes on the session's stream", async () => {
  const chore = tool({
    name: "chore",
    description: "Takes its time.",
    long: "task-only",
    async run(_input, call) {
      await pause(30);
      call.progress(1, "half");
      await pause(30);
      return "swept";
    },
  });
  const site = await serve({}, { tools: [chore], tasks: true });
  const visitor = await site.open();
  const own = await visitor.listen();
  const answer = await visitor.request("tools/call", {
    name: "chore",
    task: { ttl: 60_000 },
    _meta: { progressToken: "t" },
  });
  const { result } = (await answer.json()) as { result: { task: { taskId: string } } };
  expect(result.task.taskId).toMatch(/./);
  const heard: Message[] = [];
  await until(async () => {
    heard.push((await own.next()) as Message);
    return heard.some(({ params }) => (params as { status?: string } | undefined)?.status === "completed");
  }, "the end of the task");
  expect(heard.map(({ method }) => method)).toContain("notifications/progress");
});

describe("a batch of 2025-03-26", () => {
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
  const call = (id: number, name: string, args: Message = {}) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args, _meta: { progressToken: id } },
  });

  test("is answered with one array, or with 202 where nothing in it needs an answer", async () => {
    const site = await serve();
    const visitor = await site.open("2025-03-26");
    const answer = await visitor.post([
      list(1),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      call(2, "echo", { text: "hi" }),
    ]);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as Message[]).map(({ id }) => id)).toEqual([1, 2]);
    const quiet = await visitor.post([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    expect([quiet.status, await quiet.text()]).toEqual([202, ""]);
  });

  test("becomes a stream where one of its calls has something to say before", async () => {
    const site = await serve();
    const visitor = await site.open("2025-03-26");
    const messages = await Events.of(await visitor.post([list(1), call(2, "steps")], STREAMING)).messages();
    expect(messages.slice(0, 2).map(({ method }) => method)).toEqual([
      "notifications/progress",
      "notifications/progress",
    ]);
    expect((messages[2] as unknown as Message[]).map(({ id }) => id)).toEqual([1, 2]);
  });

  test("is refused as its one call would be, whatever else in it needs no answer", async () => {
    const wipe = tool({ name: "wipe", description: "Deletes.", scopes: ["wipe"], run: () => "done" });
    const auth = { authenticate: () => ({ principal: "ada", scopes: [] }), selfCheck: "off" } as const;
    const site = await serve({ auth }, { tools: [wipe] });
    const visitor = await site.open("2025-03-26");
    const answer = await visitor.post([call(1, "wipe"), { jsonrpc: "2.0", method: "notifications/unheard-of" }]);
    expect([answer.status, await answer.json()]).toMatchObject([403, [{ id: 1 }]]);
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect((await visitor.post([call(1, "wipe"), list(2)])).status).toBe(200);
  });

  test("is refused with 400 elsewhere, and so is an empty one", async () => {
    const site = await serve();
    for (const version of ["2025-11-25", "2025-06-18"]) {
      const visitor = await site.open(version);
      expect((await visitor.post([list(1)])).status).toBe(400);
    }
    expect((await (await site.open("2025-03-26")).post([])).status).toBe(400);
  });
});
