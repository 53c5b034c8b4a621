import type { JsonObject, Layer } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { connect as connectKit } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { FOLLOWS } from "../tasks/bench.js";
import { createTurnstile, pass, serverWith, textOf } from "./turnstile.js";

const within = (timeoutMs: number): JsonObject => ({ "toolwright/timeoutMs": timeoutMs });

describe("a caller that says how long it waits", () => {
  everyRevision("hears when its call has waited for so long in vain", async (open, revision) => {
    const { tool, begun, drain } = createTurnstile();
    const client = await open(serverWith({ tools: [tool], limits: { callsInFlight: 1 } }));
    const first = client.start("tools/call", pass("first"));
    const refused = await client.start("tools/call", pass("hasty", within(30))).answer;
    expect(textOf(refused)).toBe(
      "The server is busy: the call has waited for its turn for 30 ms, as long as its caller waits. Try again in 1 s, or wait longer for it.",
    );
    if (revision >= "2025-06-18")
      expect(refused["result"]).toMatchObject({
        isError: true,
        structuredContent: { code: "BUSY", limit: "deadline", retryable: true, retryAfterMs: 1000 },
      });
    await drain(1);
    await first.answer;
    expect(begun).toEqual(["first"]);
  });

  everyRevision("has its running call stopped then", async (open, revision) => {
    const { tool } = createTurnstile();
    const client = await open(serverWith({ tools: [tool] }));
    const stopped = await client.start("tools/call", pass("hasty", within(30))).answer;
    expect(textOf(stopped)).toMatch(
      /^The tool "turnstile" did not finish: stopped after \d+ ms, because its caller waits no longer\. Ask for less/,
    );
    if (revision >= "2025-06-18")
      expect(stopped["result"]).toMatchObject({ structuredContent: { code: "TIMEOUT", limit: "deadline" } });
  });

  everyRevision("is refused at once where the tool is known to take longer", async (open) => {
    const { tool, begun, drain } = createTurnstile();
    const client = await open(serverWith({ tools: [tool] }));
    // The first is stopped after so long, and so would be the next.
    await client.start("tools/call", pass("first", within(100))).answer;
    const refused = await client.start("tools/call", pass("second", within(20))).answer;
    expect(textOf(refused)).toMatch(
      /^The tool "turnstile" would not finish in time: it takes about \d+ ms, and its caller waits 20 ms at most\./,
    );
    expect(begun).toEqual(["first"]);
    const patient = client.start("tools/call", pass("third"));
    await drain(2);
    expect(textOf(await patient.answer)).toBe("third has passed");
  });
});

test("a call that has become a task while it waited is not refused: nobody waits for it", async () => {
  const { tool, drain } = createTurnstile();
  const later = createTurnstile("later", { long: true });
  const server = serverWith({
    tools: [tool, later.tool],
    tasks: { graceMs: 10, pollMs: 10 },
    limits: { callsInFlight: 1 },
  });
  const client = await connectKit(server, { capabilities: FOLLOWS });
  const first = client.start("tools/call", pass("first"));
  const { taskId = "" } = await client.request("tools/call", pass("second", within(60), "later"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await client.request("tasks/get", { taskId })).toMatchObject({ status: "working" });
  await drain(1);
  await first.answer;
  await later.drain(1);
  await expect.poll(async () => (await client.request("tasks/get", { taskId }))["status"]).toBe("completed");
});

describe("the client", () => {
  const seen: unknown[] = [];
  const note: Layer = ({ method, params }, next) => {
    const meta = (params["_meta"] ?? {}) as JsonObject;
    if (method.startsWith("tools/")) seen.push([method, meta["toolwright/timeoutMs"]]);
    return next();
  };

  test("says how long it waits for a call, and for nothing else", async () => {
    const { tool, drain } = createTurnstile();
    const client = await connect({ server: serverWith({ tools: [tool], layers: [note] }) }, { timeoutMs: 7000 });
    await client.listTools();
    const calls = [
      client.callTool("turnstile", {}),
      client.callTool("turnstile", {}, { timeoutMs: 5000 }),
      client.callTool("turnstile", {}, { timeoutMs: 5000, totalMs: 3000 }),
      client.callTool("turnstile", {}, { timeoutMs: 5000, totalMs: 9000, onProgress: () => undefined }),
      client.callTool("turnstile", {}, { timeoutMs: Infinity, totalMs: Infinity }),
    ];
    await drain(5);
    await Promise.all(calls);
    await client.close();
    expect(seen).toEqual([
      ["tools/list", undefined],
      ["tools/call", 7000],
      ["tools/call", 5000],
      ["tools/call", 3000],
      ["tools/call", 9000],
      ["tools/call", undefined],
    ]);
  });
});
