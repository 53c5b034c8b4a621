import {
  createServer,
  type JsonObject,
  type PackHost,
  pack,
  prompt,
  resource,
  resourceTemplate,
  type Server,
  type Tool,
  tool,
} from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Deferred, settled } from "./wire.js";

const named = (name: string): Tool => tool({ name, description: `Is ${name}.`, run: () => name });

describe("adding or removing a tool while the server runs", () => {
  onRevisions(HANDSHAKE, "notifies every session once and updates the list [TOOL-20]", async (open) => {
    const server = serverWith([named("first")], { dynamic: true, limits: { changeIntervalMs: 1 } });
    const one = await open(server);
    const two = await open(server);
    server.addTool(named("second"));
    server.addTool(named("third"));
    await settled();
    for (const client of [one, two]) {
      expect(client.received("notifications/tools/list_changed")).toHaveLength(1);
      expect((await client.listTools()).map(({ name }) => name)).toEqual(["first", "second", "third"]);
    }
    server.removeTool("second");
    await settled();
    expect(one.received("notifications/tools/list_changed")).toHaveLength(2);
    expect((await one.listTools()).map(({ name }) => name)).toEqual(["first", "third"]);
    await expect(one.callTool("second")).rejects.toMatchObject({ code: -32602 });
  });

  onRevisions([STATELESS], "notifies only clients that subscribed [TOOL-20]", async (open) => {
    const server = serverWith([named("first")], { dynamic: true });
    const listening = await open(server);
    const silent = await open(server);
    listening.startRequest("subscriptions/listen", { notifications: { toolsListChanged: true } });
    server.addTool(named("second"));
    await settled();
    expect(listening.received("notifications/tools/list_changed")).toHaveLength(1);
    expect(silent.received("notifications/tools/list_changed")).toHaveLength(0);
    expect((await silent.listTools()).map(({ name }) => name)).toEqual(["first", "second"]);
  });

  onRevisions(
    HANDSHAKE,
    "does not notify a session that is not initialized or has ended [TOOL-20]",
    async (open, revision) => {
      const server = serverWith([], { dynamic: true });
      const gone = await open(server);
      gone.close();
      const received: string[] = [];
      const early = await openMemoryConnection(server, (message) => void received.push(message));
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "early", version: "1" } };
      early.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
      server.addTool(named("late"));
      await settled();
      expect(gone.received("notifications/tools/list_changed")).toEqual([]);
      expect(received).toHaveLength(1);
      early.close();
    },
  );

  onRevisions(HANDSHAKE, "does not affect running calls", async (open) => {
    const gate = new Deferred<string>();
    const server = serverWith([tool({ name: "slow", description: "Waits.", run: () => gate.promise })], {
      dynamic: true,
    });
    const client = await open(server);
    const call = client.callTool("slow");
    server.removeTool("slow");
    gate.resolve("still here");
    expect(await call).toMatchObject({ content: [{ text: "still here" }] });
  });

  test("requires a dynamic server, a new name to add and a known name to remove", () => {
    const fixed = serverWith([named("first")]);
    expect(() => fixed.addTool(named("second"))).toThrow(
      new TypeError('Cannot add "second" to the tools: create the server with dynamic: true'),
    );
    expect(() => fixed.removeTool("first")).toThrow(
      new TypeError('Cannot remove "first" from the tools: create the server with dynamic: true'),
    );
    const dynamic = serverWith([tool({ name: "first", description: "d", aliases: ["one"], run: () => "" })], {
      dynamic: true,
    });
    expect(() => dynamic.addTool(named("first"))).toThrow(
      new TypeError('Cannot register tool "first": the name "first" is already taken'),
    );
    expect(() => dynamic.removeTool("one")).toThrow(new TypeError('Cannot remove tool "one": it is not registered'));
    expect(dynamic.tools.map(({ name }) => name)).toEqual(["first"]);
  });
});

const examplePrompt = (name: string) => prompt({ name, description: "d", run: () => name });
const held = (uri: string) => resource({ uri, name: uri, read: () => uri });
const family = (uri: string) => resourceTemplate({ uri, name: uri, read: () => uri });
const LISTS = ["tools", "prompts", "resources"] as const;

/** The names or URIs that a list shows. */
async function listed(client: TestClient, method: string): Promise<unknown[]> {
  const [entries] = Object.values(await client.request(method)).filter(Array.isArray) as JsonObject[][];
  return (entries ?? []).map(({ uri, uriTemplate, name }) => uri ?? uriTemplate ?? name);
}

/** How often each list was said to have changed. */
const notificationCounts = (client: TestClient) =>
  LISTS.map((list) => client.received(`notifications/${list}/list_changed`).length);

function listen(client: TestClient, ...lists: readonly string[]): void {
  if (client.revision !== STATELESS) return;
  const notifications = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
  client.startRequest("subscriptions/listen", { notifications });
}

const dynamic = (): Server =>
  serverWith([], {
    dynamic: true,
    prompts: [examplePrompt("p")],
    resources: [held("x:a")],
    limits: { changeIntervalMs: 1 },
  });

describe("adding or removing a prompt or a resource while the server runs", () => {
  everyRevision("notifies sessions per list and updates the list [PRM-05 RES-07 ERA-10]", async (open) => {
    const server = dynamic();
    const client = await open(server);
    listen(client, ...LISTS);
    server.addPrompt(examplePrompt("q"));
    await settled();
    expect(notificationCounts(client)).toEqual([0, 1, 0]);
    expect(await listed(client, "prompts/list")).toEqual(["p", "q"]);
    server.addResource(held("x:b"));
    await settled();
    expect(notificationCounts(client)).toEqual([0, 1, 1]);
    expect(await listed(client, "resources/list")).toEqual(["x:a", "x:b"]);
    server.addResource(family("y:{id}"));
    await settled();
    expect(notificationCounts(client)).toEqual([0, 1, 2]);
    expect(await listed(client, "resources/templates/list")).toEqual(["y:{id}"]);
    expect(await client.request("resources/read", { uri: "y:1" })).toMatchObject({ contents: [{ text: "y:{id}" }] });
    server.removePrompt("p");
    server.removeResource("X:%61");
    server.removeResource("y:{id}");
    await settled();
    expect(notificationCounts(client)).toEqual([0, 2, 3]);
    expect(await listed(client, "prompts/list")).toEqual(["q"]);
    expect(await listed(client, "resources/list")).toEqual(["x:b"]);
    expect(await listed(client, "resources/templates/list")).toEqual([]);
    await expect(client.request("prompts/get", { name: "p" })).rejects.toMatchObject({ code: -32602 });
    for (const uri of ["x:a", "y:1"])
      await expect(client.request("resources/read", { uri })).rejects.toThrow("Resource not found");
  });

  onRevisions(
    [STATELESS],
    "notifies only listen calls that subscribed to the list [PRM-05 RES-07 SUB-04]",
    async (open) => {
      const server = dynamic();
      const [prompts, resources, nothing] = [await open(server), await open(server), await open(server)];
      listen(prompts, "prompts");
      listen(resources, "resources");
      server.addPrompt(examplePrompt("q"));
      server.addResource(held("x:b"));
      server.addTool(named("t"));
      await settled();
      expect([prompts, resources, nothing].map(notificationCounts)).toEqual([
        [0, 1, 0],
        [0, 0, 1],
        [0, 0, 0],
      ]);
    },
  );

  everyRevision("has the same effect for every client [MOD-12]", async (open) => {
    const server = dynamic();
    const [one, two] = [await open(server), await open(server)];
    await one.request("prompts/get", { name: "p" });
    await one.request("resources/read", { uri: "x:a" });
    for (const method of ["prompts/list", "resources/list", "resources/templates/list"])
      expect(await one.request(method)).toEqual(await two.request(method));
  });

  everyRevision("includes the resources that a template lists [RES-07]", async (open) => {
    const ids = ["1"];
    const list = () => ({ resources: ids.map((id) => ({ uri: `y:${id}`, name: id })) });
    const server = serverWith([], {
      dynamic: true,
      resources: [resourceTemplate({ uri: "y:{id}", name: "y", list, read: () => "" })],
    });
    const client = await open(server);
    listen(client, "resources");
    ids.push("2");
    server.notifyResourceListChanged();
    await settled();
    expect(notificationCounts(client)).toEqual([0, 0, 1]);
    expect(await listed(client, "resources/list")).toEqual(["y:1", "y:2"]);
  });

  test("changes nothing if it is not allowed, a duplicate, unknown or invalid", () => {
    const fixed = serverWith([], { prompts: [examplePrompt("p")], resources: [held("x:a")] });
    for (const change of [
      () => fixed.addPrompt(examplePrompt("q")),
      () => fixed.removePrompt("p"),
      () => fixed.addResource(held("x:b")),
      () => fixed.removeResource("x:a"),
      () => fixed.notifyResourceListChanged(),
    ])
      expect(change).toThrow(/^Cannot .*: create the server with dynamic: true$/);
    const server = dynamic();
    for (const [change, message] of [
      [() => server.addPrompt(examplePrompt("p")), 'Cannot register prompt "p": the name "p" is already taken'],
      [() => server.removePrompt("q"), 'Cannot remove prompt "q": it is not registered'],
      [() => server.addResource(held("X:%61")), 'Cannot register resource "x:a": the name "x:a" is already taken'],
      [() => server.removeResource("x:b"), 'Cannot remove resource "x:b": it is not registered'],
      [() => server.removeResource("y:{a}"), 'Cannot remove resource template "y:{a}": it is not registered'],
      [
        () => server.addResource({ uri: "x:c", name: "", read: () => "" }),
        'Cannot define resource "x:c": name is missing',
      ],
    ] as const)
      expect(change).toThrow(new TypeError(message));
    expect(server.prompts.map(({ name }) => name)).toEqual(["p"]);
    expect(server.resources.map(({ uri }) => uri)).toEqual(["x:a"]);
  });
});

describe("packs", () => {
  const opened: string[] = [];
  const numbered = pack({
    name: "numbered",
    settings: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    open({ id }) {
      opened.push(`open ${id}`);
      return { tools: [named(`tool_${id}`)], close: () => void opened.push(`close ${id}`) };
    },
  });

  test("are opened in order at the start, and closed in reverse order", async () => {
    opened.length = 0;
    const server = createServer({
      name: "test",
      version: "1.0.0",
      tools: [named("own")],
      packs: [numbered({ id: "a" }), numbered({ id: "b" })],
    });
    expect(opened).toEqual([]);
    const client = await connectTestClient(server);
    await connectTestClient(server);
    expect(opened).toEqual(["open a", "open b"]);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["own", "tool_a", "tool_b"]);
    await server.close();
    await server.close();
    expect(opened).toEqual(["open a", "open b", "close b", "close a"]);
  });

  test("that fail to open close the opened ones, and the error says why", async () => {
    opened.length = 0;
    const twice = createServer({
      name: "test",
      version: "1.0.0",
      packs: [numbered({ id: "a" }), numbered({ id: "a" })],
    });
    await expect(twice.start()).rejects.toThrow(
      new TypeError('Cannot register tool "tool_a": the name "tool_a" is already taken'),
    );
    expect(opened).toEqual(["open a", "open a", "close a", "close a"]);
    const unset = createServer({ name: "test", version: "1.0.0", packs: [numbered()] });
    await expect(unset.start()).rejects.toThrow(/^Cannot open pack "numbered": settings\.id: /);
  });

  everyRevision("can add prompts and resources, and notify of changes through their host", async (open, revision) => {
    const hosts: PackHost[] = [];
    const notes = pack({
      name: "notes",
      open(_settings, host) {
        hosts.push(host);
        return { prompts: [examplePrompt("p")], resources: [held("x:a"), family("y:{id}")] };
      },
    });
    const server = serverWith([], { dynamic: true, packs: [notes()] });
    const client = await open(server);
    const [host] = hosts;
    const resourceSubscriptions = ["x:a"];
    if (revision === STATELESS) {
      listen(client, ...LISTS);
      client.startRequest("subscriptions/listen", { notifications: { resourceSubscriptions } });
    } else await client.request("resources/subscribe", { uri: "x:a" });
    host?.notifyResourceUpdated("x:a");
    host?.addTool(named("t"));
    host?.addPrompt(examplePrompt("q"));
    host?.addResource(held("x:b"));
    await settled();
    expect(client.received("notifications/resources/updated")).toHaveLength(1);
    expect(notificationCounts(client)).toEqual([1, 1, 1]);
    expect(await listed(client, "tools/list")).toEqual(["t"]);
    expect(await listed(client, "prompts/list")).toEqual(["p", "q"]);
    expect(await listed(client, "resources/list")).toEqual(["x:a", "x:b"]);
    expect(await listed(client, "resources/templates/list")).toEqual(["y:{id}"]);
  });
});
