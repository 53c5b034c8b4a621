import { type Call, type Server, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { serverWith } from "./server.js";
import { Gate, settled, Wire } from "./wire.js";

const LIVE = ["2025-06-18", "2025-11-25"];
const form = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
const asking = tool({
  name: "asking",
  description: "Asks.",
  run: async (_input, call) => ((await call.ask("ok", "Is it?", form))?.ok ? "yes" : "no"),
});

function open(server: Server, revision: string): Wire {
  const wire = new Wire(server, revision);
  wire.initialize();
  return wire;
}

const callAsking = (wire: Wire, id: number | string): void =>
  wire.say({ id, method: "tools/call", params: { name: "asking" } });

describe.each(LIVE)("a question to a client of %s", (revision) => {
  test("that is not answered in time fails the call and is cancelled [CLI-04 LIFE-10]", async () => {
    const wire = open(serverWith([asking], { limits: { questionTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    expect(await wire.until({ id: 7 })).toMatchObject({
      result: {
        content: [{ text: "The question was not answered: no answer within 10 ms." }],
        isError: true,
        structuredContent: { code: "NO_ANSWER" },
      },
    });
    expect(wire.kinds).toEqual(["answer", "elicitation/create", "notifications/cancelled", "answer"]);
    expect(wire.heard[2]?.["params"]).toEqual({ requestId: 1, reason: "no answer within 10 ms" });
    wire.say({ id: 1, result: { action: "accept", content: { ok: true } } });
    callAsking(wire, 8);
    wire.say({ id: 2, result: { action: "accept", content: { ok: true } } });
    expect(await wire.until({ id: 8 })).toMatchObject({ result: { content: [{ text: "yes" }] } });
    wire.expectLegal();
  });

  test.each([
    [-1, "User rejected", { content: [{ text: "no" }], isError: false }],
    [-32601, "Method not found", { content: [{ text: "The client could not ask: Method not found" }], isError: true }],
    [-32602, "Invalid params", { content: [{ text: "The client could not ask: Invalid params" }], isError: true }],
    [-32603, "Boom", { content: [{ text: "The client could not ask: Boom" }], isError: true }],
  ])("that it refuses with %d is survived [CLI-04]", async (code, message, result) => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 7);
    await wire.until({ method: "elicitation/create" });
    wire.say({ id: 1, error: { code, message } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result });
    wire.expectLegal();
  });

  test.each([[null], [7], [{}], [{ action: "maybe" }], [{ content: { ok: true } }]])(
    "that it answers with %j fails the call [CLI-04 ELI-03]",
    async (answer) => {
      const wire = open(serverWith([asking]), revision);
      callAsking(wire, 7);
      await wire.until({ method: "elicitation/create" });
      wire.say({ id: 1, result: answer });
      expect(await wire.until({ id: 7 })).toMatchObject({
        result: { isError: true, structuredContent: { code: "BAD_ANSWER" } },
      });
      wire.expectLegal();
    },
  );

  test("is answered by its own id alone; answers to nothing are passed over [CLI-04]", async () => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 1);
    await wire.until({ method: "elicitation/create" });
    for (const id of [2, 99, "1", "x"]) wire.say({ id, result: { action: "accept", content: { ok: true } } });
    wire.say({ id: 5, error: { code: -1, message: "no" } });
    await settled();
    expect(wire.kinds).toEqual(["answer", "elicitation/create"]);
    wire.say({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.until({ id: 1, jsonrpc: "2.0", method: undefined as never })).toMatchObject({
      result: { content: [{ text: "yes" }] },
    });
  });

  test("is cancelled with its call, by our own id, and nobody else's question is [CANC-05 CLI-02]", async () => {
    const wire = open(serverWith([asking]), revision);
    callAsking(wire, 40);
    callAsking(wire, 41);
    await wire.until({ id: 2, method: "elicitation/create" });
    wire.say({ method: "notifications/cancelled", params: { requestId: 40, reason: "changed my mind" } });
    await wire.until({ method: "notifications/cancelled" });
    expect(wire.heard.at(-1)).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1, reason: "the call is over" },
    });
    wire.say({ id: 1, result: { action: "accept", content: { ok: true } } });
    wire.say({ id: 2, result: { action: "accept", content: { ok: true } } });
    expect(await wire.until({ id: 41 })).toMatchObject({ result: { content: [{ text: "yes" }] } });
    await settled();
    expect(wire.heard.filter(({ id }) => id === 40)).toEqual([]);
    expect(wire.kinds.filter((kind) => kind === "notifications/cancelled")).toHaveLength(1);
    wire.expectLegal();
  });

  test("stops the clock of its call while it is open", async () => {
    const hurried = tool({ ...asking, timeoutMs: 15 });
    const wire = open(serverWith([hurried]), revision);
    callAsking(wire, 7);
    await wire.until({ method: "elicitation/create" });
    await settled(60);
    expect(wire.kinds).toEqual(["answer", "elicitation/create"]);
    wire.say({ id: 1, result: { action: "accept", content: { ok: true } } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { content: [{ text: "yes" }], isError: false } });
  });

  test("is not sent once its call is over [CLI-02 CANC-05]", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const straying = tool({
      name: "asking",
      description: "Asks when it is too late.",
      run: (_input, call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener("abort", () => {
            late = call.ask("ok", "Is it?", form);
            late.catch(reject);
          });
        }),
    });
    const wire = open(serverWith([straying], { limits: { questionTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    wire.say({ method: "notifications/cancelled", params: { requestId: 7 } });
    await expect(late).rejects.toMatchObject({ code: "NO_ANSWER" });
    await settled(30);
    expect(wire.kinds).toEqual(["answer"]);
  });

  test("is not sent by a call that was answered, however long somebody keeps it [CLI-02]", async () => {
    let kept: Call | undefined;
    const keeping = tool({
      name: "asking",
      description: "Lets its call out.",
      run(_input, call) {
        kept = call;
        return "done";
      },
    });
    const wire = open(serverWith([keeping], { limits: { questionTimeoutMs: 10 } }), revision);
    callAsking(wire, 7);
    await expect(kept?.ask("ok", "Is it?", form)).rejects.toMatchObject({ code: "NO_ANSWER" });
    await settled(30);
    expect(wire.kinds).toEqual(["answer", "answer"]);
  });

  test("is given up when the client has gone [CLI-04]", async () => {
    const ended = open(serverWith([asking]), revision);
    callAsking(ended, 7);
    await ended.until({ method: "elicitation/create" });
    ended.session.end();
    expect(await ended.until({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The question was not answered: the client has gone." }], isError: true },
    });
    const closed = open(serverWith([asking]), revision);
    callAsking(closed, 7);
    await closed.until({ method: "elicitation/create" });
    closed.session.close();
    await settled();
    expect(closed.heard.filter(({ id, method }) => id === 7 && method === undefined)).toEqual([]);
  });

  test("is not asked of a client that has gone [CLI-04]", async () => {
    const gone = new Gate<undefined>();
    const slow = tool({
      name: "asking",
      description: "Asks late.",
      async run(_input, call) {
        await gone.opened;
        return (await call.ask("ok", "Is it?", form))?.ok ? "yes" : "no";
      },
    });
    const wire = open(serverWith([slow]), revision);
    callAsking(wire, 7);
    wire.session.end();
    gone.open(undefined);
    expect(await wire.until({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The question was not answered: nobody waits for this call any more." }] },
    });
    expect(wire.kinds).toEqual(["answer", "answer"]);
  });
});

describe.each(["2024-11-05", "2025-03-26", ...LIVE])("a sampling by a client of %s", (revision) => {
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
    [-1, "User rejected sampling request", "The user did not let the client sample: User rejected sampling request"],
    [-32601, "Method not found", "The client could not sample: Method not found"],
    [-32602, "Invalid params", "The client could not sample: Invalid params"],
    [-32603, "Boom", "The client could not sample: Boom"],
  ])("that it refuses with %d is survived [CLI-04]", async (code, message, words) => {
    const wire = sample();
    await wire.until({ method: "sampling/createMessage" });
    wire.say({ id: 1, error: { code, message } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { content: [{ text: words }], isError: true } });
    wire.expectLegal();
  });

  test("that is not answered in time is cancelled [CLI-04]", async () => {
    const wire = sample({ questionTimeoutMs: 10 });
    expect(await wire.until({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The question was not answered: no answer within 10 ms." }], isError: true },
    });
    expect(wire.kinds).toEqual(["answer", "sampling/createMessage", "notifications/cancelled", "answer"]);
    wire.expectLegal();
  });
});
