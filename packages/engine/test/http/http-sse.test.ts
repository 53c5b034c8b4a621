import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { initialize, type Message, PLAIN, pause, type Served, serve, textOf, until } from "./serve.js";

/** A client of HTTP+SSE. */
async function openSse(site: Served, path = "/sse") {
  const stream = Events.of(await fetch(site.at(path), { headers: { accept: "text/event-stream" } }));
  const first = await stream.nextEvent();
  const target = site.at(first?.data as string);
  const post = async (message: Message, headers: Record<string, string> = {}): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const answer = await fetch(target, { method: "POST", headers: { ...PLAIN, ...headers }, body });
    await answer.text();
    return answer.status;
  };
  return { stream, first, target, post };
}

async function openConversation(site: Served, capabilities: Message = {}) {
  const client = await openSse(site);
  await client.post(initialize("2024-11-05", capabilities));
  await client.stream.next();
  await client.post({ method: "notifications/initialized" });
  return client;
}

describe("HTTP+SSE", () => {
  test("is disabled by default and has its own paths [SSE-06]", async () => {
    const without = await serve();
    expect((await fetch(without.at("/sse"), { headers: { accept: "text/event-stream" } })).status).toBe(404);
    expect((await fetch(without.at("/messages"), { method: "POST", body: "{}" })).status).toBe(404);
    const site = await serve({ sse: { path: "/old/events", messagePath: "/old/say" } });
    const { first } = await openSse(site, "/old/events");
    expect(first?.data).toMatch(/^\/old\/say\?sessionId=/);
    const client = await site.open();
    expect((await client.request("tools/list")).status).toBe(200);
  });

  test("opens a stream whose first event has the path for messages [SSE-01 SSE-02]", async () => {
    const site = await serve({ sse: true });
    const { first, stream } = await openSse(site);
    expect(first?.event).toBe("endpoint");
    expect(first?.data).toMatch(/^\/messages\?sessionId=[\da-f-]{36}$/);
    expect(stream.answer.headers.get("x-accel-buffering")).toBe("no");
  });

  test("includes the path prefix of the public URL in that event [SSE-02]", async () => {
    const at = async (publicUrl: string, path = "/mcp") => {
      const site = await serve({ sse: true, publicUrl, path });
      return (await openSse(site)).first?.data?.replace(/[\da-f-]{36}$/, "");
    };
    expect(await at("https://tools.example/base/mcp")).toBe("/base/messages?sessionId=");
    expect(await at("https://tools.example/base/", "/")).toBe("/base/messages?sessionId=");
    expect(await at("https://tools.example")).toBe("/messages?sessionId=");
    expect(await at("https://mcp")).toBe("/messages?sessionId=");
    expect(await at("https://tools.example/elsewhere")).toBe("/messages?sessionId=");
  });

  test("responds to posts with 202 and sends one message per event [SSE-03]", async () => {
    const site = await serve({ sse: true });
    const { stream, post } = await openSse(site);
    expect(await post(initialize("2024-11-05"))).toBe(202);
    expect(await stream.nextEvent()).toMatchObject({
      event: "message",
      data: expect.stringContaining('"protocolVersion":"2024-11-05"'),
    });
    expect(await post({ method: "notifications/initialized" })).toBe(202);
    expect(await post({ id: 1, method: "tools/call", params: { name: "steps", _meta: { progressToken: 1 } } })).toBe(
      202,
    );
    const received = [await stream.next(), await stream.next(), await stream.next()];
    expect(received.map((message) => message?.["method"] ?? message?.["id"])).toEqual([
      "notifications/progress",
      "notifications/progress",
      1,
    ]);
    site.server.notifyResourceListChanged();
    expect(await stream.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("handles invalid messages like other transports", async () => {
    const site = await serve({ sse: true });
    const { stream, target } = await openSse(site);
    const answer = await fetch(target, { method: "POST", headers: PLAIN, body: "{nonsense" });
    expect(answer.status).toBe(202);
    expect(await stream.next()).toMatchObject({ error: { code: -32700 } });
  });

  test("has an unguessable message path that ends with its stream, as does the session [SSE-05]", async () => {
    const held = createHeld();
    const site = await serve({ sse: true }, { tools: [held.tool] });
    const one = await openConversation(site);
    const two = await openSse(site);
    expect(one.target).not.toBe(two.target);
    expect(await one.post({ id: 1, method: "tools/call", params: { name: "held" } })).toBe(202);
    await until(() => held.waiting === 1, "the call");
    await one.stream.leave();
    await until(() => held.stopped.length === 1, "the end of the call");
    expect(await one.post({ id: 2, method: "ping" })).toBe(404);
    for (const id of ["", "x", "00000000-0000-0000-0000-000000000000"]) {
      const answer = await fetch(site.at(`/messages?sessionId=${id}`), { method: "POST", headers: PLAIN, body: "{}" });
      expect(answer.status).toBe(404);
    }
    expect(await two.post({ id: 3, method: "ping" })).toBe(202);
    expect(await two.stream.next()).toMatchObject({ id: 3, result: {} });
  });

  test("belongs to the principal that opened it [SSE-05]", async () => {
    const auth = {
      authenticate: (request: { header(name: string): string | undefined }) => ({
        principal: request.header("authorization") ?? "nobody",
      }),
      selfCheck: "off" as const,
    };
    const site = await serve({ sse: true, auth });
    const { post } = await openSse(site);
    expect(await post({ id: 1, method: "ping" }, { authorization: "Bearer bob" })).toBe(404);
    expect(await post({ id: 1, method: "ping" })).toBe(202);
  });

  test("validates origins and hosts at both paths [SSE-04]", async () => {
    const site = await serve({ sse: true });
    const { target } = await openSse(site);
    const origin = "https://evil.example";
    expect((await fetch(site.at("/sse"), { headers: { accept: "text/event-stream", origin } })).status).toBe(403);
    expect((await fetch(target, { method: "POST", headers: { ...PLAIN, origin }, body: "{}" })).status).toBe(403);
  });

  test("supports only revisions with a handshake [SSE-06]", async () => {
    const site = await serve({ sse: true });
    const { stream, post } = await openSse(site);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    expect(await post({ id: 1, method: "server/discover", params: { _meta } })).toBe(400);
    expect(await post({ id: 2, method: "ping", params: { note: Object.keys(_meta).join() } })).toBe(202);
    expect(await stream.next()).toMatchObject({ id: 2, result: {} });
  });

  test("rejects other methods with 405, other bodies with 415, and clients that accept no stream with 406", async () => {
    const site = await serve({ sse: true });
    const { target } = await openSse(site);
    expect((await fetch(site.at("/sse"), { method: "POST", headers: PLAIN, body: "{}" })).status).toBe(405);
    expect((await fetch(target)).status).toBe(405);
    expect((await fetch(target, { method: "POST", body: "{}" })).status).toBe(415);
    expect((await fetch(site.at("/sse"), { headers: { accept: "application/json" } })).status).toBe(406);
  });

  test("sends server requests on its stream, and waits for running calls when the server closes", async () => {
    const held = createHeld();
    const site = await serve({ sse: true }, { tools: [held.tool] });
    const { stream, post } = await openConversation(site);
    await post({ id: 1, method: "tools/call", params: { name: "held" } });
    await until(() => held.waiting === 1, "the call");
    const closed = site.serving.close();
    await pause(50);
    held.release();
    expect(textOf((await stream.next()) as Message)).toBe("released");
    expect(await stream.next()).toBeUndefined();
    await closed;
  });

  test("sends a response that is held back after progress before it closes", async () => {
    const site = await serve({ sse: true });
    const { stream, post } = await openConversation(site);
    await post({ id: 1, method: "tools/call", params: { name: "steps", _meta: { progressToken: 1 } } });
    await stream.next();
    const closed = site.serving.close();
    const messages = await stream.messages();
    expect(messages.map((message) => message["method"] ?? message["id"])).toEqual(["notifications/progress", 1]);
    await closed;
  });
});
