import type { Server } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createBlockingTool, createEcho, echo, settled } from "./support.js";

const LIST_CHANGED = "notifications/tools/list_changed";
const named = (name: string) => ({ ...echo, name });
const namesOf = async (client: TestClient) => (await client.listTools()).map(({ name }) => name);

/** Listens where the revision needs it, so that changes are received in each. */
function listen(client: TestClient): void {
  if (client.revision === STATELESS)
    client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
}

everyRevision("the client is notified when tools are added and removed", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeIntervalMs: 1 } });
  const client = await open(server);
  listen(client);
  server.addTool(named("second"));
  await settled();
  expect(client.received(LIST_CHANGED)).toHaveLength(1);
  expect(await namesOf(client)).toEqual(["echo", "second"]);
  expect((await client.callTool("second", { text: "a" }))["content"]).toEqual([{ type: "text", text: "a" }]);
  server.removeTool("echo");
  await settled();
  expect(client.received(LIST_CHANGED)).toHaveLength(2);
  expect(await namesOf(client)).toEqual(["second"]);
  await expect(client.callTool("echo", { text: "a" })).rejects.toMatchObject({ code: -32602 });
});

everyRevision("changes in one event-loop turn cause one notification", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeIntervalMs: 1 } });
  const client = await open(server);
  listen(client);
  for (let at = 0; at < 10; at += 1) server.addTool(named(`more-${at}`));
  server.removeTool("more-3");
  await settled();
  expect(client.received(LIST_CHANGED)).toHaveLength(1);
});

everyRevision("every connected client is notified", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeIntervalMs: 1 } });
  const [staying, leaving] = [await open(server), await open(server)];
  for (const client of [staying, leaving]) listen(client);
  leaving.close();
  server.addTool(named("second"));
  await settled();
  expect([staying.received(LIST_CHANGED).length, leaving.received(LIST_CHANGED).length]).toEqual([1, 0]);
});

everyRevision("a running call continues when its tool is removed", async (open) => {
  const gate = createBlockingTool();
  const server = createEcho({ dynamic: true, tools: [gate.tool] });
  const client = await open(server);
  const { response: answer } = client.startRequest("tools/call", { name: "gate" });
  server.removeTool("gate");
  gate.open();
  expect((await answer)["result"]).toMatchObject({ content: [{ text: "one done" }], isError: false });
});

onRevisions(HANDSHAKE, "a session gets a plain notification", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeIntervalMs: 1 } });
  const client = await open(server);
  server.addTool(named("second"));
  await settled();
  expect(client.received(LIST_CHANGED)).toEqual([{ jsonrpc: "2.0", method: LIST_CHANGED }]);
});

onRevisions([STATELESS], "a listen call gets notifications with its own id, if it subscribed", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeIntervalMs: 1 } });
  const client = await open(server);
  const first = client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
  client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: false } });
  client.startRequest("subscriptions/listen", { notifications: {} });
  server.addTool(named("second"));
  await settled();
  expect(client.received(LIST_CHANGED).map(({ params }) => params)).toEqual([
    { _meta: { "io.modelcontextprotocol/subscriptionId": first.id } },
  ]);
  client.notify("notifications/cancelled", { requestId: first.id });
  server.addTool(named("third"));
  await settled();
  expect(client.received(LIST_CHANGED)).toHaveLength(1);
});

onRevisions([STATELESS], "a server that is not dynamic acknowledges no list changes", async (open) => {
  const client = await open(createEcho());
  client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
  expect(client.received("notifications/subscriptions/acknowledged")).toMatchObject([
    { params: { notifications: {} } },
  ]);
  expect(JSON.stringify(client.received("notifications/subscriptions/acknowledged"))).not.toContain("toolsListChanged");
});

onRevisions([STATELESS], "one subscription more than the limit is rejected, until one ends", async (open) => {
  const client = await open(createEcho({ dynamic: true, limits: { subscriptions: 2 } }));
  const start = () => client.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const [first] = [start(), start()];
  expect((await start().response)["error"]).toEqual({
    code: -32600,
    message: "Invalid request: 2 subscriptions are open; end one first",
    data: { limit: "subscriptions" },
  });
  client.notify("notifications/cancelled", { requestId: first?.id ?? 0 });
  start();
  expect(client.received("notifications/subscriptions/acknowledged")).toHaveLength(3);
});

test.each([
  ["a name that is taken", (server: Server) => server.addTool(echo), 'the name "echo" is already taken'],
  [
    "a name that is not there",
    (server: Server) => server.removeTool("other"),
    'Cannot remove tool "other": it is not registered',
  ],
  ["an alias", (server: Server) => server.removeTool("say"), 'Cannot remove tool "say": it is not registered'],
])("a change with %s is rejected and has no effect", async (_, change, message) => {
  const server = createEcho({ dynamic: true, tools: [{ ...echo, aliases: ["say"] }] });
  expect(() => change(server)).toThrow(message);
  expect(server.tools.map(({ name }) => name)).toEqual(["echo"]);
});
