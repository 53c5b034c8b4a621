import { tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { createTurnstile, pass, serverWith, textOf } from "./turnstile.js";

const ONE_AT_A_TIME = { callsInFlight: 1 };

describe("calls that wait", () => {
  everyRevision("take turns by principal, so that many of one do not keep another waiting", async (open) => {
    const { tool: turnstile, begun, drain } = createTurnstile();
    const server = serverWith({ tools: [turnstile], limits: ONE_AT_A_TIME });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    const calls = Array.from({ length: 1000 }, (_, at) => ada.start("tools/call", pass(`ada ${at}`)));
    calls.push(...["bob 0", "bob 1"].map((id) => bob.start("tools/call", pass(id))));
    await drain(1002);
    for (const { answer } of calls) expect(textOf(await answer)).toMatch(/ has passed$/);
    expect(begun.slice(0, 6)).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3"]);
    expect(begun).toHaveLength(1002);
  });

  everyTransport(
    "take turns by session where nobody is told apart",
    () => serverWith({ tools: [], dynamic: true, limits: ONE_AT_A_TIME }),
    async (join, server, revision) => {
      const { tool: turnstile, begun, next, drain } = createTurnstile();
      server.addTool(turnstile);
      const [one, two] = [await join(), await join()];
      const first = one.callTool("turnstile", { id: "one 0" });
      await expect.poll(() => begun.length).toBe(1);
      const later = [one.callTool("turnstile", { id: "one 1" })];
      await expect.poll(() => server.metrics.queued).toBe(1);
      later.push(one.callTool("turnstile", { id: "one 2" }));
      await expect.poll(() => server.metrics.queued).toBe(2);
      later.push(two.callTool("turnstile", { id: "two 0" }));
      await expect.poll(() => server.metrics.queued).toBe(3);
      expect(server.metrics.running).toBe(1);
      next();
      await drain(3);
      await Promise.all([first, ...later]);
      // Over HTTP a stateless request is a session of its own.
      const isAlone = revision === "2026-07-28" && begun[2] === "one 2";
      const fair = ["one 0", "one 1", "two 0", "one 2"];
      expect(begun).toEqual(isAlone ? ["one 0", "one 1", "one 2", "two 0"] : fair);
      expect(server.metrics.queued).toBe(0);
    },
  );

  everyRevision("for a tool that is full keep no other from going on", async (open) => {
    const slow = createTurnstile("slow", { calls: 1 });
    const quick = tool({ name: "quick", description: "Answers at once.", run: () => "quick" });
    const client = await open(serverWith({ tools: [slow.tool, quick] }));
    const calls = ["0", "1", "2"].map((id) => client.start("tools/call", pass(id, undefined, "slow")));
    expect(await client.callTool("quick")).toMatchObject({ content: [{ text: "quick" }] });
    expect(slow.begun).toEqual(["0"]);
    await slow.drain(3);
    for (const { answer } of calls) await answer;
    expect(slow.begun).toEqual(["0", "1", "2"]);
  });

  everyRevision("for their principal's share keep no other principal from going on", async (open) => {
    const { tool: turnstile, begun, drain } = createTurnstile();
    const server = serverWith({ tools: [turnstile], perPrincipal: { calls: 1 } });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    const calls = ["ada 0", "ada 1"].map((id) => ada.start("tools/call", pass(id)));
    calls.push(bob.start("tools/call", pass("bob 0")));
    expect(begun).toEqual(["ada 0", "bob 0"]);
    await drain(3);
    for (const { answer } of calls) await answer;
    expect(begun).toEqual(["ada 0", "bob 0", "ada 1"]);
  });

  everyRevision("can be cancelled: they never run, get no answer, and free their place", async (open) => {
    const { tool: turnstile, begun, drain } = createTurnstile();
    const server = serverWith({ tools: [turnstile], limits: { callsInFlight: 1, callsQueued: 1 } });
    const client = await open(server);
    const first = client.start("tools/call", pass("first"));
    const cancelled = client.start("tools/call", pass("cancelled"));
    client.notify("notifications/cancelled", { requestId: cancelled.id });
    const last = client.start("tools/call", pass("last"));
    await drain(2);
    expect([textOf(await first.answer), textOf(await last.answer)]).toEqual(["first has passed", "last has passed"]);
    expect(begun).toEqual(["first", "last"]);
    const ids = client.conversation.map(
      ({ message }) => (message as { id?: number; result?: object }).result && (message as { id?: number }).id,
    );
    expect(ids).not.toContain(cancelled.id);
  });

  everyRevision("of a client that has gone make room", async (open) => {
    const { tool: turnstile, begun, drain } = createTurnstile();
    const server = serverWith({ tools: [turnstile], limits: { callsInFlight: 1, callsQueued: 1 } });
    const [stays, goes] = [await open(server), await open(server)];
    const first = stays.start("tools/call", pass("first"));
    goes.start("tools/call", pass("gone"));
    expect(server.metrics.queued).toBe(1);
    goes.close();
    expect(server.metrics.queued).toBe(0);
    const last = stays.start("tools/call", pass("last"));
    await drain(2);
    for (const { answer } of [first, last]) await answer;
    expect(begun).toEqual(["first", "last"]);
  });
});

describe("with a full queue", () => {
  const full = () => {
    const turnstile = createTurnstile();
    return {
      ...turnstile,
      server: serverWith({ tools: [turnstile.tool], limits: { callsInFlight: 1, callsQueued: 1 } }),
    };
  };

  onRevisions(HANDSHAKE, "pings are answered, and lists and cancellation are served", async (open) => {
    const { server, begun, drain } = full();
    const client = await open(server);
    const first = client.start("tools/call", pass("first"));
    const second = client.start("tools/call", pass("second"));
    expect((await client.start("tools/call", pass("third")).answer)["result"]).toMatchObject({ isError: true });
    expect(await client.request("ping")).toEqual({});
    expect(await client.listTools()).toHaveLength(1);
    client.notify("notifications/cancelled", { requestId: first.id });
    await drain(1);
    await expect.poll(() => begun).toEqual(["first", "second"]);
    await drain(1);
    expect(textOf(await second.answer)).toBe("second has passed");
  });

  onRevisions(["2025-11-25", "2025-06-18"], "answers to questions are taken", async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_input, call) => {
        const form = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const;
        return (await call.ask("sure", "Sure?", form))?.sure === true ? "yes" : "no";
      },
    });
    const server = serverWith({ tools: [asking], limits: { callsInFlight: 1, callsQueued: 1 } });
    const client = await open(server, { answers: { sure: { sure: true } } });
    const calls = [1, 2].map(() => client.start("tools/call", { name: "asking" }));
    expect((await client.start("tools/call", { name: "asking" }).answer)["result"]).toMatchObject({ isError: true });
    for (const { answer } of calls) expect(textOf(await answer)).toBe("yes");
  });
});

describe("a client that gave a progress token", () => {
  everyRevision("hears where its waiting call stands, and then of the call's own progress", async (open, revision) => {
    const { tool: turnstile, next } = createTurnstile();
    const reporting = tool({
      name: "reporting",
      description: "Reports.",
      run: (_input, call) => {
        call.progress(0, "begun");
        call.progress(1, "half");
        return "done";
      },
    });
    const client = await open(serverWith({ tools: [turnstile, reporting], limits: ONE_AT_A_TIME }));
    const others = ["0", "1"].map((id) => client.start("tools/call", pass(id)));
    const call = client.start("tools/call", { name: "reporting", _meta: { progressToken: "mine" } });
    const heard = () => client.heard("notifications/progress").map(({ params }) => params as Record<string, unknown>);
    await expect.poll(() => heard().length, { timeout: 5000 }).toBe(1);
    next();
    await expect.poll(() => heard().length, { timeout: 5000 }).toBe(2);
    next();
    expect(textOf(await call.answer)).toBe("done");
    for (const { answer } of others) await answer;
    expect(new Set(heard().map(({ progressToken }) => progressToken))).toEqual(new Set(["mine"]));
    const words = ["waiting: 1 call is ahead", "waiting: this call is next", "begun", "half"];
    // The oldest revision has no words for progress.
    expect(heard().map(({ message }) => message)).toEqual(
      words.map((text) => (revision === "2024-11-05" ? undefined : text)),
    );
    const values = heard().map(({ progress }) => progress as number);
    expect(values).toEqual([...values].sort((one, other) => one - other));
    expect([new Set(values).size, values[0], values.at(-1)]).toEqual([4, 0, 1]);
  });
});

test("nobody who did not ask for progress is told of a wait", async () => {
  const { tool: turnstile, drain } = createTurnstile();
  const client = await connect(serverWith({ tools: [turnstile], limits: ONE_AT_A_TIME }));
  const calls = ["0", "1"].map((id) => client.start("tools/call", pass(id)));
  const watched = client.start("tools/call", pass("2", { progressToken: 2 }));
  await expect.poll(() => client.heard("notifications/progress").length, { timeout: 5000 }).toBe(1);
  await drain(3);
  for (const { answer } of [...calls, watched]) await answer;
  expect(
    client.heard("notifications/progress").map(({ params }) => (params as { progressToken: number }).progressToken),
  ).toEqual([2]);
  client.close();
});
