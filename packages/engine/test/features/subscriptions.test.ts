import { type JsonObject, prompt, type ServerOptions, type Tool, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { settled, Wire } from "./wire.js";

const TAG = "io.modelcontextprotocol/subscriptionId";
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const named = (name: string): Tool => tool({ name, description: "d", run: () => name });
const dynamic = (options: Partial<ServerOptions> = {}) =>
  serverWith([named("first")], { dynamic: true, ...options, limits: { changeIntervalMs: 1, ...options.limits } });
const listen = (wire: Wire, id: number | string, notifications: JsonObject): void =>
  wire.send({ id, method: "subscriptions/listen", params: { notifications, _meta } });
const cancel = (wire: Wire, requestId: number | string): void =>
  wire.send({ method: "notifications/cancelled", params: { requestId } });

describe("subscriptions/listen", () => {
  onRevisions([STATELESS], "requires valid notifications [SUB-01]", async (open) => {
    const client = await open(dynamic());
    for (const params of [{}, { notifications: null }, { notifications: [] }, { notifications: "all" }]) {
      await expect(client.request("subscriptions/listen", params)).rejects.toMatchObject({ code: -32602 });
    }
    for (const toolsListChanged of [1, "true", null, {}]) {
      const params = { notifications: { toolsListChanged } };
      await expect(client.request("subscriptions/listen", params)).rejects.toMatchObject({ code: -32602 });
    }
    expect(client.received("notifications/subscriptions/acknowledged")).toEqual([]);
  });

  test("is acknowledged first, with the supported notifications only [SUB-02 SUB-03]", () => {
    const wanted = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ["file:///a"],
      weatherChanged: true,
    };
    for (const [server, honoured] of [
      [dynamic(), { toolsListChanged: true }],
      [dynamic({ prompts: [] }), { toolsListChanged: true, promptsListChanged: true }],
      [
        serverWith([], { dynamic: true, prompts: [prompt({ name: "p", description: "d", run: () => "" })] }),
        { toolsListChanged: true, promptsListChanged: true },
      ],
      [serverWith([named("first")]), {}],
    ] as const) {
      const wire = new Wire(server, STATELESS);
      listen(wire, 5, wanted);
      expect(wire.received).toEqual([
        {
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: { notifications: honoured, _meta: { [TAG]: 5 } },
        },
      ]);
      wire.expectLegal();
    }
  });

  test("sends no notification before the acknowledgement [SUB-02]", async () => {
    const server = dynamic();
    server.addTool(named("before"));
    const wire = new Wire(server, STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    server.addTool(named("after"));
    await settled();
    expect(wire.receivedMethods).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/tools/list_changed",
    ]);
    wire.expectLegal();
  });

  test.each([["5"], ["-7"], ['"5"'], ['"a \\"quoted\\" id"'], ["9007199254740993"], ["-9007199254740995"]])(
    "tags all notifications with the exact id %s [SUB-03]",
    async (id) => {
      const server = dynamic();
      const wire = new Wire(server, STATELESS);
      const params = JSON.stringify({ notifications: { toolsListChanged: true }, _meta });
      wire.sendText(`{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${params}}`);
      server.addTool(named("second"));
      await settled();
      wire.session.end();
      const tag = `"_meta":{"${TAG}":${id}}`;
      expect(wire.texts.slice(0, 3)).toEqual([
        `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},${tag}}}`,
        `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{${tag}}}`,
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
      ]);
      expect(wire.texts[3]).toContain(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete"`);
      expect(wire.texts[3]).toContain(`"${TAG}":${id}`);
    },
  );

  test("sends only notifications that were requested [SUB-04]", async () => {
    const server = dynamic();
    const wire = new Wire(server, STATELESS);
    listen(wire, 1, {});
    listen(wire, 2, { toolsListChanged: false });
    listen(wire, 3, { promptsListChanged: true });
    server.addTool(named("second"));
    await settled();
    expect(wire.receivedMethods).toEqual(Array.from({ length: 3 }, () => "notifications/subscriptions/acknowledged"));
  });

  test("sends no progress and no log messages of other calls [SUB-04]", async () => {
    const chatty = tool({
      name: "chatty",
      description: "Talks.",
      run(_input, call) {
        call.progress(1);
        call.log("error", "words");
        return "done";
      },
    });
    const wire = new Wire(serverWith([chatty], { dynamic: true }), STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    wire.send({ id: 2, method: "tools/call", params: { name: "chatty", _meta } });
    await wire.waitFor({ id: 2 });
    expect(wire.receivedMethods).toEqual(["notifications/subscriptions/acknowledged", "response"]);
    wire.expectLegal();
  });

  test("may be open several times, and each call is notified [SUB-05]", async () => {
    const server = dynamic();
    const wire = new Wire(server, STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    listen(wire, "1", { toolsListChanged: true });
    server.addTool(named("second"));
    await settled();
    const tags = wire.received.map(({ params }) => ((params as JsonObject)["_meta"] as JsonObject)[TAG]);
    expect(tags).toEqual([1, "1", 1, "1"]);
    cancel(wire, 1);
    server.addTool(named("third"));
    await settled();
    expect(wire.received).toHaveLength(5);
    expect(wire.received.at(-1)).toMatchObject({ params: { _meta: { [TAG]: "1" } } });
    wire.expectLegal();
  });

  test("ends without a response when the client cancels it [SUB-06]", async () => {
    const server = dynamic();
    const wire = new Wire(server, STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    cancel(wire, "1");
    cancel(wire, 2);
    server.addTool(named("second"));
    await settled();
    expect(wire.received).toHaveLength(2);
    cancel(wire, 1);
    server.addTool(named("third"));
    await settled();
    expect(wire.received).toHaveLength(2);
    listen(wire, 1, { toolsListChanged: true });
    expect(wire.received).toHaveLength(3);
  });

  test.each(["end", "close"] as const)("gets a response when the server ends it with %s [SUB-07]", (method) => {
    const wire = new Wire(dynamic(), STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    listen(wire, 2, {});
    wire.session[method]();
    expect(wire.receivedMethods.slice(2)).toEqual([
      "notifications/cancelled",
      "response",
      "notifications/cancelled",
      "response",
    ]);
    for (const id of [1, 2]) {
      expect(wire.received.find((message) => message["id"] === id)).toEqual({
        jsonrpc: "2.0",
        id,
        result: {
          resultType: "complete",
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.0.0" }, [TAG]: id },
        },
      });
    }
    wire.expectLegal();
  });

  test("ends with its connection, and nothing is replayed on the next one [SUB-08]", async () => {
    const server = dynamic();
    const wire = new Wire(server, STATELESS);
    listen(wire, 1, { toolsListChanged: true });
    wire.session.close();
    const before = wire.received.length;
    server.addTool(named("second"));
    await settled();
    expect(wire.received).toHaveLength(before);
    const next = new Wire(server, STATELESS);
    listen(next, 1, { toolsListChanged: true });
    await settled();
    expect(next.receivedMethods).toEqual(["notifications/subscriptions/acknowledged"]);
  });

  test("is limited per connection, and ending one frees a slot [SEC-07]", () => {
    const server = dynamic({ limits: { subscriptions: 2 } });
    const wire = new Wire(server, STATELESS);
    for (const id of [1, 2, 3]) listen(wire, id, { toolsListChanged: true });
    expect(wire.received.at(-1)).toMatchObject({ id: 3, error: { code: -32600, data: { limit: "subscriptions" } } });
    const other = new Wire(server, STATELESS);
    listen(other, 1, {});
    expect(other.receivedMethods).toEqual(["notifications/subscriptions/acknowledged"]);
    cancel(wire, 1);
    listen(wire, 4, {});
    expect(wire.receivedMethods.at(-1)).toBe("notifications/subscriptions/acknowledged");
    wire.expectLegal();
  });

  onRevisions(
    ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
    "does not exist in revisions with a handshake [SUB-01]",
    async (open) => {
      const client = await open(dynamic());
      await expect(client.request("subscriptions/listen", { notifications: {} })).rejects.toMatchObject({
        code: -32601,
      });
    },
  );
});
