import { type HttpOptions, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { sendModern } from "./modern.js";
import { initialize, type Message, pause, serve, textOf, until, type Visitor } from "./served.js";
import { createHeld } from "./workshop.js";

/** Whoever says a name in the Authorization header is taken at their word. */
const named: NonNullable<HttpOptions["auth"]> = {
  authenticate: (request) => {
    const principal = request.header("authorization");
    return principal === undefined ? undefined : { principal };
  },
  selfCheck: "off",
};
const ada = { authorization: "Bearer ada" };
const bob = { authorization: "Bearer bob" };

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };

describe("a session", () => {
  test("gets an id with the answer to initialize alone, long, visible and never the same [HTL-10 ERA-02]", async () => {
    const site = await serve();
    const ids = new Set<string>();
    for (let at = 0; at < 20; at += 1) {
      const answer = await site.post(initialize("2025-11-25"));
      ids.add(answer.headers.get("mcp-session-id") as string);
      await answer.text();
    }
    expect(ids.size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
    const visitor = await site.open();
    const later = await visitor.post(list);
    expect(later.status).toBe(200);
    expect(later.headers.get("mcp-session-id")).toBeNull();
  });

  test("is used at one path with POST, GET and DELETE, and ended by DELETE: 204, then 404 [HTL-01 HTL-11]", async () => {
    const site = await serve();
    const visitor = await site.open();
    expect((await visitor.post(list)).status).toBe(200);
    const stream = await visitor.listen();
    const deleted = await visitor.delete();
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect(await stream.messages()).toEqual([]);
    expect((await visitor.post(list)).status).toBe(404);
    expect((await visitor.get()).status).toBe(404);
    expect((await visitor.delete()).status).toBe(404);
  });

  test("that nobody knows gets 404 with an error without id, and nothing is made of it", async () => {
    const site = await serve({ limits: { sessions: 1 } });
    const visitor = await site.open();
    for (const id of ["x", "../../etc/passwd", "0".repeat(4000), "__proto__", "null"]) {
      const answer = await site.post(list, { "mcp-session-id": id });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32600, message: "Invalid request: there is no such session; begin a new one with initialize" },
      });
    }
    // There is room for one alone: had any of them become a session, this one would have had to go.
    expect((await visitor.post(list)).status).toBe(200);
  });

  test("cannot be begun with an id of the client's own", async () => {
    const site = await serve();
    const answer = await site.post(initialize("2025-11-25"), { "mcp-session-id": "chosen-by-the-client" });
    expect(answer.status).toBe(404);
    expect((await site.post(list, { "mcp-session-id": "chosen-by-the-client" })).status).toBe(404);
  });

  test("is needed: a request without its id gets 400", async () => {
    const site = await serve();
    const answer = await site.post(list);
    expect(answer.status).toBe(400);
    expect((await answer.json()) as Message).toMatchObject({ id: 1, error: { code: -32600 } });
    expect((await site.post(initialized)).status).toBe(400);
    expect((await fetch(site.url, { headers: { accept: "text/event-stream" } })).status).toBe(400);
    expect((await fetch(site.url, { method: "DELETE" })).status).toBe(400);
  });

  test("refuses a second handshake and goes on", async () => {
    const site = await serve();
    const visitor = await site.open();
    const again = await visitor.post(initialize("2025-06-18"));
    expect(again.headers.get("mcp-session-id")).toBeNull();
    expect((await again.json()) as Message).toMatchObject({ error: { code: -32600 } });
    expect((await visitor.post(list)).status).toBe(200);
  });
});

describe("a session of one principal", () => {
  test("is unknown to every other, with any method: its id opens nothing [SEC-02]", async () => {
    const site = await serve({ auth: named });
    const visitor = await site.open("2025-11-25", ada);
    expect((await visitor.post(list, bob)).status).toBe(404);
    expect((await visitor.get(bob)).status).toBe(404);
    expect((await visitor.delete(bob)).status).toBe(404);
    expect((await visitor.get({ ...bob, "last-event-id": "s-0" })).status).toBe(404);
    const nobody = { "mcp-session-id": visitor.id };
    expect((await site.post(list, nobody)).status).toBe(401);
    expect((await visitor.post(list)).status).toBe(200);
  });
});

describe("sessions side by side", () => {
  test("keep their watched resources, changes and request ids apart [HTL-12]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const [one, two] = [await site.open(), await site.open("2025-03-26")];
    await (await one.request("resources/subscribe", { uri: "note://one" })).text();
    const [first, second] = [await one.listen(), await two.listen()];
    const [callOne, callTwo] = [one.post(callHeld(7)), two.post(callHeld(7))];
    await until(() => held.waiting === 2, "two calls");
    await (await one.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })).text();
    expect(held.stopped).toHaveLength(1);
    site.server.resourceChanged("note://one");
    site.server.resourceListChanged();
    held.release();
    expect((await callOne).status).toBe(202);
    expect(textOf((await (await callTwo).json()) as Message)).toBe("released");
    expect(await first.next()).toMatchObject({ method: "notifications/resources/updated" });
    expect(await first.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    expect(await second.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });
});

const callHeld = (id: number): Message => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "held" } });

test("a log level holds for its session alone [LOG-02]", async () => {
  const chatty = tool({
    name: "chatty",
    description: "Says two things.",
    run(_input, call) {
      call.log("info", "small talk");
      call.log("error", "bad news");
      return "said";
    },
  });
  const site = await serve({}, { tools: [chatty] });
  const [quiet, other] = [await site.open(), await site.open()];
  await (await quiet.request("logging/setLevel", { level: "error" })).text();
  const levels = async (visitor: Visitor) => {
    const messages = await Events.of(await visitor.call("chatty")).messages();
    return messages.flatMap(({ params }) => (params as { level?: string } | undefined)?.level ?? []);
  };
  expect(await levels(quiet)).toEqual(["error"]);
  expect(await levels(other)).toEqual(["info", "error"]);
});

describe("idle sessions", () => {
  test("end when their time is over, while one with a stream or a call goes on", async () => {
    const held = createHeld();
    const site = await serve({ limits: { sessionIdleMs: 600 } }, { tools: [held.tool] });
    const [idle, listening, calling] = [await site.open(), await site.open(), await site.open()];
    const stream = await listening.listen();
    const answer = calling.post(callHeld(2));
    await until(async () => (await idleStatus(site.url, idle.headers)) === 404, "the end of the idle session");
    expect((await listening.post(list)).status).toBe(200);
    expect((await calling.post(list)).status).toBe(200);
    held.release();
    expect((await answer).status).toBe(200);
    await stream.leave();
    await until(async () => (await idleStatus(site.url, listening.headers)) === 404, "the end of the other session");
  });

  test("make room for new ones, the longest idle first; where none is idle, a new one gets 503", async () => {
    const site = await serve({ limits: { sessions: 2 } });
    const [first, second] = [await site.open(), await site.open()];
    expect((await first.post(list)).status).toBe(200);
    const third = await site.open();
    expect((await second.post(list)).status).toBe(404);
    expect((await first.post(list)).status).toBe(200);
    expect(site.entries.map(({ message }) => message)).toContain(
      "a session makes room for a new one: there are too many",
    );
    await first.listen();
    await third.listen();
    const refused = await site.post(initialize("2025-11-25"));
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.headers.get("mcp-session-id")).toBeNull();
    expect((await refused.json()) as Message).toMatchObject({ error: { data: { limit: "sessions" } } });
    expect((await first.post(list)).status).toBe(200);
    expect((await third.post(list)).status).toBe(200);
  });

  test("count from the end of the last call, however long it took", async () => {
    const held = createHeld();
    const site = await serve({ limits: { sessionIdleMs: 400 } }, { tools: [held.tool] });
    const visitor = await site.open();
    const answer = visitor.post(callHeld(2));
    await until(() => held.waiting === 1, "the call");
    await new Promise((resolve) => setTimeout(resolve, 700));
    held.release();
    expect((await answer).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await visitor.post(list)).status).toBe(200);
  });
});

/** Looks at a session without using it: a GET that takes no stream is refused after the session was found. */
async function idleStatus(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  await pause(800);
  const answer = await fetch(url, { headers: { ...headers, accept: "application/json" } });
  await answer.text();
  return answer.status;
}

test("a session whose client answers no ping is gone, and one whose client does goes on", async () => {
  const site = await serve({}, { keepAlive: { everyMs: 40, timeoutMs: 200 } });
  const [silent, answering] = [await site.open("2025-06-18"), await site.open("2025-06-18")];
  const deaf = await site.open("2025-06-18");
  const heard = await silent.listen();
  const stream = await answering.listen();
  for (let times = 0; times < 6; times += 1) {
    const ping = (await stream.next()) as { id: number; method: string };
    expect(ping.method).toBe("ping");
    expect(await answering.tell({ id: ping.id, result: {} })).toBe(202);
  }
  // Its stream has ended, and its id is as good as one that never was.
  expect((await heard.messages()).map(({ method }) => method)).toEqual(["ping"]);
  expect((await silent.request("tools/list")).status).toBe(404);
  expect((await answering.request("tools/list")).status).toBe(200);
  // Who has no stream cannot hear a ping, and is asked none.
  expect((await deaf.request("tools/list")).status).toBe(200);
});

test("a session that is in use is not gone for a ping that its stream has lost [PING-02]", async () => {
  const held = createHeld();
  const site = await serve({}, { tools: [held.tool], keepAlive: { everyMs: 20, timeoutMs: 400 } });
  const visitor = await site.open("2025-06-18");
  const call = visitor.request("tools/call", { name: "held" });
  for (let times = 0; times < 2; times += 1) {
    const stream = await visitor.listen();
    expect(await stream.next()).toMatchObject({ method: "ping" });
    await stream.leave();
  }
  await visitor.listen();
  for (let times = 0; times < 12; times += 1) {
    expect((await visitor.request("tools/list")).status).toBe(200);
    await pause(50);
  }
  expect(held.stopped).toEqual([]);
  held.release();
  expect(textOf((await (await call).json()) as Message)).toBe("released");
  // One that is used no more is given up as before.
  await until(() => site.entries.some(({ message }) => message.includes("did not answer a ping")), "its end");
  expect((await visitor.request("tools/list")).status).toBe(404);
});

test("who still waits for an answer hears that the session has ended", async () => {
  const held = createHeld();
  const site = await serve({}, { tools: [held.tool] });
  const visitor = await site.open();
  const waiting = visitor.call("held", {}, {});
  await until(() => held.waiting === 1, "a call");
  expect((await visitor.delete()).status).toBe(204);
  expect((await waiting).status).toBe(404);
});

describe("the version header of a session", () => {
  test("may be missing, and gets 400 where it names what is not served [HTL-13]", async () => {
    const site = await serve();
    const visitor = await site.open("2025-06-18");
    const bare = { "mcp-session-id": visitor.id };
    const listed = (await (await site.post(list, bare)).json()) as { result: { tools: Message[] } };
    // The session's revision, not the oldest one: its tools have titles and output schemas, and no icons.
    expect(listed.result.tools).toHaveLength(3);
    const wrong = { ...bare, "mcp-protocol-version": "1999-12-31" };
    expect((await site.post(list, wrong)).status).toBe(400);
    expect((await fetch(site.url, { headers: { ...wrong, accept: "text/event-stream" } })).status).toBe(400);
    expect((await fetch(site.url, { method: "DELETE", headers: wrong })).status).toBe(400);
    expect((await site.post(list, bare)).status).toBe(200);
  });
});

test("a change reaches a session plain and a listen call tagged, each on its own stream [ERA-10]", async () => {
  const site = await serve();
  const visitor = await site.open();
  const plain = await visitor.listen();
  const tagged = Events.of(
    await sendModern(site, "subscriptions/listen", { notifications: { resourcesListChanged: true } }),
  );
  expect(await tagged.next()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
  site.server.resourceListChanged();
  expect(await plain.next()).toEqual({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
  expect(await tagged.next()).toEqual({
    jsonrpc: "2.0",
    method: "notifications/resources/list_changed",
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } },
  });
});
