import { tool } from "@toolwright/engine";
import type { HttpOptions } from "@toolwright/engine/http";
import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, pause, type SessionClient, serve, textOf, until } from "./serve.js";
import { sendModern } from "./stateless-request.js";

/** Accepts any name in the Authorization header. */
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
  test("gets an id only with the response to initialize: long, printable and unique [HTL-10 ERA-02]", async () => {
    const site = await serve();
    const ids = new Set<string>();
    for (let at = 0; at < 20; at += 1) {
      const answer = await site.post(initialize("2025-11-25"));
      ids.add(answer.headers.get("mcp-session-id") as string);
      await answer.text();
    }
    expect(ids.size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
    const client = await site.open();
    const later = await client.post(list);
    expect(later.status).toBe(200);
    expect(later.headers.get("mcp-session-id")).toBeNull();
  });

  test("is used with POST, GET and DELETE on one path, and ended by DELETE: 204, then 404 [HTL-01 HTL-11]", async () => {
    const site = await serve();
    const client = await site.open();
    expect((await client.post(list)).status).toBe(200);
    const stream = await client.listen();
    const deleted = await client.delete();
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect(await stream.messages()).toEqual([]);
    expect((await client.post(list)).status).toBe(404);
    expect((await client.get()).status).toBe(404);
    expect((await client.delete()).status).toBe(404);
  });

  test("that is unknown gets 404 with an error without id, and is not created", async () => {
    const site = await serve({ limits: { sessions: 1 } });
    const client = await site.open();
    for (const id of ["x", "../../etc/passwd", "0".repeat(4000), "__proto__", "null"]) {
      const answer = await site.post(list, { "mcp-session-id": id });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({
        jsonrpc: "2.0",
        error: { code: -32600, message: "Invalid request: session not found; start a new one with initialize" },
      });
    }
    // There is room for one alone: had any of them become a session, this one would have had to go.
    expect((await client.post(list)).status).toBe(200);
  });

  test("cannot be opened with an id that the client has chosen", async () => {
    const site = await serve();
    const answer = await site.post(initialize("2025-11-25"), { "mcp-session-id": "chosen-by-the-client" });
    expect(answer.status).toBe(404);
    expect((await site.post(list, { "mcp-session-id": "chosen-by-the-client" })).status).toBe(404);
  });

  test("is required: a request without its id gets 400", async () => {
    const site = await serve();
    const answer = await site.post(list);
    expect(answer.status).toBe(400);
    expect((await answer.json()) as Message).toMatchObject({ id: 1, error: { code: -32600 } });
    expect((await site.post(initialized)).status).toBe(400);
    expect((await fetch(site.url, { headers: { accept: "text/event-stream" } })).status).toBe(400);
    expect((await fetch(site.url, { method: "DELETE" })).status).toBe(400);
  });

  test("rejects a second handshake and continues", async () => {
    const site = await serve();
    const client = await site.open();
    const again = await client.post(initialize("2025-06-18"));
    expect(again.headers.get("mcp-session-id")).toBeNull();
    expect((await again.json()) as Message).toMatchObject({ error: { code: -32600 } });
    expect((await client.post(list)).status).toBe(200);
  });
});

describe("a session of one principal", () => {
  test("is unknown to every other principal, with any method [SEC-02]", async () => {
    const site = await serve({ auth: named });
    const client = await site.open("2025-11-25", ada);
    expect((await client.post(list, bob)).status).toBe(404);
    expect((await client.get(bob)).status).toBe(404);
    expect((await client.delete(bob)).status).toBe(404);
    expect((await client.get({ ...bob, "last-event-id": "s-0" })).status).toBe(404);
    const nobody = { "mcp-session-id": client.id };
    expect((await site.post(list, nobody)).status).toBe(401);
    expect((await client.post(list)).status).toBe(200);
  });
});

describe("concurrent sessions", () => {
  test("have separate subscriptions, changes and request ids [HTL-12]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const [one, two] = [await site.open(), await site.open("2025-03-26")];
    await (await one.request("resources/subscribe", { uri: "note://one" })).text();
    const [first, second] = [await one.listen(), await two.listen()];
    const [callOne, callTwo] = [one.post(callHeld(7)), two.post(callHeld(7))];
    await until(() => held.waiting === 2, "two calls");
    await (await one.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })).text();
    expect(held.stopped).toHaveLength(1);
    site.server.notifyResourceUpdated("note://one");
    site.server.notifyResourceListChanged();
    held.release();
    expect((await callOne).status).toBe(202);
    expect(textOf((await (await callTwo).json()) as Message)).toBe("released");
    expect(await first.next()).toMatchObject({ method: "notifications/resources/updated" });
    expect(await first.next()).toMatchObject({ method: "notifications/resources/list_changed" });
    expect(await second.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });
});

const callHeld = (id: number): Message => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "held" } });

test("a log level applies only to its session [LOG-02]", async () => {
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
  const levels = async (client: SessionClient) => {
    const messages = await Events.of(await client.call("chatty")).messages();
    return messages.flatMap(({ params }) => (params as { level?: string } | undefined)?.level ?? []);
  };
  expect(await levels(quiet)).toEqual(["error"]);
  expect(await levels(other)).toEqual(["info", "error"]);
});

describe("idle sessions", () => {
  test("are closed after the timeout, while one with a stream or a call continues", async () => {
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

  test("are replaced by new ones, the longest idle first; if none is idle, a new one gets 503", async () => {
    const site = await serve({ limits: { sessions: 2 } });
    const [first, second] = [await site.open(), await site.open()];
    expect((await first.post(list)).status).toBe(200);
    const third = await site.open();
    expect((await second.post(list)).status).toBe(404);
    expect((await first.post(list)).status).toBe(200);
    expect(site.entries.map(({ message }) => message)).toContain(
      "an idle session was closed to make room for a new one",
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

  test("are idle from the end of the last call", async () => {
    const held = createHeld();
    const site = await serve({ limits: { sessionIdleMs: 400 } }, { tools: [held.tool] });
    const client = await site.open();
    const answer = client.post(callHeld(2));
    await until(() => held.waiting === 1, "the call");
    await new Promise((resolve) => setTimeout(resolve, 700));
    held.release();
    expect((await answer).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await client.post(list)).status).toBe(200);
  });
});

/** Looks at a session without using it: a GET that takes no stream is refused after the session was found. */
async function idleStatus(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  await pause(800);
  const answer = await fetch(url, { headers: { ...headers, accept: "application/json" } });
  await answer.text();
  return answer.status;
}

test("a session whose client does not answer a ping is closed, and one whose client does continues", async () => {
  const site = await serve({}, { protocol: { keepAlive: { intervalMs: 40, timeoutMs: 200 } } });
  const [silent, answering] = [await site.open("2025-06-18"), await site.open("2025-06-18")];
  const deaf = await site.open("2025-06-18");
  const received = await silent.listen();
  const stream = await answering.listen();
  for (let times = 0; times < 6; times += 1) {
    const ping = (await stream.next()) as { id: number; method: string };
    expect(ping.method).toBe("ping");
    expect(await answering.sendOneWay({ id: ping.id, result: {} })).toBe(202);
  }
  // Its stream has ended, and its id is as good as one that never was.
  expect((await received.messages()).map(({ method }) => method)).toEqual(["ping"]);
  expect((await silent.request("tools/list")).status).toBe(404);
  expect((await answering.request("tools/list")).status).toBe(200);
  // A client without a stream cannot receive pings, so none are sent.
  expect((await deaf.request("tools/list")).status).toBe(200);
});

test("a session in use is not closed for a ping that its stream has lost [PING-02]", async () => {
  const held = createHeld();
  const site = await serve({}, { tools: [held.tool], protocol: { keepAlive: { intervalMs: 20, timeoutMs: 400 } } });
  const client = await site.open("2025-06-18");
  const call = client.request("tools/call", { name: "held" });
  for (let times = 0; times < 2; times += 1) {
    const stream = await client.listen();
    expect(await stream.next()).toMatchObject({ method: "ping" });
    await stream.leave();
  }
  await client.listen();
  for (let times = 0; times < 12; times += 1) {
    expect((await client.request("tools/list")).status).toBe(200);
    await pause(50);
  }
  expect(held.stopped).toEqual([]);
  held.release();
  expect(textOf((await (await call).json()) as Message)).toBe("released");
  // One that is used no more is given up as before.
  await until(() => site.entries.some(({ message }) => message.includes("did not respond to a ping")), "its end");
  expect((await client.request("tools/list")).status).toBe(404);
});

test("a client that waits for a response learns that the session has ended", async () => {
  const held = createHeld();
  const site = await serve({}, { tools: [held.tool] });
  const client = await site.open();
  const waiting = client.call("held", {}, {});
  await until(() => held.waiting === 1, "a call");
  expect((await client.delete()).status).toBe(204);
  expect((await waiting).status).toBe(404);
});

describe("the version header of a session", () => {
  test("may be missing, and gets 400 for an unsupported version [HTL-13]", async () => {
    const site = await serve();
    const client = await site.open("2025-06-18");
    const bare = { "mcp-session-id": client.id };
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

test("a change reaches a session without and a listen call with a subscription id, each on its own stream [ERA-10]", async () => {
  const site = await serve();
  const client = await site.open();
  const plain = await client.listen();
  const tagged = Events.of(
    await sendModern(site, "subscriptions/listen", { notifications: { resourcesListChanged: true } }),
  );
  expect(await tagged.next()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
  site.server.notifyResourceListChanged();
  expect(await plain.next()).toEqual({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
  expect(await tagged.next()).toEqual({
    jsonrpc: "2.0",
    method: "notifications/resources/list_changed",
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } },
  });
});
