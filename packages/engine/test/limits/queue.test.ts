import { tool } from "@toolwright/engine";
import { describe, expect } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { blockingCall, createBlockingTool, serverWith, textOf } from "./limited-server.js";

const ONE_AT_A_TIME = { callsInFlight: 1 };

describe("waiting calls", () => {
  everyRevision("are admitted in turn by principal", async (open) => {
    const { tool: blocking, started, drain } = createBlockingTool();
    const server = serverWith({ tools: [blocking], limits: ONE_AT_A_TIME });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    const calls = Array.from({ length: 1000 }, (_, at) => ada.startRequest("tools/call", blockingCall(`ada ${at}`)));
    calls.push(...["bob 0", "bob 1"].map((id) => bob.startRequest("tools/call", blockingCall(id))));
    await drain(1002);
    for (const { response } of calls) expect(textOf(await response)).toMatch(/ is done$/);
    expect(started.slice(0, 6)).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3"]);
    expect(started).toHaveLength(1002);
  });

  everyTransport(
    "are admitted in turn by session if clients are not authenticated",
    () => serverWith({ tools: [], dynamic: true, limits: ONE_AT_A_TIME }),
    async (join, server, revision) => {
      const { tool: blocking, started, next, drain } = createBlockingTool();
      server.addTool(blocking);
      const [one, two] = [await join(), await join()];
      const first = one.callTool("blocking", { id: "one 0" });
      await expect.poll(() => started.length).toBe(1);
      const later = [one.callTool("blocking", { id: "one 1" })];
      await expect.poll(() => server.metrics.queued).toBe(1);
      later.push(one.callTool("blocking", { id: "one 2" }));
      await expect.poll(() => server.metrics.queued).toBe(2);
      later.push(two.callTool("blocking", { id: "two 0" }));
      await expect.poll(() => server.metrics.queued).toBe(3);
      expect(server.metrics.running).toBe(1);
      next();
      await drain(3);
      await Promise.all([first, ...later]);
      // Over HTTP a stateless request is a session of its own.
      const isAlone = revision === "2026-07-28" && started[2] === "one 2";
      const fair = ["one 0", "one 1", "two 0", "one 2"];
      expect(started).toEqual(isAlone ? ["one 0", "one 1", "one 2", "two 0"] : fair);
      expect(server.metrics.queued).toBe(0);
    },
  );

  everyRevision("for a tool at its limit do not block calls of other tools", async (open) => {
    const slow = createBlockingTool("slow", { calls: 1 });
    const quick = tool({ name: "quick", description: "Answers at once.", run: () => "quick" });
    const client = await open(serverWith({ tools: [slow.tool, quick] }));
    const calls = ["0", "1", "2"].map((id) => client.startRequest("tools/call", blockingCall(id, undefined, "slow")));
    expect(await client.callTool("quick")).toMatchObject({ content: [{ text: "quick" }] });
    expect(slow.started).toEqual(["0"]);
    await slow.drain(3);
    for (const { response } of calls) await response;
    expect(slow.started).toEqual(["0", "1", "2"]);
  });

  everyRevision("for the quota of their principal do not block other principals", async (open) => {
    const { tool: blocking, started, drain } = createBlockingTool();
    const server = serverWith({ tools: [blocking], limits: { perPrincipal: { calls: 1 } } });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    const calls = ["ada 0", "ada 1"].map((id) => ada.startRequest("tools/call", blockingCall(id)));
    calls.push(bob.startRequest("tools/call", blockingCall("bob 0")));
    expect(started).toEqual(["ada 0", "bob 0"]);
    await drain(3);
    for (const { response } of calls) await response;
    expect(started).toEqual(["ada 0", "bob 0", "ada 1"]);
  });

  everyRevision("can be cancelled: they never run, get no response, and leave the queue", async (open) => {
    const { tool: blocking, started, drain } = createBlockingTool();
    const server = serverWith({ tools: [blocking], limits: { callsInFlight: 1, callsQueued: 1 } });
    const client = await open(server);
    const first = client.startRequest("tools/call", blockingCall("first"));
    const cancelled = client.startRequest("tools/call", blockingCall("cancelled"));
    client.notify("notifications/cancelled", { requestId: cancelled.id });
    const last = client.startRequest("tools/call", blockingCall("last"));
    await drain(2);
    expect([textOf(await first.response), textOf(await last.response)]).toEqual(["first is done", "last is done"]);
    expect(started).toEqual(["first", "last"]);
    const ids = client.conversation.map(
      ({ message }) => (message as { id?: number; result?: object }).result && (message as { id?: number }).id,
    );
    expect(ids).not.toContain(cancelled.id);
  });

  everyRevision("of a disconnected client leave the queue", async (open) => {
    const { tool: blocking, started, drain } = createBlockingTool();
    const server = serverWith({ tools: [blocking], limits: { callsInFlight: 1, callsQueued: 1 } });
    const [stays, goes] = [await open(server), await open(server)];
    const first = stays.startRequest("tools/call", blockingCall("first"));
    goes.startRequest("tools/call", blockingCall("gone"));
    expect(server.metrics.queued).toBe(1);
    goes.close();
    expect(server.metrics.queued).toBe(0);
    const last = stays.startRequest("tools/call", blockingCall("last"));
    await drain(2);
    for (const { response } of [first, last]) await response;
    expect(started).toEqual(["first", "last"]);
  });
});

describe("with a full queue", () => {
  const full = () => {
    const blocking = createBlockingTool();
    return {
      ...blocking,
      server: serverWith({ tools: [blocking.tool], limits: { callsInFlight: 1, callsQueued: 1 } }),
    };
  };

  onRevisions(HANDSHAKE, "pings are answered, and lists and cancellation are served", async (open) => {
    const { server, started, drain } = full();
    const client = await open(server);
    const first = client.startRequest("tools/call", blockingCall("first"));
    const second = client.startRequest("tools/call", blockingCall("second"));
    expect((await client.startRequest("tools/call", blockingCall("third")).response)["result"]).toMatchObject({
      isError: true,
    });
    expect(await client.request("ping")).toEqual({});
    expect(await client.listTools()).toHaveLength(1);
    client.notify("notifications/cancelled", { requestId: first.id });
    await drain(1);
    await expect.poll(() => started).toEqual(["first", "second"]);
    await drain(1);
    expect(textOf(await second.response)).toBe("second is done");
  });

  onRevisions(["2025-11-25", "2025-06-18"], "responses to input requests are accepted", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_input, call) => {
        const form = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const;
        return (await call.elicit("sure", "Sure?", form))?.sure === true ? "yes" : "no";
      },
    });
    const server = serverWith({ tools: [asking], limits: { callsInFlight: 1, callsQueued: 1 } });
    const client = await open(server, { responses: { sure: { sure: true } } });
    const calls = [1, 2].map(() => client.startRequest("tools/call", { name: "asking" }));
    expect((await client.startRequest("tools/call", { name: "asking" }).response)["result"]).toMatchObject({
      isError: true,
    });
    for (const { response } of calls) expect(textOf(await response)).toBe("yes");
  });
});

describe("a call that waits", () => {
  everyRevision("sends progress to a client that asked for it, and then the progress of its handler", async (open) => {
    const { tool: blocking, next } = createBlockingTool();
    const reporting = tool({
      name: "reporting",
      description: "Reports.",
      run: (_input, call) => {
        call.progress(1, "half");
        return "done";
      },
    });
    const limits = { ...ONE_AT_A_TIME, heartbeatMs: 50 };
    const client = await open(serverWith({ tools: [blocking, reporting], limits }));
    const first = client.startRequest("tools/call", blockingCall("0"));
    const call = client.startRequest("tools/call", { name: "reporting", _meta: { progressToken: "mine" } });
    const progress = () =>
      client.received("notifications/progress").map(({ params }) => params as Record<string, unknown>);
    await expect.poll(() => progress().length, { timeout: 5000 }).toBeGreaterThan(0);
    next();
    expect(textOf(await call.response)).toBe("done");
    await first.response;
    expect(new Set(progress().map(({ progressToken }) => progressToken))).toEqual(new Set(["mine"]));
    const values = progress().map(({ progress: value }) => value as number);
    expect(values).toEqual([...values].sort((one, other) => one - other));
    expect([values[0], values.at(-1)]).toEqual([0, 1]);
  });
});
