import { type JsonObject, tool } from "@toolwright/engine";
import { expect, test } from "vitest";
import { z } from "zod";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import {
  createBlockingTool,
  createEcho,
  echo,
  INITIALIZED,
  initializeIn,
  messagesFrom,
  openRaw,
  sessionRequest,
  settled,
} from "./support.js";

everyRevision("a cancelled call is aborted and gets no response, and the others continue [CANC-01]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const start = (id: string) => client.startRequest("tools/call", { name: "gate", arguments: { id } });
  const [first, second] = [start("first"), start("second")];
  client.notify("notifications/cancelled", { requestId: first.id, reason: "changed my mind" });
  expect(gate.stopped).toEqual(["first: changed my mind"]);
  gate.open();
  expect((await second.response)["result"]).toMatchObject({ content: [{ type: "text", text: "second done" }] });
  await settled();
  expect(messagesFrom(client).filter(({ id }) => id === first.id)).toEqual([]);
});

everyRevision("a cancelled call sends neither progress nor log messages [CANC-01]", async (open) => {
  const release: (() => void)[] = [];
  const noisy = tool({
    name: "noisy",
    description: "Reports after a while.",
    run: async (_, call) => {
      await new Promise<void>((resolve) => release.push(resolve));
      call.progress(1);
      call.log("error", "still here");
      return "done";
    },
  });
  const client = await open(createEcho({ tools: [noisy] }), { logLevel: "debug" });
  const before = messagesFrom(client).length;
  const { id } = client.startRequest("tools/call", { name: "noisy", _meta: { progressToken: "p" } });
  client.notify("notifications/cancelled", { requestId: id });
  for (const resume of release) resume();
  await settled();
  expect(messagesFrom(client).slice(before)).toEqual([]);
});

everyRevision("a signal that is first read after the cancellation is aborted [CANC-01]", async (open) => {
  const release: (() => void)[] = [];
  const seen: boolean[] = [];
  const late = tool({
    name: "late",
    description: "Looks late.",
    run: async (_, call) => {
      await new Promise<void>((resolve) => release.push(resolve));
      seen.push(call.signal.aborted);
    },
  });
  const client = await open(createEcho({ tools: [late] }));
  const { id } = client.startRequest("tools/call", { name: "late" });
  client.notify("notifications/cancelled", { requestId: id });
  for (const resume of release) resume();
  await settled();
  expect(seen).toEqual([true]);
});

everyRevision("a queued call can be cancelled, and the next one runs [CANC-01]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool], limits: { callsInFlight: 1 } }));
  const start = (id: string) => client.startRequest("tools/call", { name: "gate", arguments: { id } });
  const [first, second, third] = [start("first"), start("second"), start("third")];
  client.notify("notifications/cancelled", { requestId: second.id });
  gate.open();
  await first.response;
  await settled();
  gate.open();
  expect((await third.response)["result"]).toMatchObject({ content: [{ text: "third done" }] });
  expect(messagesFrom(client).filter(({ id }) => id === second.id)).toEqual([]);
});

everyRevision("a call whose arguments are still being validated can be cancelled [CANC-01]", async (open) => {
  const ran: string[] = [];
  const checked = tool({
    name: "checked",
    description: "Checks for a while.",
    input: z.object({ text: z.string().refine(async () => settled(5).then(() => true)) }),
    run: ({ text }) => void ran.push(text),
  });
  const client = await open(createEcho({ tools: [checked] }));
  const { id } = client.startRequest("tools/call", { name: "checked", arguments: { text: "a" } });
  client.notify("notifications/cancelled", { requestId: id });
  await settled(30);
  expect(ran).toEqual([]);
  expect(messagesFrom(client).filter((message) => message["id"] === id)).toEqual([]);
});

everyRevision("cancellations of unknown requests are ignored [CANC-02]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [echo, gate.tool] }));
  const done = client.startRequest("tools/call", { name: "echo", arguments: { text: "a" } });
  await done.response;
  const running = client.startRequest("tools/call", { name: "gate" });
  const before = messagesFrom(client).length;
  for (const params of [
    { requestId: done.id },
    { requestId: 9999 },
    { requestId: String(running.id) },
    { requestId: running.id + 0.5 },
    { requestId: null },
    { requestId: [running.id] },
    { requestId: { id: running.id } },
    { reason: "none" },
    {},
  ] as JsonObject[]) {
    client.notify("notifications/cancelled", params);
  }
  client.sendText(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[${running.id}]}`);
  await settled();
  expect(messagesFrom(client)).toHaveLength(before);
  expect(gate.stopped).toEqual([]);
  gate.open();
  expect((await running.response)["result"]).toBeDefined();
});

everyRevision("a second cancellation, or one after the response, has no effect [CANC-02]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const { id } = client.startRequest("tools/call", { name: "gate" });
  for (let round = 0; round < 3; round += 1)
    client.notify("notifications/cancelled", { requestId: id, reason: 7 as never });
  expect(gate.stopped).toEqual(["one: the client cancelled the request"]);
  expect(await client.listTools()).toHaveLength(1);
});

onRevisions(HANDSHAKE, "initialize cannot be cancelled [CANC-02]", async (open) => {
  const client = await open(createEcho());
  client.notify("notifications/cancelled", { requestId: 1 });
  expect(await client.listTools()).toHaveLength(1);
});

const asking = tool({
  name: "asking",
  description: "Asks.",
  run: async (_, call) => ((await call.elicit("sure", "Sure?", { type: "object", properties: {} })) ? "yes" : "no"),
});

test.each(["2025-06-18", "2025-11-25"])(
  "when a call in revision %s is cancelled, the server cancels its elicitation, and no other [CANC-05]",
  async (version) => {
    const raw = await openRaw(createEcho({ tools: [asking] }));
    await raw.sendAndReceive(initializeIn(version, { capabilities: { elicitation: {} } }), INITIALIZED);
    await raw.sendAndReceive(...["first", "second"].map((id) => sessionRequest(id, "tools/call", { name: "asking" })));
    expect(
      await raw.sendAndReceive('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"second"}}'),
    ).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"the call is over"}}',
    ]);
    expect(await raw.sendAndReceive('{"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{}}}')).toEqual([]);
    expect(await raw.sendAndReceive('{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}')).toEqual([
      '{"jsonrpc":"2.0","id":"first","result":{"content":[{"type":"text","text":"no"}],"isError":false}}',
    ]);
  },
);

onRevisions(
  [STATELESS],
  "the server cancels no request of the client except subscriptions/listen [CANC-06]",
  async (open) => {
    const gate = createBlockingTool();
    const client = await open(
      createEcho({ tools: [asking, gate.tool], dynamic: true, limits: { callTimeoutMs: 20 } }),
      {
        responses: { sure: {} },
      },
    );
    await client.callTool("asking");
    expect((await client.callTool("gate"))["isError"]).toBe(true);
    const cancelled = client.startRequest("tools/call", { name: "gate" });
    client.notify("notifications/cancelled", { requestId: cancelled.id });
    const listening = client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
    client.close();
    await settled();
    expect(client.received("notifications/cancelled")).toEqual([
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: listening.id } },
    ]);
  },
);

onRevisions(["2025-11-25"], "a cancellation without a requestId cancels nothing [CANC-07]", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  const { response: answer } = client.startRequest("tools/call", { name: "gate" });
  client.notify("notifications/cancelled", { reason: "legal here" });
  client.notify("notifications/cancelled");
  expect(gate.stopped).toEqual([]);
  gate.open();
  expect((await answer)["result"]).toBeDefined();
});

everyRevision("when the connection closes, running calls are aborted", async (open) => {
  const gate = createBlockingTool();
  const client = await open(createEcho({ tools: [gate.tool] }));
  client.startRequest("tools/call", { name: "gate" });
  client.close();
  expect(gate.stopped).toEqual(["one: the connection was closed"]);
});
