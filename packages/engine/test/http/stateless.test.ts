import { describe, expect, test } from "vitest";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { type Message, pause, serve, textOf, until } from "./serve.js";
import { callModern, sendModern } from "./stateless-request.js";

const progress = { progressToken: "p" };

describe("a stateless request", () => {
  test("gets a JSON response, and a notification gets 202 [HTM-01]", async () => {
    const site = await serve();
    const answer = await callModern(site, "echo", { text: "hi" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(textOf((await answer.json()) as Message)).toBe("hi");
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "notifications/cancelled" };
    const cancelled = await site.post(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      headers,
    );
    expect([cancelled.status, await cancelled.text()]).toEqual([202, ""]);
  });

  test("must not be part of a batch [HTM-01]", async () => {
    const site = await serve();
    const answer = await site.post([{ jsonrpc: "2.0", id: 1, method: "tools/list" }], {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    });
    expect(answer.status).toBe(400);
  });

  test("gets a stream if there are messages before the response, which ends the stream [HTM-02 PROG-04]", async () => {
    const site = await serve();
    const stream = Events.of(await callModern(site, "steps", {}, progress));
    const messages = await stream.messages();
    expect(messages.map(({ method, id }) => method ?? id)).toEqual([
      "notifications/progress",
      "notifications/progress",
      1,
    ]);
  });

  test("never gets a request on its stream: input requests are part of the response [HTM-02]", async () => {
    const site = await serve();
    const meta = { ...progress, "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
    const answer = await callModern(site, "greet", {}, meta);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect((await answer.json()) as Message).toMatchObject({ id: 1, result: { resultType: "input_required" } });
  });

  test("has a stream without event ids that proxies do not buffer, and cannot resume another [HTM-04 HTM-05]", async () => {
    const site = await serve();
    const stream = Events.of(await callModern(site, "steps", {}, progress, { "last-event-id": "1-1" }));
    expect(stream.answer.headers.get("x-accel-buffering")).toBe("no");
    const events = await stream.rest();
    expect(events).toHaveLength(3);
    expect(events.every(({ id, retry, event }) => id === undefined && retry === undefined && event === "message")).toBe(
      true,
    );
    const headers = { "mcp-protocol-version": "2026-07-28", accept: "text/event-stream", "last-event-id": "1-1" };
    expect((await fetch(site.url, { headers })).status).toBe(405);
  });

  test("is cancelled by closing its stream, and by a disconnect before there is one [CANC-03]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const stream = Events.of(await callModern(site, "held", { reportProgress: true }, progress));
    await stream.next();
    await stream.leave();
    await until(() => held.stopped.length === 1, "the end of the first call");
    const abort = new AbortController();
    const gone = callModern(site, "held", {}, {}, {}, abort.signal);
    await until(() => held.waiting === 2, "the second call");
    abort.abort();
    await expect(gone).rejects.toThrow();
    await until(() => held.stopped.length === 2, "the end of the second call");
    expect(held.stopped).toEqual(["the connection was closed", "the connection was closed"]);
  });

  test("is not cancelled by a posted cancellation, which is only accepted [CANC-03]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const answer = callModern(site, "held");
    await until(() => held.waiting === 1, "the call");
    const cancelled = await site.post(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "notifications/cancelled" },
    );
    expect(cancelled.status).toBe(202);
    held.release();
    expect(textOf((await (await answer).json()) as Message)).toBe("released");
  });

  test("of a client that accepts only JSON gets JSON without progress", async () => {
    const site = await serve();
    const answer = await callModern(site, "steps", {}, progress, { accept: "application/json" });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf((await answer.json()) as Message)).toBe("done");
  });

  test("is independent: equal ids at the same time are two requests", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const answers = [callModern(site, "held"), callModern(site, "held")];
    await until(() => held.waiting === 2, "two calls");
    held.release();
    for (const answer of await Promise.all(answers)) expect(textOf((await answer.json()) as Message)).toBe("released");
  });
});

describe("GET and DELETE of a stateless client", () => {
  test("get 405, and so do all clients if sessions are disabled [ERA-12]", async () => {
    const site = await serve();
    const headers = { "mcp-protocol-version": "2026-07-28", accept: "text/event-stream", "mcp-session-id": "x" };
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(site.url, { method, headers });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const modernOnly = await serve({}, { protocol: { revisions: ["2026-07-28"] } });
    for (const method of ["GET", "DELETE"]) expect((await fetch(modernOnly.url, { method })).status).toBe(405);
  });

  test("a session is not affected by a stateless request with its id [ERA-12]", async () => {
    const site = await serve();
    const client = await site.open();
    const answer = await callModern(site, "echo", { text: "hi" }, {}, { "mcp-session-id": client.id });
    expect(answer.status).toBe(200);
    expect((await client.delete()).status).toBe(204);
  });
});

describe("subscriptions/listen", () => {
  const wanted = { notifications: { resourcesListChanged: true } };

  test("is a long-lived stream with keep-alive comments [HTM-03]", async () => {
    const site = await serve({ limits: { keepAliveMs: 30 } });
    const stream = Events.of(await sendModern(site, "subscriptions/listen", wanted));
    expect(await stream.next()).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
    expect(await stream.nextEvent()).toEqual({ comment: "keep-alive" });
    expect(await stream.nextEvent()).toEqual({ comment: "keep-alive" });
    site.server.notifyResourceListChanged();
    expect(await stream.next()).toMatchObject({ method: "notifications/resources/list_changed" });
  });

  test("ends with its result when the server closes [HTM-03]", async () => {
    const site = await serve();
    const stream = Events.of(await sendModern(site, "subscriptions/listen", wanted));
    await stream.next();
    const closed = site.serving.close();
    expect(await stream.messages()).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ resultType: "complete" }) }),
    ]);
    await closed;
  });

  test("gets 406 if the client accepts no stream, and 503 over the limit until one is closed [SUB-06]", async () => {
    const site = await serve({ limits: { streams: 1 } });
    const refused = await sendModern(site, "subscriptions/listen", wanted, {}, { accept: "application/json" });
    expect(refused.status).toBe(406);
    expect((await refused.json()) as Message).toMatchObject({ id: 1 });
    const stream = Events.of(await sendModern(site, "subscriptions/listen", wanted));
    await stream.next();
    const full = await sendModern(site, "subscriptions/listen", wanted);
    expect(full.status).toBe(503);
    await stream.leave();
    await pause(50);
    expect((await sendModern(site, "subscriptions/listen", wanted)).status).toBe(200);
  });
});
