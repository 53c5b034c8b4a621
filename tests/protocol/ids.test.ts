import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, createGate, initializeIn, legacy, META, modern, openRaw, said, settled, tell } from "./support.js";

const LONG = "12345678901234567890";

everyRevision("an id that is neither text nor an integer gets -32600 [RPC-02]", async (open, revision) => {
  const client = await open(createEcho());
  await client.listTools();
  for (const id of ["null", "1.5", "true", "false", "{}", "[]", '{"a":1}', "[7]", "1e400"]) {
    const [answer, ...more] = await tell(client, `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`);
    expect(answer, id).toEqual({
      jsonrpc: "2.0",
      ...(revision < "2025-11-25" && { id: null }),
      error: { code: -32600, message: 'Invalid request: "id" must be a string or an integer' },
    });
    expect(more, id).toEqual([]);
  }
});

everyRevision("an id comes back with its JSON type and value [RPC-03]", async (open, revision) => {
  const client = await open(createEcho());
  const params: JsonObject = revision === STATELESS ? { _meta: META } : {};
  for (const id of ["7", 7, "", " ", 0, -1, 9007199254740991, "ü\n\"'", "__proto__", "\ud800", "null"]) {
    const before = said(client).length;
    client.say({ jsonrpc: "2.0", id, method: "tools/list", params });
    client.say({ jsonrpc: "2.0", id, method: "no/such/method", params });
    expect(
      said(client)
        .slice(before)
        .map((answer) => answer["id"]),
    ).toEqual([id, id]);
  }
});

test.each([LONG, `-${LONG}`, "9007199254740993", "1".repeat(40)])("the id %s keeps its digits [RPC-03]", async (id) => {
  const raw = await openRaw(createEcho());
  const long = (text: string) => text.replace('"id":1', `"id":${id}`);
  const answers = await raw.tell(
    long(modern(1, "tools/list")),
    long(modern(1, "no/such/method")),
    initializeIn("2025-03-26"),
    long(legacy(1, "ping")),
    `[${long(legacy(1, "ping"))}]`,
  );
  expect(answers[0]).toMatch(`{"jsonrpc":"2.0","id":${id},"result":{`);
  expect(answers[1]).toMatch(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,`);
  expect(answers[3]).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  expect(answers[4]).toBe(`[{"jsonrpc":"2.0","id":${id},"result":{}}]`);
});

test("a long id is told apart from its neighbour, in cancellations too", async () => {
  const gate = createGate();
  const raw = await openRaw(createEcho({ tools: [gate.tool] }));
  await raw.tell(initializeIn("2025-11-25"));
  const call = legacy(1, "tools/call", { name: "gate" });
  await raw.tell(...["0", "1"].map((last) => call.replace('"id":1', `"id":1234567890123456789${last}`)));
  expect(gate.waiting).toBe(2);
  await raw.tell('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678901234567891}}');
  expect(gate.stopped).toEqual(["one: the client cancelled the request"]);
  gate.open();
  await settled();
  expect(raw.heard.slice(1)).toEqual([
    '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"content":[{"type":"text","text":"one done"}],"isError":false}}',
  ]);
});

test("a long id beside a payload of megabytes keeps its digits", async () => {
  const raw = await openRaw(createEcho());
  await raw.tell(initializeIn("2025-11-25"));
  const text = String.raw`\"a`.repeat(1_000_000);
  const call = `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"${text}"}},"id":${LONG}}`;
  const [answer] = await raw.tell(call);
  expect(answer?.startsWith(`{"jsonrpc":"2.0","id":${LONG},"result":`)).toBe(true);
});

test("text with lone surrogates goes round unharmed", async () => {
  const raw = await openRaw(createEcho());
  await raw.tell(initializeIn("2025-11-25"));
  const call = String.raw`{"jsonrpc":"2.0","id":"\udc00","method":"tools/call","params":{"name":"echo","arguments":{"text":"a\ud800b"}}}`;
  expect(await raw.tell(call)).toEqual([
    String.raw`{"jsonrpc":"2.0","id":"\udc00","result":{"content":[{"type":"text","text":"a\ud800b"}],"isError":false}}`,
  ]);
});

everyRevision("an id may be used again when its request has been answered [RPC-05]", async (open, revision) => {
  const client = await open(createEcho());
  const params = { name: "echo", arguments: { text: "a" }, ...(revision === STATELESS && { _meta: META }) };
  for (let round = 0; round < 3; round += 1) client.say({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  expect(said(client).filter(({ id, result }) => id === "same" && result !== undefined)).toHaveLength(3);
});

everyRevision("an id that is still being served is refused, and the first request lives on", async (open, revision) => {
  const gate = createGate();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const params = { name: "gate", ...(revision === STATELESS && { _meta: META }) };
  const before = said(client).length;
  client.say({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  client.say({ jsonrpc: "2.0", id: "same", method: "tools/call", params });
  expect(gate.waiting).toBe(1);
  gate.open();
  await settled();
  expect(said(client).slice(before)).toMatchObject([
    {
      id: "same",
      error: { code: -32600, message: "Invalid request: this id belongs to a request that is still being served" },
    },
    { id: "same", result: { content: [{ type: "text", text: "one done" }] } },
  ]);
});

everyRevision("text and number of the same spelling are two ids in flight [RPC-03]", async (open, revision) => {
  const gate = createGate();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const call = (id: string | number, name: string) => {
    const params = { name: "gate", arguments: { id: name }, ...(revision === STATELESS && { _meta: META }) };
    client.say({ jsonrpc: "2.0", id, method: "tools/call", params });
  };
  call(70, "number");
  call("70", "text");
  client.notify("notifications/cancelled", { requestId: "70" });
  expect(gate.stopped).toEqual(["text: the client cancelled the request"]);
  gate.open();
  await settled();
  expect(said(client).at(-1)).toMatchObject({ id: 70, result: { content: [{ text: "number done" }] } });
});

onRevisions(
  HANDSHAKE.filter((revision) => revision >= "2025-06-18"),
  "ids of the server's own requests are never used twice in a session [RPC-04]",
  async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_, call) => {
        await Promise.all(["a", "b"].map((name) => call.ask(name, "?", { type: "object", properties: {} })));
        return "asked";
      },
    });
    const client = await open(createEcho({ tools: [asking] }), { answers: () => "decline" });
    for (let round = 0; round < 3; round += 1) await client.callTool("asking");
    const ids = client.heard("elicitation/create").map(({ id }) => id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  },
);
