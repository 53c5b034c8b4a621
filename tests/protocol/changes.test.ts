import type { Server } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { createEcho, createGate, echo, settled } from "./support.js";

const LIST_CHANGED = "notifications/tools/list_changed";
const named = (name: string) => ({ ...echo, name });
const namesOf = async (client: TestClient) => (await client.listTools()).map(({ name }) => name);

/** Listens where the revision needs it, so that changes are heard in each. */
function listen(client: TestClient): void {
  if (client.revision === STATELESS)
    client.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
}

everyRevision("tools come and go while the server runs, and the client is told", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeRestMs: 1 } });
  const client = await open(server);
  listen(client);
  server.addTool(named("second"));
  await settled();
  expect(client.heard(LIST_CHANGED)).toHaveLength(1);
  expect(await namesOf(client)).toEqual(["echo", "second"]);
  expect((await client.callTool("second", { text: "a" }))["content"]).toEqual([{ type: "text", text: "a" }]);
  server.removeTool("echo");
  await settled();
  expect(client.heard(LIST_CHANGED)).toHaveLength(2);
  expect(await namesOf(client)).toEqual(["second"]);
  await expect(client.callTool("echo", { text: "a" })).rejects.toMatchObject({ code: -32602 });
});

everyRevision("changes of one moment are told once", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeRestMs: 1 } });
  const client = await open(server);
  listen(client);
  for (let at = 0; at < 10; at += 1) server.addTool(named(`more-${at}`));
  server.removeTool("more-3");
  await settled();
  expect(client.heard(LIST_CHANGED)).toHaveLength(1);
});

everyRevision("every client is told, and one that has left is not", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeRestMs: 1 } });
  const [staying, leaving] = [await open(server), await open(server)];
  for (const client of [staying, leaving]) listen(client);
  leaving.close();
  server.addTool(named("second"));
  await settled();
  expect([staying.heard(LIST_CHANGED).length, leaving.heard(LIST_CHANGED).length]).toEqual([1, 0]);
});

everyRevision("a call that runs is not disturbed when its tool is withdrawn", async (open) => {
  const gate = createGate();
  const server = createEcho({ dynamic: true, tools: [gate.tool] });
  const client = await open(server);
  const { answer } = client.start("tools/call", { name: "gate" });
  server.removeTool("gate");
  gate.open();
  expect((await answer)["result"]).toMatchObject({ content: [{ text: "one done" }], isError: false });
});

onRevisions(HANDSHAKE, "a session is told in plain words", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeRestMs: 1 } });
  const client = await open(server);
  server.addTool(named("second"));
  await settled();
  expect(client.heard(LIST_CHANGED)).toEqual([{ jsonrpc: "2.0", method: LIST_CHANGED }]);
});

onRevisions([STATELESS], "a listen call is told with its own id, and one that did not ask is not", async (open) => {
  const server = createEcho({ dynamic: true, limits: { changeRestMs: 1 } });
  const client = await open(server);
  const first = client.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
  client.start("subscriptions/listen", { notifications: { toolsListChanged: false } });
  client.start("subscriptions/listen", { notifications: {} });
  server.addTool(named("second"));
  await settled();
  expect(client.heard(LIST_CHANGED).map(({ params }) => params)).toEqual([
    { _meta: { "io.modelcontextprotocol/subscriptionId": first.id } },
  ]);
  client.notify("notifications/cancelled", { requestId: first.id });
  server.addTool(named("third"));
  await settled();
  expect(client.heard(LIST_CHANGED)).toHaveLength(1);
});

onRevisions([STATELESS], "a static server honours no wish to hear of tools", async (open) => {
  const client = await open(createEcho());
  client.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
  expect(client.heard("notifications/subscriptions/acknowledged")).toMatchObject([{ params: { notifications: {} } }]);
  expect(JSON.stringify(client.heard("notifications/subscriptions/acknowledged"))).not.toContain("toolsListChanged");
});

onRevisions(
  [STATELESS],
  "one subscription more than the limit is refused, and there is room again after one ends",
  async (open) => {
    const client = await open(createEcho({ dynamic: true, limits: { subscriptions: 2 } }));
    const start = () => client.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const [first] = [start(), start()];
    expect((await start().answer)["error"]).toEqual({
      code: -32600,
      message: "Invalid request: 2 subscriptions are open; end one first",
      data: { limit: "subscriptions" },
    });
    client.notify("notifications/cancelled", { requestId: first?.id ?? 0 });
    start();
    expect(client.heard("notifications/subscriptions/acknowledged")).toHaveLength(3);
  },
);

test.each([
  ["a name that is taken", (server: Server) => server.addTool(echo), 'the name "echo" is taken'],
  [
    "a name that is not there",
    (server: Server) => server.removeTool("other"),
    'Cannot remove tool "other": there is none',
  ],
  ["an alias", (server: Server) => server.removeTool("say"), 'Cannot remove tool "say": there is none'],
])("a change that names %s is refused and leaves all as it was", async (_, change, message) => {
  const server = createEcho({ dynamic: true, tools: [{ ...echo, aliases: ["say"] }] });
  expect(() => change(server)).toThrow(message);
  expect(server.tools.map(({ name }) => name)).toEqual(["echo"]);
});
