import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { createTurnstile, pass, serverWith, textOf } from "./turnstile.js";

const once = { burst: 1, perSecond: 0.5, over: "reject" } as const;
const quick = { name: "quick", description: "Answers at once.", run: () => "quick" };

everyTransport(
  "one call more than may wait hears when to try again, in words and in numbers",
  () => serverWith({ tools: [], dynamic: true, limits: { callsInFlight: 1, callsQueued: 1 } }),
  async (join, server, revision) => {
    const { tool: turnstile, begun, drain } = createTurnstile();
    server.addTool(turnstile);
    const client = await join();
    const calls = ["0", "1"].map((id) => client.callTool("turnstile", { id }));
    await expect.poll(() => [begun.length, server.metrics.queued]).toEqual([1, 1]);
    const refused = await client.callTool("turnstile", { id: "2" });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: "The server is busy: 1 call is running and 1 is waiting. Try again in 1 s." }],
    });
    if (revision >= "2025-06-18")
      expect(refused).toMatchObject({
        structuredContent: { code: "BUSY", limit: "callsQueued", retryable: true, retryAfterMs: 1000 },
      });
    await drain(2);
    await Promise.all(calls);
  },
);

describe("a rate", () => {
  everyRevision("of a tool refuses calls of that tool alone", async (open) => {
    const [rated, free] = [tool({ ...quick, name: "rated", rate: once }), tool({ ...quick, name: "free" })];
    const client = await open(serverWith({ tools: [rated, free] }));
    expect(await client.callTool("rated")).toMatchObject({ isError: false });
    expect(await client.callTool("rated")).toMatchObject({
      isError: true,
      content: [{ text: 'Too many calls of "rated": the limit is 0.5 a second. Try again in 2 s.' }],
    });
    for (let times = 0; times < 3; times += 1) expect(await client.callTool("free")).toMatchObject({ isError: false });
  });

  everyRevision("of a principal refuses that principal alone, whatever it calls", async (open) => {
    const tools = [tool({ ...quick, name: "one" }), tool({ ...quick, name: "two" })];
    const server = serverWith({ tools, perPrincipal: { rate: once } });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    expect(await ada.callTool("one")).toMatchObject({ isError: false });
    expect(await ada.callTool("two")).toMatchObject({
      isError: true,
      content: [{ text: "Too many calls of one caller: the limit is 0.5 a second. Try again in 2 s." }],
    });
    expect(await bob.callTool("two")).toMatchObject({ isError: false });
  });

  onRevisions(HANDSHAKE, "over which calls are has the number of older servers, where they had one", async (open) => {
    const rated = tool({ ...quick, rate: once });
    const client = await open(serverWith({ tools: [rated], legacyCodes: "paiml" }));
    await client.callTool("quick");
    await expect(client.callTool("quick")).rejects.toMatchObject({
      code: -32003,
      message: 'Too many calls of "quick": the limit is 0.5 a second. Try again in 2 s.',
    });
  });

  onRevisions(
    [STATELESS],
    "over which calls are is a result for clients that older servers never knew",
    async (open) => {
      const client = await open(serverWith({ tools: [tool({ ...quick, rate: once })], legacyCodes: "paiml" }));
      await client.callTool("quick");
      expect(await client.callTool("quick")).toMatchObject({ isError: true });
    },
  );
});

onRevisions(HANDSHAKE, "a full queue is a result also for clients of older servers", async (open) => {
  const { tool: turnstile, drain } = createTurnstile();
  const limits = { callsInFlight: 1, callsQueued: 1 };
  const client = await open(serverWith({ tools: [turnstile], limits, legacyCodes: "paiml" }));
  const calls = ["0", "1"].map((id) => client.start("tools/call", pass(id)));
  expect(textOf(await client.start("tools/call", pass("2")).answer)).toMatch(/^The server is busy: /);
  await drain(2);
  for (const { answer } of calls) await answer;
});

describe("bounds that are none", () => {
  test.each([
    [{ calls: 0 }, "calls must be a whole number of at least 1"],
    [{ calls: 1.5 }, "calls must be a whole number of at least 1"],
    [{ rate: { burst: 0, perSecond: 1 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ rate: { burst: 1, perSecond: 1, over: "wait" } }, "rate.over must be delay or reject"],
  ])("of a tool are refused at its definition: %j", (bounds, fault) => {
    expect(() => tool({ ...quick, ...(bounds as object) })).toThrow(
      new TypeError(`Cannot define tool "quick": ${fault}`),
    );
  });

  test.each([
    [{ calls: -1 }, "perPrincipal.calls must be a whole number of at least 1"],
    [{ rate: { burst: 1, perSecond: 0 } }, "perPrincipal.rate needs burst of at least 1 and perSecond above 0"],
    [{ call: 1 }, "call is unknown; did you mean calls?"],
  ])("of principals are refused at the start: %j", (perPrincipal, fault) => {
    expect(() => serverWith({ perPrincipal: perPrincipal as object })).toThrow(
      new TypeError(`Cannot create the server: ${fault}`),
    );
  });
});
