import { resource, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { type Event, Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { type Message, pause, serve, textOf, until } from "./serve.js";
import { callModern, modern, sendModern } from "./stateless-request.js";

const HANDSHAKE = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const STREAMING = { accept: "application/json, text/event-stream" };

const methodsOf = (events: readonly Event[]): unknown[] =>
  events.flatMap(({ data }) => (data ? [JSON.parse(data) as Message] : [])).map(({ method, id }) => method ?? id);

describe("a response in a session", () => {
  test.each(HANDSHAKE)(
    "is JSON if nothing is sent before it, and 202 for notifications (%s) [HTL-02]",
    async (version) => {
      const site = await serve();
      const client = await site.open(version);
      const answer = await client.call("echo", { text: "hi" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(textOf((await answer.json()) as Message)).toBe("hi");
      const unanswered = await client.post({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      expect([unanswered.status, await unanswered.text()]).toEqual([202, ""]);
      const stray = await client.post({ jsonrpc: "2.0", id: 99, result: {} });
      expect([stray.status, await stray.text()]).toEqual([202, ""]);
    },
  );

  test.each(HANDSHAKE)(
    "comes last on a stream, after its progress, and ends it (%s) [HTL-03 PROG-04]",
    async (version) => {
      const site = await serve();
      const client = await site.open(version);
      const own = await client.listen();
      const stream = Events.of(await client.call("steps"));
      expect(stream.answer.headers.get("x-accel-buffering")).toBe("no");
      expect(methodsOf(await stream.rest())).toEqual(["notifications/progress", "notifications/progress", 101]);
      site.server.notifyResourceListChanged();
      // Nothing of the call has come here before.
      expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    },
  );

  test("of 2025-11-25 starts with a priming event: an id, a retry time and no data [HTL-05]", async () => {
    const site = await serve();
    const client = await site.open();
    const [first, ...rest] = await Events.of(await client.call("steps")).rest();
    expect(first).toEqual({ id: "1-0", retry: "1000", data: "" });
    expect(rest.map(({ id, event }) => [id, event])).toEqual([
      ["1-1", "message"],
      ["1-2", "message"],
      ["1-3", "message"],
    ]);
    const own = await client.listen();
    expect(await own.nextEvent()).toEqual({ id: "s-0", retry: "1000", data: "" });
  });

  test.each(HANDSHAKE.slice(1))(
    "of %s starts with its first message, because its clients may reject an empty one",
    async (version) => {
      const site = await serve();
      const client = await site.open(version);
      const events = await Events.of(await client.call("steps")).rest();
      expect(events.map(({ id }) => id)).toEqual(["1-1", "1-2", "1-3"]);
      expect(events.every(({ data, retry }) => data !== "" && retry === undefined)).toBe(true);
      const own = await client.listen();
      site.server.notifyResourceListChanged();
      expect(await own.nextEvent()).toMatchObject({ id: "s-1", event: "message" });
    },
  );

  test("has event ids that are unique in the session [HTL-09]", async () => {
    const site = await serve();
    const client = await site.open();
    const own = await client.listen();
    const streams = await Promise.all([client.call("steps"), client.call("steps"), client.call("steps")]);
    const events = (await Promise.all(streams.map((answer) => Events.of(answer).rest()))).flat();
    site.server.notifyResourceListChanged();
    const pushed = [await own.nextEvent(), await own.nextEvent()];
    const ids = [...events, ...pushed].map((event) => event?.id);
    expect(new Set(ids).size).toBe(14);
  });

  test("to a client that accepts only JSON is JSON, and its progress goes to the standalone stream", async () => {
    const site = await serve();
    const client = await site.open();
    const answer = await client.request(
      "tools/call",
      { name: "steps", _meta: { progressToken: 1 } },
      { accept: "application/json" },
    );
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf((await answer.json()) as Message)).toBe("done");
    const nothing = await client.request("tools/list", {}, { accept: "image/png" });
    expect(nothing.status).toBe(406);
  });

  test("to a client that accepts only JSON is 406 if the tool elicits input, unless the client listens [HST-05]", async () => {
    const site = await serve();
    const client = await site.open("2025-11-25", {}, { elicitation: {} });
    const send = () => client.request("tools/call", { name: "greet" }, { accept: "application/json" });
    const refused = await send();
    expect([refused.status, await refused.json()]).toMatchObject([406, { id: 101, error: { code: -32600 } }]);
    const own = await client.listen();
    const answer = send();
    const { id } = (await own.next()) as { id: number };
    await client.sendOneWay({ id, result: { action: "accept", content: { name: "Ada" } } });
    expect(textOf((await (await answer).json()) as Message)).toBe("Hello, Ada.");
  });

  test("is not sent after a cancellation: the stream ends, and a POST without a stream gets 202", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const client = await site.open();
    const stream = Events.of(
      await client.request("tools/call", {
        name: "held",
        arguments: { reportProgress: true },
        _meta: { progressToken: 1 },
      }),
    );
    const plain = client.request("tools/call", { name: "held" });
    await until(() => held.waiting === 2, "two calls");
    for (const requestId of [101, 102])
      expect(
        await client.sendOneWay({ method: "notifications/cancelled", params: { requestId, reason: "enough" } }),
      ).toBe(202);
    expect(methodsOf(await stream.rest())).toEqual(["notifications/progress"]);
    expect([(await plain).status, await (await plain).text()]).toEqual([202, ""]);
    expect(held.stopped).toEqual(["enough", "enough"]);
  });
});

describe("the GET stream of a session", () => {
  test("carries messages that belong to no request, and no responses [HTL-06 HTL-07]", async () => {
    const site = await serve();
    const client = await site.open();
    const answer = await client.get();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
    const own = Events.of(answer);
    await Events.of(await client.call("steps")).rest();
    await (await client.call("echo", { text: "hi" })).text();
    site.server.notifyResourceListChanged();
    expect(await own.next()).toEqual({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
  });

  test("may be open several times: each message goes only to the newest open one [HTL-08]", async () => {
    const site = await serve();
    const client = await site.open("2025-06-18");
    const [first, second, third] = [await client.listen(), await client.listen(), await client.listen()];
    site.server.notifyResourceListChanged();
    expect(await third.nextEvent()).toMatchObject({ id: "s-1" });
    await first.leave();
    await third.leave();
    await pause(50);
    site.server.notifyResourceListChanged();
    expect(await second.nextEvent()).toMatchObject({ id: "s-2" });
    expect((await client.delete()).status).toBe(204);
    expect(await second.rest()).toEqual([]);
  });

  test("starts with the unsent messages, once and in order", async () => {
    const site = await serve();
    const client = await site.open("2025-06-18");
    await (await client.request("resources/subscribe", { uri: "note://one" })).text();
    site.server.notifyResourceListChanged();
    site.server.notifyResourceUpdated("note://one");
    const stream = await client.listen();
    expect(methodsOf([(await stream.nextEvent()) as Event, (await stream.nextEvent()) as Event])).toEqual([
      "notifications/resources/list_changed",
      "notifications/resources/updated",
    ]);
    const other = await client.listen();
    site.server.notifyResourceListChanged();
    expect(await other.nextEvent()).toMatchObject({ id: "s-3" });
  });

  test("sends keep-alive comments while it is idle", async () => {
    const site = await serve({ limits: { keepAliveMs: 30 } });
    const client = await site.open("2025-06-18");
    const stream = await client.listen();
    expect(await stream.nextEvent()).toEqual({ comment: "keep-alive" });
    expect(await stream.nextEvent()).toEqual({ comment: "keep-alive" });
  });

  test("gets 406 if the client does not accept one", async () => {
    const site = await serve();
    const client = await site.open();
    expect((await client.get({ accept: "application/json" })).status).toBe(406);
    expect((await client.get({ accept: "*/*" })).status).toBe(200);
  });

  test("gets 503 over the limit, and calls get responses without a stream", async () => {
    const site = await serve({ limits: { streams: 1 } });
    const client = await site.open("2025-06-18");
    const stream = await client.listen();
    const refused = await client.get();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await refused.json()) as Message).toMatchObject({ error: { data: { limit: "streams" } } });
    const { body, headers } = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const unheard = await site.post({ ...body, id: "mine" }, headers);
    expect([unheard.status, await unheard.json()]).toMatchObject([
      503,
      { id: "mine", error: { data: { limit: "streams" } } },
    ]);
    const answer = await client.call("steps");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf((await answer.json()) as Message)).toBe("done");
    expect(await stream.next()).toMatchObject({ method: "notifications/progress" });
  });
});

describe("if the stream limit is reached before the first message", () => {
  test("a stateless call gets a response without a stream", async () => {
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

  test("an accepted subscription still gets its stream", async () => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = resource({ uri: "note://slow", name: "slow", read: () => "text", onSubscribe: () => begun });
    const site = await serve({ limits: { streams: 1 } }, { resources: [slow] });
    const client = await site.open("2025-06-18");
    const wanted = { notifications: { resourceSubscriptions: ["note://slow"] } };
    const subscribed = sendModern(site, "subscriptions/listen", wanted);
    await pause(50);
    await client.listen();
    begin();
    expect(await Events.of(await subscribed).next()).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
    });
  });
});

describe("an elicitation", () => {
  test.each(["2025-11-25", "2025-06-18"])(
    "is sent on the stream of its call and answered by another POST with 202 (%s) [CLI-03]",
    async (version) => {
      const site = await serve();
      const client = await site.open(version, {}, { elicitation: {} });
      const own = await client.listen();
      const stream = Events.of(await client.call("greet"));
      const elicitation = (await stream.next()) as { id: number; method: string };
      expect(elicitation.method).toBe("elicitation/create");
      const result = { action: "accept", content: { name: "Ada" } };
      expect(await client.sendOneWay({ id: elicitation.id, result })).toBe(202);
      expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
      expect(await stream.next()).toBeUndefined();
      site.server.notifyResourceListChanged();
      expect(await own.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    },
  );

  test("cannot be answered from another session", async () => {
    const site = await serve();
    const [client, other] = [await site.open("2025-11-25", {}, { elicitation: {} }), await site.open()];
    const stream = Events.of(await client.call("greet"));
    const elicitation = (await stream.next()) as { id: number };
    const answer = (name: string) => ({ id: elicitation.id, result: { action: "accept", content: { name } } });
    expect(await other.sendOneWay(answer("Mallory"))).toBe(202);
    expect(await client.sendOneWay(answer("Ada"))).toBe(202);
    expect(textOf((await stream.next()) as Message)).toBe("Hello, Ada.");
  });

  test("of a call whose client accepts only JSON is sent on the standalone stream", async () => {
    const site = await serve();
    const client = await site.open("2025-11-25", {}, { elicitation: {} });
    const own = await client.listen();
    const answer = client.request("tools/call", { name: "greet" }, { accept: "application/json" });
    const elicitation = (await own.next()) as { id: number };
    await client.sendOneWay({ id: elicitation.id, result: { action: "decline" } });
    expect(textOf((await (await answer).json()) as Message)).toBe("Nobody.");
  });
});

test("messages of a task after the response are sent on the standalone stream", async () => {
  const chore = tool({
    name: "chore",
    description: "Takes its time.",
    taskSupport: "required",
    async run(_input, call) {
      await pause(30);
      call.progress(1, "half");
      await pause(30);
      return "swept";
    },
  });
  const site = await serve({}, { tools: [chore], tasks: true });
  const client = await site.open();
  const own = await client.listen();
  const answer = await client.request("tools/call", {
    name: "chore",
    task: { ttl: 60_000 },
    _meta: { progressToken: "t" },
  });
  const { result } = (await answer.json()) as { result: { task: { taskId: string } } };
  expect(result.task.taskId).toMatch(/./);
  const received: Message[] = [];
  await until(async () => {
    received.push((await own.next()) as Message);
    return received.some(({ params }) => (params as { status?: string } | undefined)?.status === "completed");
  }, "the end of the task");
  expect(received.map(({ method }) => method)).toContain("notifications/progress");
});

describe("a batch of 2025-03-26", () => {
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
  const call = (id: number, name: string, args: Message = {}) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args, _meta: { progressToken: id } },
  });

  test("gets one array, or 202 if it contains no request", async () => {
    const site = await serve();
    const client = await site.open("2025-03-26");
    const answer = await client.post([
      list(1),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      call(2, "echo", { text: "hi" }),
    ]);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as Message[]).map(({ id }) => id)).toEqual([1, 2]);
    const quiet = await client.post([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    expect([quiet.status, await quiet.text()]).toEqual([202, ""]);
  });

  test("gets a stream if one of its calls sends a message before its response", async () => {
    const site = await serve();
    const client = await site.open("2025-03-26");
    const messages = await Events.of(await client.post([list(1), call(2, "steps")], STREAMING)).messages();
    expect(messages.slice(0, 2).map(({ method }) => method)).toEqual([
      "notifications/progress",
      "notifications/progress",
    ]);
    expect((messages[2] as unknown as Message[]).map(({ id }) => id)).toEqual([1, 2]);
  });

  test("is rejected like its only call would be", async () => {
    const wipe = tool({ name: "wipe", description: "Deletes.", scopes: ["wipe"], run: () => "done" });
    const auth = { authenticate: () => ({ principal: "ada", scopes: [] }), selfCheck: "off" } as const;
    const site = await serve({ auth }, { tools: [wipe] });
    const client = await site.open("2025-03-26");
    const answer = await client.post([call(1, "wipe"), { jsonrpc: "2.0", method: "notifications/unheard-of" }]);
    expect([answer.status, await answer.json()]).toMatchObject([403, [{ id: 1 }]]);
    expect(answer.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect((await client.post([call(1, "wipe"), list(2)])).status).toBe(200);
  });

  test("gets 400 in other revisions, and so does an empty one", async () => {
    const site = await serve();
    for (const version of ["2025-11-25", "2025-06-18"]) {
      const client = await site.open(version);
      expect((await client.post([list(1)])).status).toBe(400);
    }
    expect((await (await site.open("2025-03-26")).post([])).status).toBe(400);
  });
});
