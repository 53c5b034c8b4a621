import { prompt, type ServerOptions, ToolError, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { hashApiKey } from "@toolwright/engine/http";
import { describe, expect, test } from "vitest";
import { Events } from "../http/events.js";
import { type Message, serve } from "../http/serve.js";
import { callModern, sendModern } from "../http/stateless-request.js";
import { createBlockingTool } from "./limited-server.js";

const FULL = { callsInFlight: 1, callsQueued: 1 };
const KEYS = { ada: "a".repeat(40), bob: "b".repeat(40) };
const auth = {
  apiKeys: Object.entries(KEYS).map(([principal, key]) => ({ principal, hash: hashApiKey(key) })),
  selfCheck: "off",
} as const;
const as = (who: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[who]}` });

/** Serves a blocking tool. */
async function serveBlockingTool(options: Partial<ServerOptions>, http: Parameters<typeof serve>[0] = {}) {
  const blocking = createBlockingTool();
  const site = await serve({ rate: false, ...http }, { ...options, tools: [blocking.tool, ...(options.tools ?? [])] });
  return { ...blocking, site, queued: () => site.server.metrics.queued };
}

describe("a call that is rejected because of a limit", () => {
  test("is answered with status 429, Retry-After and a message for the model", async () => {
    const { site, started, drain, queued } = await serveBlockingTool({ limits: FULL });
    const calls = [callModern(site, "blocking", { id: "0" }), callModern(site, "blocking", { id: "1" })];
    await expect.poll(() => [started.length, queued()]).toEqual([1, 1]);
    const visitor = await site.open();
    for (const refused of [await callModern(site, "blocking"), await visitor.call("blocking", {}, {})]) {
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(refused.headers.get("content-type")).toBe("application/json");
      expect((await refused.json()) as Message).toMatchObject({
        result: {
          isError: true,
          content: [{ text: "The server is busy: 1 call is running and 1 is waiting. Try again in 1 s." }],
          structuredContent: { code: "BUSY", limit: "callsQueued", retryable: true, retryAfterMs: 1000 },
        },
      });
    }
    await drain(2);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("gets the delay of a rate limit in seconds, rounded up", async () => {
    const rated = tool({
      name: "rated",
      description: "Answers at once.",
      rate: { burst: 1, perSecond: 0.4, over: "reject" },
      run: () => "quick",
    });
    const { site } = await serveBlockingTool({ tools: [rated] });
    expect((await callModern(site, "rated")).status).toBe(200);
    const refused = await callModern(site, "rated");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
  });

  test("has the status also for a prompt, whose rejection is a protocol error", async () => {
    const greeting = prompt({ name: "greeting", description: "Greets.", run: () => "Hello." });
    const { site, started, drain, queued } = await serveBlockingTool({ limits: FULL, prompts: [greeting] });
    const calls = [callModern(site, "blocking"), callModern(site, "blocking")];
    await expect.poll(() => [started.length, queued()]).toEqual([1, 1]);
    const refused = await sendModern(site, "prompts/get", { name: "greeting" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await refused.json()) as Message).toMatchObject({
      error: { code: -32603, data: { code: "BUSY", limit: "callsQueued", retryAfterMs: 1000 } },
    });
    await drain(2);
    await Promise.all(calls);
  });

  test("is rejected on its event stream if that has started", async () => {
    const { site, started, drain } = await serveBlockingTool({ limits: { callsInFlight: 1, heartbeatMs: 800 } });
    const first = callModern(site, "blocking");
    await expect.poll(() => started.length).toBe(1);
    const answer = await callModern(site, "blocking", {}, { progressToken: "p", "toolwright/timeoutMs": 1200 });
    expect(answer.status).toBe(200);
    expect(await Events.of(answer).messages()).toMatchObject([
      { method: "notifications/progress", params: { progressToken: "p", message: "still waiting (1 s)" } },
      { result: { isError: true, structuredContent: { code: "BUSY", limit: "deadline" } } },
    ]);
    await drain(1);
    await first;
  });

  test("returns the message to the user of the client", async () => {
    const { site, started, drain, queued } = await serveBlockingTool({ limits: FULL });
    const client = await connect({ url: site.url });
    const calls = [client.callTool("blocking", {}), client.callTool("blocking", {})];
    await expect.poll(() => [started.length, queued()]).toEqual([1, 1]);
    expect(await client.callTool("blocking", {})).toMatchObject({
      isError: true,
      structuredContent: { code: "BUSY" },
    });
    await drain(2);
    await Promise.all(calls);
    await client.close();
  });

  test("by its own tool is a tool error like any other", async () => {
    const failing = tool({
      name: "failing",
      description: "Fails as its own source does.",
      run: () => {
        throw new ToolError("The source is busy.", { code: "BUSY", details: { retryable: true, retryAfterMs: 5000 } });
      },
    });
    const { site } = await serveBlockingTool({ tools: [failing] });
    expect((await callModern(site, "failing")).status).toBe(200);
  });
});

describe("principals with API keys", () => {
  test("take turns, on every transport", async () => {
    const { site, started, drain, queued } = await serveBlockingTool({ limits: { callsInFlight: 1 } }, { auth });
    const call = (who: keyof typeof KEYS, id: string) => callModern(site, "blocking", { id }, {}, as(who));
    const calls = [call("ada", "ada 0")];
    await expect.poll(() => started.length).toBe(1);
    for (let at = 1; at <= 20; at += 1) {
      calls.push(call("ada", `ada ${at}`));
      await expect.poll(queued, { interval: 1 }).toBe(at);
    }
    const bob = await site.open("2025-11-25", as("bob"));
    calls.push(bob.call("blocking", { id: "bob 0" }, {}), call("bob", "bob 1"));
    await expect.poll(queued, { interval: 1 }).toBe(22);
    await drain(23);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect(started.slice(0, 2)).toEqual(["ada 0", "ada 1"]);
    expect(started.indexOf("bob 0")).toBeLessThanOrEqual(4);
    expect(started.indexOf("bob 1")).toBeLessThanOrEqual(4);
  });

  test("have each their own share", async () => {
    const { site, started, drain, queued } = await serveBlockingTool(
      { limits: { perPrincipal: { calls: 1 } } },
      { auth },
    );
    const call = (who: keyof typeof KEYS, id: string) => callModern(site, "blocking", { id }, {}, as(who));
    const calls = [call("ada", "ada"), call("ada", "ada")];
    await expect.poll(() => [started.length, queued()]).toEqual([1, 1]);
    calls.push(call("bob", "bob"));
    await expect.poll(() => started).toEqual(["ada", "bob"]);
    await drain(3);
    await Promise.all(calls);
    expect(started).toEqual(["ada", "bob", "ada"]);
  });
});

test("a client that disconnects while its call waits frees its slot", async () => {
  const { site, started, drain, queued } = await serveBlockingTool({ limits: FULL });
  const first = callModern(site, "blocking", { id: "first" });
  await expect.poll(() => started.length).toBe(1);
  const leaving = new AbortController();
  const gone = callModern(site, "blocking", { id: "gone" }, {}, {}, leaving.signal);
  await expect.poll(queued).toBe(1);
  leaving.abort();
  await expect(gone).rejects.toThrow();
  await expect.poll(queued).toBe(0);
  const last = callModern(site, "blocking", { id: "last" });
  await drain(2);
  await Promise.all([first, last]);
  expect(started).toEqual(["first", "last"]);
});
