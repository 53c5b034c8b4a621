import { RpcError, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, initializeIn, messagesFrom, openRaw, sendAndReceive, statelessRequest } from "./support.js";

const unreadable = (revision: string) => (revision < "2025-11-25" ? { id: null } : {});
const nested = (levels: number) =>
  `{"jsonrpc":"2.0","method":"notifications/x","params":${"[".repeat(levels)}${"]".repeat(levels)}}`;

everyRevision("a message without version 2.0 or without a method gets -32600 [RPC-01]", async (open) => {
  const client = await open(createEcho());
  for (const text of [
    '{"id":7,"method":"tools/list"}',
    '{"jsonrpc":"1.0","id":7,"method":"tools/list"}',
    '{"jsonrpc":2.0,"id":7,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":7}',
    '{"jsonrpc":"2.0","id":7,"method":null}',
    '{"jsonrpc":"2.0","id":7,"method":["tools/list"]}',
  ]) {
    expect(await sendAndReceive(client, text), text).toMatchObject([{ id: 7, error: { code: -32600 } }]);
    client.conversation.pop();
  }
});

everyRevision("a message that is not an object gets -32600 [RPC-01 RPC-07]", async (open, revision) => {
  const client = await open(createEcho());
  if (revision === STATELESS) await client.listTools();
  for (const text of ["7", '"tools/list"', "null", "true"]) {
    expect(await sendAndReceive(client, text), text).toEqual([
      {
        jsonrpc: "2.0",
        ...unreadable(revision),
        error: { code: -32600, message: "Invalid request: a message is a JSON object" },
      },
    ]);
  }
  expect(await client.listTools()).toHaveLength(1);
});

everyRevision(
  "text that is not JSON gets -32700, and the next message is served [RPC-07 RPC-09]",
  async (open, revision) => {
    const client = await open(createEcho());
    if (revision === STATELESS) await client.listTools();
    for (const text of [
      "",
      "{",
      '{"jsonrpc":"2.0","id":1,',
      "Content-Length: 7",
      "{'jsonrpc':'2.0'}",
      "\u0000",
      "[1,",
    ]) {
      const [answer, ...more] = await sendAndReceive(client, text);
      expect(answer, text).toMatchObject({ jsonrpc: "2.0", error: { code: -32700 } });
      expect(
        Object.entries(answer ?? {}).filter(([name]) => name === "id"),
        text,
      ).toEqual(Object.entries(unreadable(revision)));
      expect(more).toEqual([]);
    }
    expect(await client.listTools()).toHaveLength(1);
  },
);

test("before the revision is known the id of an invalid message is null [RPC-07]", async () => {
  const raw = await openRaw(createEcho());
  expect(await raw.sendAndReceive("{")).toEqual([
    expect.stringMatching(/^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32700,/),
  ]);
});

everyRevision("JSON that nests deeper than 256 levels gets -32700", async (open) => {
  const client = await open(createEcho());
  await client.listTools();
  expect(await sendAndReceive(client, nested(255))).toEqual([]);
  expect(await sendAndReceive(client, nested(256))).toMatchObject([
    { error: { code: -32700, message: "Parse error: nested deeper than 256 levels" } },
  ]);
  expect(await client.listTools()).toHaveLength(1);
});

everyRevision(
  "every response has exactly one of result and error, and an error has code and message [RPC-06]",
  async (open) => {
    const broken = tool({
      name: "broken",
      description: "Fails.",
      run: () => {
        throw new Error("on purpose");
      },
    });
    const client = await open(createEcho({ tools: [broken] }));
    await client.callTool("broken");
    await expect(client.request("no/such/method")).rejects.toMatchObject({ code: -32601 });
    await expect(client.request("tools/call", { name: 7 })).rejects.toMatchObject({ code: -32602 });
    await sendAndReceive(client, "{");
    for (const answer of messagesFrom(client)) {
      expect("result" in answer).toBe(!("error" in answer));
      if ("error" in answer) expect(answer["error"]).toEqual({ code: expect.any(Number), message: expect.any(String) });
    }
  },
);

everyRevision("a notification gets no response, even if it is invalid [RPC-08]", async (open) => {
  const client = await open(createEcho());
  await client.listTools();
  for (const text of [
    '{"jsonrpc":"2.0","method":"notifications/unheard-of"}',
    '{"jsonrpc":"2.0","method":"notifications/unheard-of","params":[1,2]}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized","params":"text"}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"no such tool"}}',
    '{"jsonrpc":"2.0","method":"initialize"}',
    '{"jsonrpc":"2.0","method":""}',
  ]) {
    expect(await sendAndReceive(client, text), text).toEqual([]);
  }
  expect(await client.listTools()).toHaveLength(1);
});

everyRevision("notifications of the server have no id [RPC-08]", async (open) => {
  const busy = tool({
    name: "busy",
    description: "Reports.",
    run: (_, call) => {
      call.progress(1);
      call.log("error", "here");
      return "done";
    },
  });
  const client = await open(createEcho({ tools: [busy] }), { logLevel: "debug" });
  await client.callTool("busy", {}, { _meta: { progressToken: "p" } });
  const notices = messagesFrom(client).filter((message) => "method" in message);
  expect(notices.map(({ method }) => method)).toEqual(["notifications/progress", "notifications/message"]);
  for (const notice of notices) expect(notice).not.toHaveProperty("id");
});

everyRevision("an unknown method gets -32601, with a hint if it is the name of a tool [RPC-10]", async (open) => {
  const client = await open(createEcho());
  for (const method of ["", "toString", "__proto__", "tools/List", "rpc.discover", "notifications/initialized"]) {
    await expect(client.request(method), method).rejects.toMatchObject({
      code: -32601,
      message: `Method not found: ${method}`,
    });
  }
  await expect(client.request("echo")).rejects.toMatchObject({
    code: -32601,
    message: 'Method not found: echo. "echo" is a tool: call it with tools/call',
  });
});

everyRevision("a method of an undeclared capability gets -32601 [RPC-10 CAP-01]", async (open) => {
  const client = await open(createEcho({ tools: [] }));
  for (const method of ["tools/list", "tools/call", "resources/list", "prompts/get", "completion/complete"]) {
    await expect(client.request(method), method).rejects.toMatchObject({ code: -32601 });
  }
});

everyRevision("invalid params get -32602 [RPC-11]", async (open) => {
  const client = await open(createEcho());
  for (const [method, params] of [
    ["tools/call", {}],
    ["tools/call", { name: 7 }],
    ["tools/call", { name: "echo", arguments: [] }],
    ["tools/call", { name: "echo", arguments: 7 }],
    ["tools/call", { name: "unheard-of" }],
    ["tools/list", { cursor: 7 }],
    ["tools/list", { cursor: null }],
    ["tools/list", { cursor: "made up" }],
  ] as const) {
    await expect(client.request(method, params as never), JSON.stringify(params)).rejects.toMatchObject({
      code: -32602,
    });
  }
  for (const params of ["[]", "null", "7", '"text"']) {
    const text = `{"jsonrpc":"2.0","id":900,"method":"tools/list","params":${params}}`;
    expect(await sendAndReceive(client, text), text).toMatchObject([{ id: 900, error: { code: -32602 } }]);
    client.conversation.pop();
  }
});

everyRevision("an unexpected error gets -32603 without internal details [RPC-11]", async (open) => {
  const logged: unknown[] = [];
  const data = { n: 1n as never };
  const run = () => Promise.reject(new RpcError(-32603, "secret of /home/alice", data));
  const cursed = tool({ name: "cursed", description: "Fails with what JSON cannot write.", run });
  const client = await open(createEcho({ tools: [cursed], log: ({ error }) => logged.push(error) }));
  const { response: answer } = client.startRequest("tools/call", { name: "cursed", arguments: {} });
  const { error } = await answer;
  expect(error).toEqual({ code: -32603, message: "Internal error: the details are in the server's log" });
  expect(logged).toEqual([expect.any(TypeError)]);
  // The runtime's own words.
  expect(() => JSON.stringify(data)).toThrow((logged[0] as TypeError).message);
});

everyRevision("responses that match no pending request are ignored [RPC-18]", async (open) => {
  const client = await open(createEcho());
  await client.listTools();
  for (const text of [
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    '{"jsonrpc":"2.0","id":"99","error":{"code":-1,"message":"no"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","id":1,"result":{"action":"accept"},"error":{}}',
  ]) {
    expect(await sendAndReceive(client, text), text).toEqual([]);
  }
  expect(await client.listTools()).toHaveLength(1);
});

onRevisions(
  [STATELESS],
  "the server sends no requests in the stateless revision, even if a tool elicits [RPC-18 RPC-16]",
  async (open) => {
    const asking = tool({
      name: "asking",
      description: "Asks.",
      run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
    });
    const client = await open(createEcho({ tools: [asking] }), { responses: { sure: {} } });
    expect((await client.callTool("asking"))["content"]).toEqual([{ type: "text", text: "yes" }]);
    expect(
      messagesFrom(client).map(({ method, result }) => [method, (result as { resultType: string }).resultType]),
    ).toEqual([
      [undefined, "input_required"],
      [undefined, "complete"],
    ]);
  },
);

everyRevision("unknown members are ignored everywhere [RPC-19]", async (open) => {
  const client = await open(createEcho(), { capabilities: { elicitation: {}, levitation: { high: true } } });
  client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, mood: "good" } });
  const extra = { later: { deep: [1] }, _meta: { "example.com/note": 1, mood: null } };
  expect((await client.request("tools/list", extra))["tools"]).toHaveLength(1);
  const call = { name: "echo", arguments: { text: "a" }, ...extra };
  expect((await client.request("tools/call", call))["content"]).toEqual([{ type: "text", text: "a" }]);
});

test("unknown members next to params and in initialize are ignored [RPC-19]", async () => {
  const raw = await openRaw(createEcho());
  const text = initializeIn("2025-06-18", { mood: "good", _meta: { "example.com/note": 1 } });
  const [answer] = await raw.sendAndReceive(text.replace('"id":"init"', '"id":"init","trace":[1],"auth":null'));
  expect(JSON.parse(answer ?? "")).toMatchObject({ id: "init", result: { protocolVersion: "2025-06-18" } });
});

onRevisions([STATELESS], "every result has a resultType [RPC-15]", async (open) => {
  const client = await open(createEcho({ dynamic: true }));
  await client.request("server/discover");
  await client.listTools();
  await client.callTool("echo", { text: "a" });
  await client.callTool("echo", { wrong: 1 });
  const listening = client.startRequest("subscriptions/listen", { notifications: {} });
  client.close();
  await listening.response;
  const results = messagesFrom(client).flatMap(({ result }) => (result === undefined ? [] : [result]));
  expect(results).toHaveLength(5);
  for (const result of results) expect(result).toHaveProperty("resultType", "complete");
});

onRevisions(HANDSHAKE, "no result has a resultType before 2026-07-28 [ERA-07]", async (open) => {
  const client = await open(createEcho());
  await client.request("ping");
  await client.listTools();
  await client.callTool("echo", { text: "a" });
  for (const message of messagesFrom(client)) expect(JSON.stringify(message)).not.toContain("resultType");
});

test("the stateless revision uses only defined error codes [RPC-17]", async () => {
  const asking = tool({
    name: "ask",
    description: "Asks.",
    run: (_, call) => call.elicit("a", "A?", { type: "object" }),
  });
  const raw = await openRaw(
    createEcho({ compat: { errors: { ERROR: { code: -32002 } } }, tools: [asking], limits: { subscriptions: 1 } }),
  );
  const answers = await raw.sendAndReceive(
    statelessRequest(1, "no/such/method"),
    statelessRequest(2, "tools/call", { name: "unheard-of" }),
    statelessRequest(3, "tools/call", {}),
    statelessRequest(4, "tools/list").replace("2026-07-28", "2099-01-01"),
    statelessRequest(5, "ping"),
    statelessRequest(6, "tools/list").replace('"2.0"', '"1.0"'),
    statelessRequest(7, "tools/call", { name: "ask", requestState: "forged" }),
    statelessRequest(8, "tools/call", { name: "ask" }),
  );
  const codes = answers.map((text) => (JSON.parse(text) as { error: { code: number } }).error.code);
  expect(codes).toEqual([-32601, -32602, -32602, -32022, -32601, -32600, -32602, -32021]);
});
