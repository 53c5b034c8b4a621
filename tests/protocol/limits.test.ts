import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { createEcho, createGate, echo, initializeIn, legacy, openRaw, settled } from "./support.js";

const textOf = (answer: JsonObject): unknown => {
  const { content } = answer["result"] as { content: { text: string }[] };
  return content[0]?.text;
};

everyRevision("calls beyond those in flight wait, and run in the order in which they came", async (open) => {
  const gate = createGate();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 2 } }));
  const calls = ["a", "b", "c", "d", "e"].map((id) => client.start("tools/call", { name: "gate", arguments: { id } }));
  const order: unknown[] = [];
  for (const { answer } of calls) void answer.then((message) => order.push(textOf(message)));
  for (const running of [2, 2, 1]) {
    expect(gate.waiting).toBe(running);
    gate.open();
    await settled();
  }
  expect(order).toEqual(["a done", "b done", "c done", "d done", "e done"]);
});

everyRevision("one call more than may wait is refused, and the others are served", async (open) => {
  const gate = createGate();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 1, callsQueued: 1 } }));
  const [first, second, third] = [1, 2, 3].map(() => client.start("tools/call", { name: "gate" }));
  const refused = await third?.answer;
  expect(refused?.["result"]).toMatchObject({
    isError: true,
    content: [{ text: "The server is busy: 1 call is running and 1 is waiting. Try again in 1 s." }],
  });
  gate.open();
  await first?.answer;
  await settled();
  gate.open();
  expect((await second?.answer)?.["result"]).toMatchObject({ isError: false });
  expect(await client.listTools()).toHaveLength(1);
});

test("thousands of waiting calls that end at once are answered in order, none lost", async () => {
  const gate = createGate();
  const server = createEcho({ tools: [echo, gate.tool], limits: { callsInFlight: 1, callsQueued: 5000 } });
  const raw = await openRaw(server);
  await raw.tell(initializeIn("2025-11-25"));
  const quick = legacy(0, "tools/call", { name: "echo", arguments: { text: "a" } });
  await raw.tell(
    legacy(0, "tools/call", { name: "gate" }),
    ...Array.from({ length: 5000 }, (_, at) => quick.replace('"id":0', `"id":${at + 1}`)),
  );
  expect(raw.heard).toHaveLength(1);
  gate.open();
  await settled(50);
  const ids = raw.heard.slice(1).map((text) => (JSON.parse(text) as { id: number }).id);
  expect(ids).toEqual(Array.from({ length: 5001 }, (_, at) => at));
});

everyRevision(
  "a call that takes too long is ended with a result that says so, and its tool told",
  async (open, revision) => {
    const gate = createGate();
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
  },
);

everyRevision("a tool may have a time limit of its own, shorter or longer", async (open) => {
  const [hasty, patient] = [createGate("hasty"), createGate("patient")];
  const tools = [
    { ...hasty.tool, timeoutMs: 10 },
    { ...patient.tool, timeoutMs: 10_000 },
  ];
  const client = await open(createEcho({ tools, limits: { callTimeoutMs: 30 } }));
  const running = client.start("tools/call", { name: "patient" });
  expect((await client.callTool("hasty"))["isError"]).toBe(true);
  await settled(50);
  patient.open();
  expect((await running.answer)["result"]).toMatchObject({ isError: false });
});

everyRevision("a call that ran out of time frees its place", async (open) => {
  const gate = createGate();
  const client = await open(createEcho({ tools: [echo, gate.tool], limits: { callsInFlight: 1, callTimeoutMs: 20 } }));
  const stuck = client.start("tools/call", { name: "gate" });
  const next = client.start("tools/call", { name: "echo", arguments: { text: "a" } });
  expect((await stuck.answer)["result"]).toMatchObject({ isError: true });
  expect(textOf(await next.answer)).toBe("a");
});

test("waits that no timer holds are cut to the longest that one does", () => {
  const { limits } = createEcho({ limits: { questionTimeoutMs: Number.POSITIVE_INFINITY, callTimeoutMs: 1e12 } });
  expect([limits.questionTimeoutMs, limits.callTimeoutMs]).toEqual([2_147_483_647, 2_147_483_647]);
});

everyRevision("calls over the rate wait for their turn", async (open) => {
  const client = await open(createEcho({ rate: { burst: 2, perSecond: 8 } }));
  const calls = ["a", "b", "c", "d"].map((text) => client.start("tools/call", { name: "echo", arguments: { text } }));
  const order: unknown[] = [];
  for (const { answer } of calls) void answer.then((message) => order.push(textOf(message)));
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
  await Promise.all(calls.map(({ answer }) => answer));
  expect(order).toEqual(["a", "b", "c", "d"]);
});

everyRevision("calls over the rate are refused where it says so; other requests are not counted", async (open) => {
  const rate = { burst: 1, perSecond: 0.001, over: "reject" } as const;
  const client = await open(createEcho({ rate }));
  for (let round = 0; round < 5; round += 1) expect(await client.listTools()).toHaveLength(1);
  expect((await client.callTool("echo", { text: "a" }))["isError"]).toBe(false);
  const refused = await client.callTool("echo", { text: "b" });
  expect(refused["isError"]).toBe(true);
  expect((refused["content"] as JsonObject[])[0]?.["text"]).toMatch(
    /^Too many calls: the limit is 0\.001 a second\. Try again in \d+ s\.$/,
  );
});

everyRevision("a result over the size limit becomes a short one that says both sizes", async (open, revision) => {
  const large = tool({ name: "large", description: "Gives much.", run: () => "x".repeat(3000) });
  const client = await open(createEcho({ tools: [large], limits: { messageBytes: 2000 } }));
  const result = await client.callTool("large");
  expect(result["isError"]).toBe(true);
  expect((result["content"] as JsonObject[])[0]?.["text"]).toMatch(
    /^The result has 3\d\d\d bytes; the limit is 2000\. Ask for less at once\.$/,
  );
  if (revision >= "2025-06-18") {
    expect(result["structuredContent"]).toMatchObject({ code: "RESULT_TOO_LARGE", limit: "messageBytes", most: 2000 });
  }
});

everyRevision("whoever watches hears of each call once, failed ones by name too", async (open) => {
  const heard: string[] = [];
  const broken = tool({
    name: "broken",
    description: "Fails.",
    run: () => {
      throw new Error("on purpose");
    },
  });
  const gate = createGate();
  const observe = (report: { name: string; principal: string | undefined; durationMs: number }) => {
    heard.push(`${report.name} of ${report.principal}`);
    expect(report.durationMs).toBeGreaterThanOrEqual(0);
    throw new Error("a watcher that fails harms nobody");
  };
  const tools = [echo, broken, gate.tool];
  const client = await open(createEcho({ tools, observe, limits: { callTimeoutMs: 20 } }), { principal: "ada" });
  await client.callTool("echo", { text: "a" });
  await client.callTool("broken");
  await client.callTool("gate");
  const cancelled = client.start("tools/call", { name: "gate" });
  client.notify("notifications/cancelled", { requestId: cancelled.id });
  expect(heard).toEqual(["echo of ada", "broken of ada", "gate of ada", "gate of ada"]);
});
