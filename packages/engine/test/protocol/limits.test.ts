import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { createBlockingTool, createEcho, echo, initializeIn, openRaw, sessionRequest, settled } from "./support.js";

const textOf = (answer: JsonObject): unknown => {
  const { content } = answer["result"] as { content: { text: string }[] };
  return content[0]?.text;
};

everyRevision("calls over the concurrency limit are queued and run in order", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 2 } }));
  const calls = ["a", "b", "c", "d", "e"].map((id) =>
    client.startRequest("tools/call", { name: "gate", arguments: { id } }),
  );
  const order: unknown[] = [];
  for (const { response: answer } of calls) void answer.then((message) => order.push(textOf(message)));
  for (const running of [2, 2, 1]) {
    expect(gate.waiting).toBe(running);
    gate.open();
    await settled();
  }
  expect(order).toEqual(["a done", "b done", "c done", "d done", "e done"]);
});

everyRevision("a call over the queue limit is rejected, and the others are served", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 1, callsQueued: 1 } }));
  const [first, second, third] = [1, 2, 3].map(() => client.startRequest("tools/call", { name: "gate" }));
  const refused = await third?.response;
  expect(refused?.["result"]).toMatchObject({
    isError: true,
    content: [{ text: "The server is busy: 1 call is running and 1 is waiting. Try again in 1 s." }],
  });
  gate.open();
  await first?.response;
  await settled();
  gate.open();
  expect((await second?.response)?.["result"]).toMatchObject({ isError: false });
  expect(await client.listTools()).toHaveLength(1);
});

test("thousands of queued calls that end at once are answered in order", async () => {
  const gate = createBlockingTool();
  const server = createEcho({ tools: [echo, gate.tool], limits: { callsInFlight: 1, callsQueued: 5000 } });
  const raw = await openRaw(server);
  await raw.sendAndReceive(initializeIn("2025-11-25"));
  const quick = sessionRequest(0, "tools/call", { name: "echo", arguments: { text: "a" } });
  await raw.sendAndReceive(
    sessionRequest(0, "tools/call", { name: "gate" }),
    ...Array.from({ length: 5000 }, (_, at) => quick.replace('"id":0', `"id":${at + 1}`)),
  );
  expect(raw.received).toHaveLength(1);
  gate.open();
  await settled(50);
  const ids = raw.received.slice(1).map((text) => (JSON.parse(text) as { id: number }).id);
  expect(ids).toEqual(Array.from({ length: 5001 }, (_, at) => at));
});

everyRevision("a call that times out gets an error result, and its signal is aborted", async (open, revision) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callTimeoutMs: 20 } }));
  const result = await client.callTool("gate");
  expect(result["isError"]).toBe(true);
  expect((result["content"] as JsonObject[])[0]?.["text"]).toMatch(
    /^The tool "gate" did not finish: stopped after \d+ ms \(limit 20 ms without progress\)\. Ask for less at once/,
  );
  if (revision >= "2025-06-18") {
    expect(result["structuredContent"]).toMatchObject({ code: "TIMEOUT", limit: "callTimeoutMs", timeoutMs: 20 });
  }
  expect(gate.stopped).toHaveLength(1);
  gate.open();
  await settled();
  expect(await client.listTools()).toHaveLength(1);
});

everyRevision("a tool may have its own timeout, shorter or longer", async (open) => {
  const [hasty, patient] = [createBlockingTool("hasty"), createBlockingTool("patient")];
  const tools = [
    { ...hasty.tool, timeoutMs: 10 },
    { ...patient.tool, timeoutMs: 10_000 },
  ];
  const client = await open(createEcho({ tools, limits: { callTimeoutMs: 30 } }));
  const running = client.startRequest("tools/call", { name: "patient" });
  expect((await client.callTool("hasty"))["isError"]).toBe(true);
  await settled(50);
  patient.open();
  expect((await running.response)["result"]).toMatchObject({ isError: false });
});

everyRevision("a call that timed out releases its slot", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [echo, gate.tool], limits: { callsInFlight: 1, callTimeoutMs: 20 } }));
  const stuck = client.startRequest("tools/call", { name: "gate" });
  const next = client.startRequest("tools/call", { name: "echo", arguments: { text: "a" } });
  expect((await stuck.response)["result"]).toMatchObject({ isError: true });
  expect(textOf(await next.response)).toBe("a");
});

test("timeouts are capped at the maximum of a timer", () => {
  const { limits } = createEcho({ limits: { inputTimeoutMs: Number.POSITIVE_INFINITY, callTimeoutMs: 1e12 } });
  expect([limits.inputTimeoutMs, limits.callTimeoutMs]).toEqual([2_147_483_647, 2_147_483_647]);
});

everyRevision("calls over the rate limit are queued", async (open) => {
  const client = await open(createEcho({ limits: { rate: { burst: 2, perSecond: 8 } } }));
  const calls = ["a", "b", "c", "d"].map((text) =>
    client.startRequest("tools/call", { name: "echo", arguments: { text } }),
  );
  const order: unknown[] = [];
  for (const { response: answer } of calls) void answer.then((message) => order.push(textOf(message)));
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
  await Promise.all(calls.map(({ response: answer }) => answer));
  expect(order).toEqual(["a", "b", "c", "d"]);
});

everyRevision("calls over the rate limit are rejected if configured; other requests are not counted", async (open) => {
  const rate = { burst: 1, perSecond: 0.001, over: "reject" } as const;
  const client = await open(createEcho({ limits: { rate } }));
  for (let round = 0; round < 5; round += 1) expect(await client.listTools()).toHaveLength(1);
  expect((await client.callTool("echo", { text: "a" }))["isError"]).toBe(false);
  const refused = await client.callTool("echo", { text: "b" });
  expect(refused["isError"]).toBe(true);
  expect((refused["content"] as JsonObject[])[0]?.["text"]).toMatch(
    /^Too many calls: the limit is 0\.001 a second\. Try again in \d+ s\.$/,
  );
});

everyRevision("a result over the size limit becomes an error result with both sizes", async (open, revision) => {
  const large = tool({ name: "large", description: "Gives much.", run: () => "x".repeat(3000) });
  const client = await open(createEcho({ tools: [large], limits: { messageBytes: 2000 } }));
  const result = await client.callTool("large");
  expect(result["isError"]).toBe(true);
  expect((result["content"] as JsonObject[])[0]?.["text"]).toMatch(
    /^The result has 3\d\d\d bytes; the limit is 2000\. Ask for less at once\.$/,
  );
  if (revision >= "2025-06-18") {
    expect(result["structuredContent"]).toMatchObject({ code: "RESULT_TOO_LARGE", limit: "messageBytes", max: 2000 });
  }
});

everyRevision("middleware sees each call once, including failed ones", async (open) => {
  const received: string[] = [];
  const broken = tool({
    name: "broken",
    description: "Fails.",
    run: () => {
      throw new Error("on purpose");
    },
  });
  const gate = createBlockingTool();
  const observe = (report: { name: string; principal: string | undefined; durationMs: number }) => {
    received.push(`${report.name} of ${report.principal}`);
    expect(report.durationMs).toBeGreaterThanOrEqual(0);
    throw new Error("a watcher that fails harms nobody");
  };
  const tools = [echo, broken, gate.tool];
  const client = await open(createEcho({ tools, onCall: observe, limits: { callTimeoutMs: 20 } }), {
    principal: "ada",
  });
  await client.callTool("echo", { text: "a" });
  await client.callTool("broken");
  await client.callTool("gate");
  const cancelled = client.startRequest("tools/call", { name: "gate" });
  client.notify("notifications/cancelled", { requestId: cancelled.id });
  expect(received).toEqual(["echo of ada", "broken of ada", "gate of ada", "gate of ada"]);
});
