import type { Json, JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { HANDSHAKE, onRevisions } from "../support/every-revision.js";
import {
  createBlockingTool,
  createEcho,
  initializeIn,
  openRaw,
  sendAndReceive,
  sessionRequest,
  settled,
  statelessRequest,
} from "./support.js";

const BATCHING = ["2024-11-05", "2025-03-26"];
const OTHERS = ["2025-06-18", "2025-11-25"];
const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const note = { jsonrpc: "2.0", method: "notifications/unheard-of" };

/** Opens a raw connection in a revision and gives a way to send a batch and see what comes back. */
async function openBatch(version: string | undefined, options: Parameters<typeof createEcho>[0] = {}) {
  const raw = await openRaw(createEcho(options));
  if (version !== undefined) await raw.sendAndReceive(initializeIn(version));
  return async (batch: Json | string): Promise<Json[]> => {
    const answers = await raw.sendAndReceive(typeof batch === "string" ? batch : JSON.stringify(batch));
    return answers.map((text) => JSON.parse(text) as Json);
  };
}

onRevisions(BATCHING, "each request of a batch gets a response, in one array [RPC-12]", async (open) => {
  const client = await open(createEcho());
  client.send([ping(101), note, { jsonrpc: "2.0", id: "list", method: "tools/list" }, ping(102)]);
  await settled();
  const answers = client.conversation.at(-1)?.message;
  expect(answers).toMatchObject([{ id: 101 }, { id: "list" }, { id: 102 }]);
  expect(answers).toHaveLength(3);
});

describe.each(BATCHING)("in %s", (version) => {
  test("a batch of one request gets an array of one [RPC-12]", async () => {
    const send = await openBatch(version);
    expect(await send([ping(1)])).toEqual([[{ jsonrpc: "2.0", id: 1, result: {} }]]);
  });

  test("a batch without requests gets no reply [RPC-12]", async () => {
    const send = await openBatch(version);
    expect(await send([note, note])).toEqual([]);
    expect(await send([{ jsonrpc: "2.0", id: 9, result: {} }, note])).toEqual([]);
    expect(await send([ping(1)])).toHaveLength(1);
  });

  test("each invalid message of a batch gets its own error", async () => {
    const send = await openBatch(version);
    const error = { code: -32600, message: "Invalid request: a message is a JSON object" };
    expect(await send([1, ping(2), []])).toEqual([
      [
        { jsonrpc: "2.0", id: null, error },
        { jsonrpc: "2.0", id: 2, result: {} },
        { jsonrpc: "2.0", id: null, error },
      ],
    ]);
  });

  test("an empty batch gets one -32600 [RPC-14]", async () => {
    const send = await openBatch(version);
    expect(await send([])).toEqual([
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request: the batch is empty" } },
    ]);
  });

  test("a truncated batch gets one -32700", async () => {
    const send = await openBatch(version);
    expect(await send('[{"jsonrpc":"2.0","id":1,"method":"ping"},')).toMatchObject([
      { id: null, error: { code: -32700 } },
    ]);
  });

  test("a batch over the limit is rejected as a whole, with the name of the limit", async () => {
    const send = await openBatch(version, { limits: { batchMessages: 2 } });
    expect(await send([ping(1), ping(2)])).toHaveLength(1);
    expect(await send([ping(1), ping(2), ping(3)])).toEqual([
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32600,
          message: "Invalid request: the batch has 3 messages; the limit is 2",
          data: { limit: "batchMessages" },
        },
      },
    ]);
  });

  test("the array is sent when the last request is done, in order of completion", async () => {
    const gate = createBlockingTool();
    const raw = await openRaw(createEcho({ tools: [gate.tool] }));
    await raw.sendAndReceive(initializeIn(version));
    const batch = `[${sessionRequest(1, "tools/call", { name: "gate" })},${sessionRequest(2, "ping")}]`;
    expect(await raw.sendAndReceive(batch)).toEqual([]);
    expect(await raw.sendAndReceive(sessionRequest(3, "ping"))).toEqual(['{"jsonrpc":"2.0","id":3,"result":{}}']);
    gate.open();
    await settled();
    expect((JSON.parse(raw.received.at(-1) ?? "") as JsonObject[]).map(({ id }) => id)).toEqual([2, 1]);
  });

  test("responses that exceed the message limit as one array are sent one by one", async () => {
    const text = "x".repeat(200);
    const call = (id: number) => sessionRequest(id, "tools/call", { name: "echo", arguments: { text } });
    const raw = await openRaw(createEcho({ limits: { messageBytes: 600 } }));
    await raw.sendAndReceive(initializeIn(version));
    const ids = (received: readonly string[]) => received.map((message) => (JSON.parse(message) as JsonObject)["id"]);
    expect(ids(await raw.sendAndReceive(`[${call(1)},${call(2)},${sessionRequest(3, "ping")}]`))).toEqual([1, 2, 3]);
    const [batch, ...more] = await raw.sendAndReceive(`[${call(4)},${sessionRequest(5, "ping")}]`);
    expect((JSON.parse(batch ?? "") as JsonObject[]).map(({ id }) => id)).toEqual([4, 5]);
    expect(more).toEqual([]);
  });

  test("a cancelled request of a batch has no response in the array", async () => {
    const gate = createBlockingTool();
    const raw = await openRaw(createEcho({ tools: [gate.tool] }));
    await raw.sendAndReceive(initializeIn(version));
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    const call = sessionRequest(1, "tools/call", { name: "gate" });
    expect(await raw.sendAndReceive(`[${call},${sessionRequest(2, "ping")}]`, cancel)).toEqual([
      '[{"jsonrpc":"2.0","id":2,"result":{}}]',
    ]);
    expect(await raw.sendAndReceive(`[${call},${cancel}]`)).toEqual([]);
    expect(gate.stopped).toHaveLength(2);
  });

  test("a stateless request in a batch is rejected, and the others are served [RPC-14]", async () => {
    const send = await openBatch(version);
    expect(await send(`[${statelessRequest(1, "tools/list")},${sessionRequest(2, "ping")}]`)).toEqual([
      [
        {
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32600, message: "Invalid request: revision 2026-07-28 has no batches" },
        },
        { jsonrpc: "2.0", id: 2, result: {} },
      ],
    ]);
  });
});

test.each([...HANDSHAKE])(
  "initialize for %s is rejected inside a batch and served on its own [RPC-13]",
  async (version) => {
    const send = await openBatch(undefined);
    expect(await send(`[${initializeIn(version)}]`)).toEqual([
      [
        {
          jsonrpc: "2.0",
          id: "init",
          error: { code: -32600, message: "Invalid request: initialize cannot be part of a batch" },
        },
      ],
    ]);
    expect(await send(initializeIn(version))).toMatchObject([{ id: "init", result: { protocolVersion: version } }]);
  },
);

test("a batch before the handshake is accepted, and its ping is served", async () => {
  const send = await openBatch(undefined);
  expect(await send([ping(1), { jsonrpc: "2.0", id: 2, method: "tools/list" }])).toMatchObject([
    [
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } },
    ],
  ]);
});

onRevisions(OTHERS, "a batch gets one -32600, and the connection stays open [RPC-14]", async (open, revision) => {
  const client = await open(createEcho());
  for (const batch of ["[]", JSON.stringify([ping(1), ping(2)]), JSON.stringify([note]), "[[]]"]) {
    expect(await sendAndReceive(client, batch), batch).toEqual([
      {
        jsonrpc: "2.0",
        ...(revision < "2025-11-25" && { id: null }),
        error: {
          code: -32600,
          message: "Invalid request: batches are not part of this revision; send each message on its own",
        },
      },
    ]);
  }
  expect(await client.listTools()).toHaveLength(1);
});

test("an array of stateless requests gets one -32600 without an id [RPC-14]", async () => {
  const refusal = {
    jsonrpc: "2.0",
    error: {
      code: -32600,
      message: "Invalid request: batches are not part of this revision; send each message on its own",
    },
  };
  const send = await openBatch(undefined);
  expect(await send(`[${statelessRequest(1, "tools/list")}]`)).toEqual([refusal]);
  expect(await send(`[${statelessRequest(1, "tools/list")},${statelessRequest(2, "tools/list")}]`)).toEqual([refusal]);
  expect(await send(statelessRequest(3, "server/discover"))).toMatchObject([{ id: 3, result: {} }]);
  expect(await send("[]")).toEqual([refusal]);
});

describe("the option protocol.batch", () => {
  test.each([...HANDSHAKE])("always: batches are served in %s", async (version) => {
    const send = await openBatch(version, { compat: { batch: "always" } });
    expect(await send([ping(1), note])).toEqual([[{ jsonrpc: "2.0", id: 1, result: {} }]]);
    expect(await send(`[${statelessRequest(1, "tools/list")}]`)).toMatchObject([
      [{ id: 1, result: { resultType: "complete" } }],
    ]);
    expect(await send([])).toMatchObject([{ error: { code: -32600, message: "Invalid request: the batch is empty" } }]);
  });

  test.each([...HANDSHAKE, undefined])("never: batches are rejected in %s", async (version) => {
    const send = await openBatch(version, { compat: { batch: "never" } });
    expect(await send([ping(1)])).toMatchObject([{ error: { code: -32600 } }]);
  });

  test("auto: batches are rejected if no served revision has them", async () => {
    const send = await openBatch(undefined, { protocol: { revisions: ["2025-11-25", "2026-07-28"] } });
    expect(await send([ping(1)])).toMatchObject([{ error: { code: -32600 } }]);
  });
});
