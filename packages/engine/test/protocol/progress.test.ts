import { type Call, type Json, type JsonObject, tool } from "@toolwright/engine";
import { expect } from "vitest";
import { everyRevision } from "../support/every-revision.js";
import { createEcho, messagesFrom, settled } from "./support.js";

/** A tool that does what the test says. */
const doing = (run: (call: Call) => unknown) =>
  tool({ name: "doing", description: "Does.", run: (_, call) => run(call) as string });

const token = (progressToken: Json) => ({ _meta: { progressToken } });
const paramsOf = (notices: readonly JsonObject[]) => notices.map(({ params }) => params);

everyRevision("a progress token is returned with its type [PROG-01]", async (open) => {
  const client = await open(createEcho({ tools: [doing((call) => call.progress(1))] }));
  const tokens = ["7", 7, 0, -1, "", "a b\n\ud800", 9007199254740991];
  for (const progressToken of tokens) await client.callTool("doing", {}, token(progressToken));
  expect(paramsOf(client.received("notifications/progress"))).toEqual(
    tokens.map((progressToken) => ({ progressToken, progress: 1 })),
  );
});

everyRevision("an invalid or missing token gets no progress [PROG-01]", async (open) => {
  const client = await open(createEcho({ tools: [doing((call) => call.progress(1))] }));
  for (const wrong of [null, true, 1.5, {}, [], [1]] as Json[]) {
    expect((await client.callTool("doing", {}, token(wrong)))["isError"], JSON.stringify(wrong)).toBe(false);
  }
  expect((await client.callTool("doing"))["isError"]).toBe(false);
  expect(client.received("notifications/progress")).toEqual([]);
});

everyRevision("progress is sent before the response, never after it [PROG-02]", async (open) => {
  const kept: Call[] = [];
  const client = await open(
    createEcho({
      tools: [
        doing((call) => {
          kept.push(call);
          call.progress(1);
          return "done";
        }),
      ],
    }),
  );
  const before = messagesFrom(client).length;
  await client.callTool("doing", {}, token("p"));
  for (const call of kept) call.progress(2);
  await settled();
  expect(
    messagesFrom(client)
      .slice(before)
      .map(({ method }) => method),
  ).toEqual(["notifications/progress", undefined]);
});

everyRevision("each call reports with its own token [PROG-02]", async (open) => {
  const waiting: (() => void)[] = [];
  const client = await open(
    createEcho({
      tools: [
        doing(async (call) => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          call.progress(1);
        }),
      ],
    }),
  );
  const calls = ["a", "b", "c"].map((name) => client.startRequest("tools/call", { name: "doing", ...token(name) }));
  for (const resume of waiting.toReversed()) resume();
  await Promise.all(calls.map(({ response: answer }) => answer));
  expect(paramsOf(client.received("notifications/progress"))).toEqual(
    ["c", "b", "a"].map((progressToken) => ({ progressToken, progress: 1 })),
  );
});

everyRevision("excess progress notifications are dropped [PROG-02]", async (open) => {
  const busy = doing((call) => {
    for (let step = 1; step <= 1000; step += 1) call.progress(step);
    return "done";
  });
  const client = await open(createEcho({ tools: [busy], limits: { notificationBurst: 5 } }));
  await client.callTool("doing", {}, token("p"));
  expect(client.received("notifications/progress")).toHaveLength(5);
  await client.callTool("doing", {}, token("q"));
  expect(client.received("notifications/progress")).toHaveLength(10);
});

everyRevision("progress must increase; other values are dropped [PROG-03]", async (open) => {
  const wavering = doing((call) => {
    for (const value of [-1, 0, 0, 0.25, 0.2, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 0.5, 3]) call.progress(value);
    return "done";
  });
  const client = await open(createEcho({ tools: [wavering] }));
  await client.callTool("doing", {}, token("p"));
  expect(client.received("notifications/progress").map(({ params }) => (params as JsonObject)["progress"])).toEqual([
    -1, 0, 0.25, 0.5, 3,
  ]);
});

everyRevision("progress may have a total, and from 2025-03-26 on a message [PROG-03]", async (open, revision) => {
  const client = await open(createEcho({ tools: [doing((call) => call.progress(1, "one of two", 2))] }));
  await client.callTool("doing", {}, token("p"));
  const message = revision === "2024-11-05" ? {} : { message: "one of two" };
  expect(client.received("notifications/progress")).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "p", progress: 1, total: 2, ...message },
    },
  ]);
});

everyRevision("progress restarts the timeout of a call", async (open) => {
  const steady = doing(async (call) => {
    for (let step = 1; step <= 8; step += 1) {
      await settled(100);
      call.progress(step);
    }
    return "done";
  });
  const client = await open(createEcho({ tools: [steady], limits: { callTimeoutMs: 600 } }));
  expect((await client.callTool("doing"))["content"]).toEqual([{ type: "text", text: "done" }]);
});

everyRevision(
  "limits.callTimeoutMaxMs bounds tools with a longer timeout, and the total that it raises",
  async (open) => {
    const patient = {
      ...doing((call) => new Promise((resolve) => call.signal.addEventListener("abort", resolve))),
      timeoutMs: 60_000,
    };
    const limits = { callTotalMs: 50, callTimeoutMaxMs: 50 };
    const client = await open(createEcho({ tools: [patient], limits }));
    expect((await client.callTool("doing"))["content"]).toMatchObject([
      {
        text: expect.stringMatching(
          /^The tool "doing" did not finish: stopped after \d+ ms \(limit 50 ms without progress\)/,
        ),
      },
    ]);
  },
);

everyRevision("progress does not extend a call beyond limits.callTotalMs", async (open) => {
  const endless = doing(async (call) => {
    for (let step = 1; !call.signal.aborted; step += 1) {
      await settled(10);
      call.progress(step);
    }
  });
  const client = await open(createEcho({ tools: [endless], limits: { callTimeoutMs: 30, callTotalMs: 60 } }));
  expect((await client.callTool("doing"))["isError"]).toBe(true);
});
