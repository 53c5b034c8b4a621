import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import {
  createBlockingTool,
  createEcho,
  initializeIn,
  META,
  messagesFrom,
  openRaw,
  sendAndReceive,
  sessionRequest,
  settled,
  statelessRequest,
} from "./support.js";

const LONG = "12345678901234567890";

everyRevision("an id that is neither a string nor an integer gets -32600 [RPC-02]", async (open, revision) => {
  const client = await open(createEcho());
  await client.listTools();
  for (const id of ["null", "1.5", "true", "false", "{}", "[]", '{"a":1}', "[7]", "1e400"]) {
    const [answer, ...more] = await sendAndReceive(
      client,
      `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`,
    );
    expect(answer, id).toEqual({
      jsonrpc: "2.0",
      ...(revision < "2025-11-25" && { id: null }),
      error: { code: -32600, message: 'Invalid request: "id" must be a string or an integer' },
    });
    expect(more, id).toEqual([]);
  }
});

everyRevision("an id is returned with its JSON type and value [RPC-03]", async (open, revision) => {
  const client = await open(createEcho());
  const params: JsonObject = revision === STATELESS ? { _meta: META } : {};
  for (const id of ["7", 7, "", " ", 0, -1, 9007199254740991, "ü\n\"'", "__proto__", "\ud800", "null"]) {
    const before = messagesFrom(client).length;
    client.send({ jsonrpc: "2.0", id, method: "tools/list", params });
    client.send({ jsonrpc: "2.0", id, method: "no/such/method", params });
    expect(
      messagesFrom(client)
        .slice(before)
        .map((answer) => answer["id"]),
    ).toEqual([id, id]);
  }
});

test.each([LONG, `-${LONG}`, "9007199254740993", "1".repeat(40)])(
  "the id %s is returned exactly [RPC-03]",
  async (id) => {
    const raw = await openRaw(createEcho());
    const long = (text: string) => text.replace('"id":1', `"id":${id}`);
    const answers = await raw.sendAndReceive(
      long(statelessRequest(1, "tools/list")),
      long(statelessRequest(1, "no/such/method")),
      initializeIn("2025-03-26"),
      long(sessionRequest(1, "ping")),
      `[${long(sessionRequest(1, "ping"))}]`,
    );
    expect(answers[0]).toMatch(`{"jsonrpc":"2.0","id":${id},"result":{`);
    expect(answers[1]).toMatch(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,`);
    expect(answers[3]).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(answers[4]).toBe(`[{"jsonrpc":"2.0","id":${id},"result":{}}]`);
  },
);

test("a long id is distinguished from similar ones, also in cancellations", async () => {
  const gate = createBlockingTool();
  const raw = await openRaw(createEcho({ tools: [gate.tool] }));
  await raw.sendAndReceive(initializeIn("2025-11-25"));
  const call = sessionRequest(1, "tools/call", { name: "gate" });
  await raw.sendAndReceive(...["0", "1"].map((last) => call.replace('"id":1', `"id":1234567890123456789${last}`)));
  expect(gate.waiting).toBe(2);
  await raw.sendAndReceive(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678901234567891}}',
  );
  expect(gate.stopped).toEqual(["one: the client cancelled the request"]);
  gate.open();
  await settled();
  expect(raw.received.slice(1)).toEqual([
    '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"content":[{"type":"text","text":"one done"}],"isError":false}}',
  ]);
});

test("a long id next to a large payload is returned exactly", async () => {
  const raw = await openRaw(createEcho());
  await raw.sendAndReceive(initializeIn("2025-11-25"));
  const text = String.raw`\"a`.repeat(1_000_000);
  const call = `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"${text}"}},"id":${LONG}}`;
  const [answer] = await raw.sendAndReceive(call);
  expect(answer?.startsWith(`{"jsonrpc":"2.0","id":${LONG},"result":`)).toBe(true);
});

test("text with lone surrogates is returned unchanged", async () => {
  const raw = await openRaw(createEcho());
  await raw.sendAndReceive(initializeIn("2025-11-25"));
  const call = String.raw`{"jsonrpc":"2.0","id":"\udc00","method":"tools/call","params":{"name":"echo","arguments":{"text":"a\ud800b"}}}`;
  expect(await raw.sendAndReceive(call)).toEqual([
    String.raw`{"jsonrpc":"2.0","id":"\udc00","result":{"content":[{"type":"text","text":"a\ud800b"}],"isError":false}}`,
  ]);
});

everyRevision("an id may be reused after the response [RPC-05]", async (open, revision) => {
  const client = await open(createEcho());
  const params = { name: "echo", arguments: { text: "a" }, ...(revision === STATELESS && { _meta: META }) };
  for (let round = 0; round < 3; round += 1) client.send({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  expect(messagesFrom(client).filter(({ id, result }) => id === "same" && result !== undefined)).toHaveLength(3);
});

everyRevision("an id of an active request is rejected, and the first request continues", async (open, revision) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const params = { name: "gate", ...(revision === STATELESS && { _meta: META }) };
  const before = messagesFrom(client).length;
  client.send({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  client.send({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  expect(gate.waiting).toBe(1);
  gate.open();
  await settled();
  expect(messagesFrom(client).slice(before)).toMatchObject([
    {
      id: "same",
      error: { code: -32600, message: "Invalid request: this id belongs to a request that is still being served" },
    },
    { id: "same", result: { content: [{ type: "text", text: "one done" }] } },
  ]);
});

everyRevision("a string and a number with the same characters are different ids [RPC-03]", async (open, revision) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const call = (id: string | number, name: string) => {
    const params = { name: "gate", arguments: { id: name }, ...(revision === STATELESS && { _meta: META }) };
    client.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  };
  call(70, "number");
  call("70", "text");
  client.notify("notifications/cancelled", { requestId: "70" });
  expect(gate.stopped).toEqual(["text: the client cancelled the request"]);
  gate.open();
  await settled();
  expect(messagesFrom(client).at(-1)).toMatchObject({ id: 70, result: { content: [{ text: "number done" }] } });
});

onRevisions(
  HANDSHAKE.filter((revision) => revision >= "2025-06-18"),
  "ids of the server's own requests are never used twice in a session [RPC-04]",
  async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_, call) => {
        await Promise.all(["a", "b"].map((name) => call.elicit(name, "?", { type: "object", properties: {} })));
        return "asked";
      },
    });
    const client = await open(createEcho({ tools: [asking] }), { responses: () => "decline" });
    for (let round = 0; round < 3; round += 1) await client.callTool("asking");
    const ids = client.received("elicitation/create").map(({ id }) => id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  },
);
