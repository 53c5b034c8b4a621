import { createServer, openMemory, pack, type Tool, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/testing";
import { describe, expect, test } from "vitest";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Gate, settled } from "./wire.js";

const named = (name: string): Tool => tool({ name, description: `Is ${name}.`, run: () => name });

describe("a tool that comes or goes while the server runs", () => {
  onRevisions(HANDSHAKE, "is told to every session once, and the list has it [TOOL-20]", async (open) => {
    const server = serverWith([named("first")], { dynamic: true });
    const one = await open(server);
    const two = await open(server);
    server.addTool(named("second"));
    server.addTool(named("third"));
    await settled();
    for (const client of [one, two]) {
      expect(client.heard("notifications/tools/list_changed")).toHaveLength(1);
      expect((await client.listTools()).map(({ name }) => name)).toEqual(["first", "second", "third"]);
    }
    server.removeTool("second");
    await settled();
    expect(one.heard("notifications/tools/list_changed")).toHaveLength(2);
    expect((await one.listTools()).map(({ name }) => name)).toEqual(["first", "third"]);
    await expect(one.callTool("second")).rejects.toMatchObject({ code: -32602 });
  });

  onRevisions([STATELESS], "is told only to those who listen [TOOL-20]", async (open) => {
    const server = serverWith([named("first")], { dynamic: true });
    const listening = await open(server);
    const silent = await open(server);
    listening.start("subscriptions/listen", { notifications: { toolsListChanged: true } });
    server.addTool(named("second"));
    await settled();
    expect(listening.heard("notifications/tools/list_changed")).toHaveLength(1);
    expect(silent.heard("notifications/tools/list_changed")).toHaveLength(0);
    expect((await silent.listTools()).map(({ name }) => name)).toEqual(["first", "second"]);
  });

  onRevisions(HANDSHAKE, "is not told to a session that is not ready or has gone [TOOL-20]", async (open, revision) => {
    const server = serverWith([], { dynamic: true });
    const gone = await open(server);
    gone.close();
    const heard: string[] = [];
    const early = await openMemory(server, (message) => void heard.push(message));
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "early", version: "1" } };
    early.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    server.addTool(named("late"));
    await settled();
    expect(gone.heard("notifications/tools/list_changed")).toEqual([]);
    expect(heard).toHaveLength(1);
    early.close();
  });

  onRevisions(HANDSHAKE, "does not disturb the calls that run", async (open) => {
    const gate = new Gate<string>();
    const server = serverWith([tool({ name: "slow", description: "Waits.", run: () => gate.opened })], {
      dynamic: true,
    });
    const client = await open(server);
    const call = client.callTool("slow");
    server.removeTool("slow");
    gate.open("still here");
    expect(await call).toMatchObject({ content: [{ text: "still here" }] });
  });

  test("must be allowed, be new, and be there", () => {
    const fixed = serverWith([named("first")]);
    expect(() => fixed.addTool(named("second"))).toThrow(
      new TypeError('Cannot add tool "second": create the server with dynamic: true'),
    );
    expect(() => fixed.removeTool("first")).toThrow(
      new TypeError('Cannot remove tool "first": create the server with dynamic: true'),
    );
    const dynamic = serverWith([tool({ name: "first", description: "d", aliases: ["one"], run: () => "" })], {
      dynamic: true,
    });
    expect(() => dynamic.addTool(named("one"))).toThrow(
      new TypeError('Cannot register tool "one": the name "one" is taken'),
    );
    expect(() => dynamic.removeTool("one")).toThrow(
      new TypeError('Cannot remove tool "one": there is none of this name'),
    );
    expect(dynamic.tools.map(({ name }) => name)).toEqual(["first"]);
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

  test("are opened in order when a client comes, and closed last first", async () => {
    opened.length = 0;
    const server = createServer({
      name: "test",
      version: "1.0.0",
      tools: [named("own")],
      packs: [numbered({ id: "a" }), numbered({ id: "b" })],
    });
    expect(opened).toEqual([]);
    const client = await connect(server);
    await connect(server);
    expect(opened).toEqual(["open a", "open b"]);
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["own", "tool_a", "tool_b"]);
    await server.close();
    await server.close();
    expect(opened).toEqual(["open a", "open b", "close b", "close a"]);
  });

  test("that cannot be opened close those that were, and say why", async () => {
    opened.length = 0;
    const twice = createServer({
      name: "test",
      version: "1.0.0",
      packs: [numbered({ id: "a" }), numbered({ id: "a" })],
    });
    await expect(twice.start()).rejects.toThrow(
      new TypeError('Cannot register tool "tool_a": the name "tool_a" is taken'),
    );
    expect(opened).toEqual(["open a", "open a", "close a", "close a"]);
    const unset = createServer({ name: "test", version: "1.0.0", packs: [numbered()] });
    await expect(unset.start()).rejects.toThrow(/^Cannot open pack "numbered": settings\.id: /);
  });
});
