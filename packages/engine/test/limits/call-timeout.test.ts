import type { JsonObject, Middleware } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { connectTestClient as connectKit } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { TASK_CLIENT } from "../tasks/task-server.js";
import { blockingCall, createBlockingTool, serverWith, textOf } from "./limited-server.js";

const within = (timeoutMs: number): JsonObject => ({ "toolwright/timeoutMs": timeoutMs });

describe("a client that sends its timeout", () => {
  everyRevision("gets an error when its call has waited for that long", async (open, revision) => {
    const { tool, started, drain } = createBlockingTool();
    const client = await open(serverWith({ tools: [tool], limits: { callsInFlight: 1 } }));
    const first = client.startRequest("tools/call", blockingCall("first"));
    const refused = await client.startRequest("tools/call", blockingCall("hasty", within(30))).response;
    expect(textOf(refused)).toBe(
      "The server is busy: the call waited 30 ms for its turn, as long as the client waits. Try again in 1 s, or increase the client's timeout.",
    );
    if (revision >= "2025-06-18")
      expect(refused["result"]).toMatchObject({
        isError: true,
        structuredContent: { code: "BUSY", limit: "deadline", retryable: true, retryAfterMs: 1000 },
      });
    await drain(1);
    await first.response;
    expect(started).toEqual(["first"]);
  });

  everyRevision("has its running call aborted at that time", async (open, revision) => {
    const { tool } = createBlockingTool();
    const client = await open(serverWith({ tools: [tool] }));
    const stopped = await client.startRequest("tools/call", blockingCall("hasty", within(30))).response;
    expect(textOf(stopped)).toMatch(
      /^The tool "blocking" did not finish: stopped after \d+ ms, as long as the client waits\. Ask for less/,
    );
    if (revision >= "2025-06-18")
      expect(stopped["result"]).toMatchObject({ structuredContent: { code: "TIMEOUT", limit: "deadline" } });
  });
});

test("a call that became a task while it waited is not rejected: nobody waits for it", async () => {
  const { tool, drain } = createBlockingTool();
  const later = createBlockingTool("later", { taskSupport: "optional" });
  const server = serverWith({
    tools: [tool, later.tool],
    tasks: { graceMs: 10, pollMs: 10 },
    limits: { callsInFlight: 1 },
  });
  const client = await connectKit(server, { capabilities: TASK_CLIENT });
  const first = client.startRequest("tools/call", blockingCall("first"));
  const { taskId = "" } = await client.request("tools/call", blockingCall("second", within(60), "later"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await client.request("tasks/get", { taskId })).toMatchObject({ status: "working" });
  await drain(1);
  await first.response;
  await later.drain(1);
  await expect.poll(async () => (await client.request("tasks/get", { taskId }))["status"]).toBe("completed");
});

describe("the client", () => {
  const seen: unknown[] = [];
  const note: Middleware = ({ method, params }, next) => {
    const meta = (params["_meta"] ?? {}) as JsonObject;
    if (method.startsWith("tools/")) seen.push([method, meta["toolwright/timeoutMs"]]);
    return next();
  };

  test("sends its timeout with tool calls only", async () => {
    const { tool, drain } = createBlockingTool();
    const client = await connect({ server: serverWith({ tools: [tool], middleware: [note] }) }, { timeoutMs: 7000 });
    await client.listTools();
    const calls = [
      client.callTool("blocking", {}),
      client.callTool("blocking", {}, { timeoutMs: 5000 }),
      client.callTool("blocking", {}, { timeoutMs: 5000, totalTimeoutMs: 3000 }),
      client.callTool("blocking", {}, { timeoutMs: 5000, totalTimeoutMs: 9000, onProgress: () => undefined }),
      client.callTool("blocking", {}, { timeoutMs: Infinity, totalTimeoutMs: Infinity }),
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
