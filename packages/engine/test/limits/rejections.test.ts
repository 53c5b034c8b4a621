import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { everyTransport } from "../support/every-transport.js";
import { blockingCall, createBlockingTool, serverWith, textOf } from "./limited-server.js";

const once = { burst: 1, perSecond: 0.5, over: "reject" } as const;
const quick = { name: "quick", description: "Answers at once.", run: () => "quick" };

everyTransport(
  "a call that does not fit in the queue is rejected with a retry delay, as text and as a number",
  () => serverWith({ tools: [], dynamic: true, limits: { callsInFlight: 1, callsQueued: 1 } }),
  async (join, server, revision) => {
    const { tool: blocking, started, drain } = createBlockingTool();
    server.addTool(blocking);
    const client = await join();
    const calls = ["0", "1"].map((id) => client.callTool("blocking", { id }));
    await expect.poll(() => [started.length, server.metrics.queued]).toEqual([1, 1]);
    const refused = await client.callTool("blocking", { id: "2" });
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

describe("a rate limit", () => {
  everyRevision("of a tool rejects only calls of that tool", async (open) => {
    const [rated, free] = [tool({ ...quick, name: "rated", rate: once }), tool({ ...quick, name: "free" })];
    const client = await open(serverWith({ tools: [rated, free] }));
    expect(await client.callTool("rated")).toMatchObject({ isError: false });
    expect(await client.callTool("rated")).toMatchObject({
      isError: true,
      content: [{ text: 'Too many calls of "rated": the limit is 0.5 a second. Try again in 2 s.' }],
    });
    for (let times = 0; times < 3; times += 1) expect(await client.callTool("free")).toMatchObject({ isError: false });
  });

  everyRevision("of a principal rejects only calls of that principal", async (open) => {
    const tools = [tool({ ...quick, name: "one" }), tool({ ...quick, name: "two" })];
    const server = serverWith({ tools, limits: { perPrincipal: { rate: once } } });
    const [ada, bob] = [await open(server, { principal: "ada" }), await open(server, { principal: "bob" })];
    expect(await ada.callTool("one")).toMatchObject({ isError: false });
    expect(await ada.callTool("two")).toMatchObject({
      isError: true,
      content: [{ text: "Too many calls of one caller: the limit is 0.5 a second. Try again in 2 s." }],
    });
    expect(await bob.callTool("two")).toMatchObject({ isError: false });
  });

  onRevisions(HANDSHAKE, "over which calls are has the code that compat.errors sets", async (open) => {
    const rated = tool({ ...quick, rate: once });
    const client = await open(serverWith({ tools: [rated], compat: { errors: { RATE_LIMITED: { code: -32003 } } } }));
    await client.callTool("quick");
    await expect(client.callTool("quick")).rejects.toMatchObject({
      code: -32003,
      message: 'Too many calls of "quick": the limit is 0.5 a second. Try again in 2 s.',
    });
  });

  onRevisions(
    [STATELESS],
    "is reported as a result to clients of the stateless revision, also with compat.errors",
    async (open) => {
      const client = await open(
        serverWith({ tools: [tool({ ...quick, rate: once })], compat: { errors: { RATE_LIMITED: { code: -32003 } } } }),
      );
      await client.callTool("quick");
      expect(await client.callTool("quick")).toMatchObject({ isError: true });
    },
  );
});

onRevisions(HANDSHAKE, "a full queue is reported as a result also with compat.errors", async (open) => {
  const { tool: blocking, drain } = createBlockingTool();
  const limits = { callsInFlight: 1, callsQueued: 1 };
  const client = await open(
    serverWith({ tools: [blocking], limits, compat: { errors: { RATE_LIMITED: { code: -32003 } } } }),
  );
  const calls = ["0", "1"].map((id) => client.startRequest("tools/call", blockingCall(id)));
  expect(textOf(await client.startRequest("tools/call", blockingCall("2")).response)).toMatch(/^The server is busy: /);
  await drain(2);
  for (const { response } of calls) await response;
});

describe("invalid limits", () => {
  test.each([
    [{ calls: 0 }, "calls must be a whole number of at least 1"],
    [{ calls: 1.5 }, "calls must be a whole number of at least 1"],
    [{ rate: { burst: 0, perSecond: 1 } }, "rate needs burst of at least 1 and perSecond above 0"],
    [{ rate: { burst: 1, perSecond: 1, over: "wait" } }, "rate.over must be delay or reject"],
  ])("of a tool are rejected when it is defined: %j", (limits, issue) => {
    expect(() => tool({ ...quick, ...(limits as object) })).toThrow(
      new TypeError(`Cannot define tool "quick": ${issue}`),
    );
  });

  test.each([
    [{ calls: -1 }, "limits.perPrincipal.calls must be a whole number of at least 1"],
    [{ rate: { burst: 1, perSecond: 0 } }, "limits.perPrincipal.rate needs burst of at least 1 and perSecond above 0"],
    [{ call: 1 }, "unknown option limits.perPrincipal.call; did you mean limits.perPrincipal.calls?"],
  ])("of principals are rejected when the server is created: %j", (perPrincipal, issue) => {
    expect(() => serverWith({ limits: { perPrincipal: perPrincipal as object } })).toThrow(
      new TypeError(`Cannot create the server: ${issue}`),
    );
  });
});
