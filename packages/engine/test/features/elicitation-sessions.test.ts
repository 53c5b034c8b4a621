import { type Call, type Server, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { serverWith } from "./server.js";
import { Deferred, settled, Wire } from "./wire.js";

const LIVE = ["2025-06-18", "2025-11-25"];
const form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
const asking = tool({
  name: "asking",
  description: "Asks.",
  run: async (_input, call) => ((await call.elicit("ok", "Is it?", form))?.ok ? "yes" : "no"),
});

function open(server: Server, revision: string): Wire {
  const wire = new Wire(server, revision);
  wire.initialize();
  return wire;
}

const callAsking = (wire: Wire, id: number | string): void =>
  wire.send({ id, method: "tools/call", params: { name: "asking" } });

describe.each(LIVE)("an elicitation in revision %s", (revision) => {
  test("that times out fails the call and is cancelled [CLI-04 LIFE-10]", async () => {
    const wire = open(serverWith([asking], { limits: { inputTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    expect(await wire.waitFor({ id: 7 })).toMatchObject({
      result: {
        content: [{ text: "The input request failed: no response within 10 ms." }],
        isError: true,
        structuredContent: { code: "NO_ANSWER" },
      },
    });
    expect(wire.receivedMethods).toEqual(["response", "elicitation/create", "notifications/cancelled", "response"]);
    expect(wire.received[2]?.["params"]).toEqual({ requestId: 1, reason: "no response within 10 ms" });
    wire.send({ id: 1, result: { action: "accept", content: { ok: true } } });
    callAsking(wire, 8);
    wire.send({ id: 2, result: { action: "accept", content: { ok: true } } });
    expect(await wire.waitFor({ id: 8 })).toMatchObject({ result: { content: [{ text: "yes" }] } });
    wire.expectLegal();
  });

  test.each([
    [-1, "User rejected", { content: [{ text: "no" }], isError: false }],
    [
      -32601,
      "Method not found",
      { content: [{ text: "The client rejected elicitation/create: Method not found" }], isError: true },
    ],
    [
      -32602,
      "Invalid params",
      { content: [{ text: "The client rejected elicitation/create: Invalid params" }], isError: true },
    ],
    [-32603, "Boom", { content: [{ text: "The client rejected elicitation/create: Boom" }], isError: true }],
  ])("that the client rejects with error %d fails the call [CLI-04]", async (code, message, result) => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 7);
    await wire.waitFor({ method: "elicitation/create" });
    wire.send({ id: 1, error: { code, message } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result });
    wire.expectLegal();
  });

  test.each([[null], [7], [{}], [{ action: "maybe" }], [{ content: { ok: true } }]])(
    "with the invalid result %j fails the call [CLI-04 ELI-03]",
    async (answer) => {
      const wire = open(serverWith([asking]), revision);
      callAsking(wire, 7);
      await wire.waitFor({ method: "elicitation/create" });
      wire.send({ id: 1, result: answer });
      expect(await wire.waitFor({ id: 7 })).toMatchObject({
        result: { isError: true, structuredContent: { code: "BAD_ANSWER" } },
      });
      wire.expectLegal();
    },
  );

  test("is matched by its id; responses with an unknown id are ignored [CLI-04]", async () => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 1);
    await wire.waitFor({ method: "elicitation/create" });
    for (const id of [2, 99, "1", "x"]) wire.send({ id, result: { action: "accept", content: { ok: true } } });
    wire.send({ id: 5, error: { code: -1, message: "no" } });
    await settled();
    expect(wire.receivedMethods).toEqual(["response", "elicitation/create"]);
    wire.send({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.waitFor({ id: 1, jsonrpc: "2.0", method: undefined as never })).toMatchObject({
      result: { content: [{ text: "yes" }] },
    });
  });

  test("is cancelled together with its call, by its own id, and no other request is [CANC-05 CLI-02]", async () => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 40);
    callAsking(wire, 41);
    await wire.waitFor({ id: 2, method: "elicitation/create" });
    wire.send({ method: "notifications/cancelled", params: { requestId: 40, reason: "changed my mind" } });
    await wire.waitFor({ method: "notifications/cancelled" });
    expect(wire.received.at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "the call is over" },
    });
    wire.send({ id: 1, result: { action: "accept", content: { ok: true } } });
    wire.send({ id: 2, result: { action: "accept", content: { ok: true } } });
    expect(await wire.waitFor({ id: 41 })).toMatchObject({ result: { content: [{ text: "yes" }] } });
    await settled();
    expect(wire.received.filter(({ id }) => id === 40)).toEqual([]);
    expect(wire.receivedMethods.filter((kind) => kind === "notifications/cancelled")).toHaveLength(1);
    wire.expectLegal();
  });

  test("stops the timeout of its call while it is pending", async () => {
    const hurried = tool({ ...asking, timeoutMs: 15 });
    const wire = open(serverWith([hurried]), revision);
    callAsking(wire, 7);
    await wire.waitFor({ method: "elicitation/create" });
    await settled(60);
    expect(wire.receivedMethods).toEqual(["response", "elicitation/create"]);
    wire.send({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { content: [{ text: "yes" }], isError: false } });
  });

  test("is not sent after its call was cancelled [CLI-02 CANC-05]", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const straying = tool({
      name: "asking",
      description: "Asks when it is too late.",
      run: (_input, call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener("abort", () => {
            late = call.elicit("ok", "Is it?", form);
            late.catch(reject);
          });
        }),
    });
    const wire = open(serverWith([straying], { limits: { inputTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    wire.send({ method: "notifications/cancelled", params: { requestId: 7 } });
    await expect(late).rejects.toMatchObject({ code: "NO_ANSWER" });
    await settled(30);
    expect(wire.receivedMethods).toEqual(["response"]);
  });

  test("is not sent after its call was answered, even if the handler kept the call object [CLI-02]", async () => {
    let kept: Call | undefined;
    const keeping = tool({
      name: "asking",
      description: "Lets its call out.",
      run(_input, call) {
        kept = call;
        return "done";
      },
    });
    const wire = open(serverWith([keeping], { limits: { inputTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    await expect(kept?.elicit("ok", "Is it?", form)).rejects.toMatchObject({ code: "NO_ANSWER" });
    await settled(30);
    expect(wire.receivedMethods).toEqual(["response", "response"]);
  });

  test("is abandoned when the client disconnects [CLI-04]", async () => {
    const ended = open(serverWith([asking]), revision);
    callAsking(ended, 7);
    await ended.waitFor({ method: "elicitation/create" });
    ended.session.end();
    expect(await ended.waitFor({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The input request failed: the client has gone." }], isError: true },
    });
    const closed = open(serverWith([asking]), revision);
    callAsking(closed, 7);
    await closed.waitFor({ method: "elicitation/create" });
    closed.session.close();
    await settled();
    expect(closed.received.filter(({ id, method }) => id === 7 && method === undefined)).toEqual([]);
  });

  test("is not sent to a client that has disconnected [CLI-04]", async () => {
    const gone = new Deferred<undefined>();
    const slow = tool({
      name: "asking",
      description: "Asks late.",
      async run(_input, call) {
        await gone.promise;
        return (await call.elicit("ok", "Is it?", form))?.ok ? "yes" : "no";
      },
    });
    const wire = open(serverWith([slow]), revision);
    callAsking(wire, 7);
    wire.session.end();
    gone.resolve(undefined);
    expect(await wire.waitFor({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The input request failed: the call has ended." }] },
    });
    expect(wire.receivedMethods).toEqual(["response", "response"]);
  });
});

describe.each(["2024-11-05", "2025-03-26", ...LIVE])("a sampling request in revision %s", (revision) => {
  const sampling = tool({
    name: "asking",
    description: "Asks the model.",
    run: async (_input, call) => (await call.sample("model", { prompt: "?" })).text,
  });

  function sample(limits = {}): Wire {
    const wire = new Wire(serverWith([sampling], { limits }), revision);
    wire.initialize({ sampling: {} });
    callAsking(wire, 7);
    return wire;
  }

  test.each([
    [-1, "User rejected sampling request", "The user declined sampling/createMessage: User rejected sampling request"],
    [-32601, "Method not found", "The client rejected sampling/createMessage: Method not found"],
    [-32602, "Invalid params", "The client rejected sampling/createMessage: Invalid params"],
    [-32603, "Boom", "The client rejected sampling/createMessage: Boom"],
  ])("that the client rejects with error %d fails the call [CLI-04]", async (code, message, words) => {
    const wire = sample();
    await wire.waitFor({ method: "sampling/createMessage" });
    wire.send({ id: 1, error: { code, message } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { content: [{ text: words }], isError: true } });
    wire.expectLegal();
  });

  test("that times out is cancelled [CLI-04]", async () => {
    const wire = sample({ inputTimeoutMs: 10 });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The input request failed: no response within 10 ms." }], isError: true },
    });
    expect(wire.receivedMethods).toEqual(["response", "sampling/createMessage", "notifications/cancelled", "response"]);
    wire.expectLegal();
  });
});
