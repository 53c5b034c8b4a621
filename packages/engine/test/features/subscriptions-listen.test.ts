import {
  type JsonObject,
  type LogEntry,
  resource,
  resourceTemplate,
  type Server,
  type ServerOptions,
} from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { describe, expect, vi } from "vitest";
import { HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { settled } from "./wire.js";

const UPDATED = "notifications/resources/updated";
const TAG = "io.modelcontextprotocol/subscriptionId";
const single = (uri: string) => resource({ uri, name: uri, read: () => "" });
const files = resourceTemplate({ uri: "file:///{+path}", name: "files", read: () => "" });
const serve = (options: Partial<ServerOptions> = {}): Server =>
  serverWith([], {
    resources: [single("x:a"), single("x:b"), files],
    limits: { changeIntervalMs: 1, ...options.limits },
  });
const urisOf = (messages: readonly JsonObject[]) => messages.map(({ params }) => (params as JsonObject)["uri"]);

describe("resources/subscribe", () => {
  onRevisions(HANDSHAKE, "sends notifications until the client unsubscribes [RES-05 RES-06 CAP-03]", async (open) => {
    const server = serve();
    const client = await open(server);
    const other = await open(server);
    expect(await client.request("resources/subscribe", { uri: "x:a" })).toEqual({});
    server.notifyResourceUpdated("x:a");
    server.notifyResourceUpdated("x:b");
    await settled();
    expect(client.received(UPDATED)).toEqual([{ jsonrpc: "2.0", method: UPDATED, params: { uri: "x:a" } }]);
    expect(other.received(UPDATED)).toEqual([]);
    expect(await client.request("resources/unsubscribe", { uri: "x:a" })).toEqual({});
    expect(await client.request("resources/unsubscribe", { uri: "x:a" })).toEqual({});
    expect(await client.request("resources/unsubscribe", { uri: "x:never" })).toEqual({});
    server.notifyResourceUpdated("x:a");
    await settled();
    expect(client.received(UPDATED)).toHaveLength(1);
  });

  onRevisions(HANDSHAKE, "rejects unknown resources and invalid URIs [RES-03 RES-05]", async (open) => {
    const client = await open(serve());
    await expect(client.request("resources/subscribe", { uri: "x:c" })).rejects.toMatchObject({
      code: -32002,
      data: { uri: "x:c" },
    });
    for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
      for (const uri of ["no uri", "file:///a/../b", 5]) {
        await expect(client.request(method, { uri })).rejects.toMatchObject({ code: -32602 });
      }
      await expect(client.request(method, {})).rejects.toMatchObject({ code: -32602 });
    }
  });

  onRevisions(
    HANDSHAKE,
    "notifies once of a child resource, by any equivalent URI, and not of siblings [RES-06]",
    async (open) => {
      const server = serve();
      const client = await open(server);
      for (const uri of ["file:///home/", "FILE:///home/ada", "file:///home/%61da", "file:///home/ada/notes.txt"])
        await client.request("resources/subscribe", { uri });
      server.notifyResourceUpdated("FILE:///home/%61da/./notes.txt");
      server.notifyResourceUpdated("file:///homework/a");
      server.notifyResourceUpdated("file:///etc/passwd");
      await settled();
      expect(urisOf(client.received(UPDATED))).toEqual(["file:///home/ada/notes.txt"]);
      await client.request("resources/unsubscribe", { uri: "file:///home/ada" });
      await client.request("resources/unsubscribe", { uri: "file:///home/ada/notes.txt" });
      server.notifyResourceUpdated("file:///home/ada/other.txt");
      await settled();
      expect(urisOf(client.received(UPDATED))).toEqual(["file:///home/ada/notes.txt", "file:///home/ada/other.txt"]);
    },
  );

  onRevisions(HANDSHAKE, "ends with its session [RES-06]", async (open) => {
    const server = serve();
    const client = await open(server);
    await client.request("resources/subscribe", { uri: "x:a" });
    client.close();
    server.notifyResourceUpdated("x:a");
    await settled();
    expect(client.received(UPDATED)).toEqual([]);
  });

  onRevisions(
    HANDSHAKE,
    "combines many changes of one resource into one notification now and one later [RES-06]",
    async (open) => {
      const server = serve({ limits: { changeIntervalMs: 40 } });
      const client = await open(server);
      await client.request("resources/subscribe", { uri: "x:a" });
      for (let at = 0; at < 100; at += 1) server.notifyResourceUpdated("x:a");
      await settled(1);
      for (let at = 0; at < 100; at += 1) server.notifyResourceUpdated("x:a");
      await settled(200);
      expect(client.received(UPDATED)).toHaveLength(2);
    },
  );

  onRevisions(HANDSHAKE, "is limited per session, and unsubscribing frees a slot [RES-05 SEC-07]", async (open) => {
    const client = await open(serve({ limits: { resourceSubscriptions: 2 } }));
    for (const uri of ["x:a", "x:b", "x:a", "X:%61"]) await client.request("resources/subscribe", { uri });
    await expect(client.request("resources/subscribe", { uri: "file:///c" })).rejects.toMatchObject({
      code: -32600,
      message: "Invalid request: 2 resources are subscribed; unsubscribe from one first",
      data: { limit: "resourceSubscriptions" },
    });
    await client.request("resources/unsubscribe", { uri: "x:b" });
    expect(await client.request("resources/subscribe", { uri: "file:///c" })).toEqual({});
  });

  onRevisions(HANDSHAKE, "does not exist without resources [RES-05]", async (open) => {
    const client = await open(serverWith([]));
    for (const method of ["resources/subscribe", "resources/unsubscribe"])
      await expect(client.request(method, { uri: "x:a" })).rejects.toMatchObject({ code: -32601 });
  });

  onRevisions([STATELESS], "does not exist in the stateless revision [RES-05]", async (open) => {
    const client = await open(serve());
    for (const method of ["resources/subscribe", "resources/unsubscribe"])
      await expect(client.request(method, { uri: "x:a" })).rejects.toMatchObject({ code: -32601 });
  });
});

onRevisions(
  HANDSHAKE,
  "a session that fails does not affect the notifications of others [RES-06]",
  async (open, revision) => {
    const entries: LogEntry[] = [];
    const server = serverWith([], { resources: [single("x:a")] }, entries);
    let isBroken = false;
    const broken = await openMemoryConnection(server, () => {
      if (isBroken) throw new Error("the pipe is closed");
    });
    for (const [id, method, params] of [
      [1, "initialize", { protocolVersion: revision, capabilities: {}, clientInfo: { name: "broken", version: "1" } }],
      [undefined, "notifications/initialized", {}],
      [2, "resources/subscribe", { uri: "x:a" }],
    ] as const)
      broken.send(JSON.stringify({ jsonrpc: "2.0", ...(id && { id }), method, params }));
    const client = await open(server);
    await client.request("resources/subscribe", { uri: "x:a" });
    isBroken = true;
    server.notifyResourceUpdated("x:a");
    await settled();
    expect(client.received(UPDATED)).toHaveLength(1);
    expect(entries).toMatchObject([{ level: "error", error: { message: "the pipe is closed" } }]);
  },
);

describe("subscriptions/listen with resources", () => {
  onRevisions(
    [STATELESS],
    "acknowledges existing resources, and notifies only of them [SUB-01 SUB-02 SUB-04]",
    async (open) => {
      const server = serve();
      const client = await open(server);
      const wanted = ["x:a", "X:%62", "x:c", "no uri", "file:///a/../b", "file:///home/"];
      const { id } = client.startRequest("subscriptions/listen", { notifications: { resourceSubscriptions: wanted } });
      expect(client.received("notifications/subscriptions/acknowledged")).toMatchObject([
        {
          params: { notifications: { resourceSubscriptions: ["x:a", "X:%62", "file:///home/"] }, _meta: { [TAG]: id } },
        },
      ]);
      for (const uri of ["x:a", "x:b", "x:c", "file:///home/ada", "file:///etc/passwd"])
        server.notifyResourceUpdated(uri);
      await settled();
      expect(client.received(UPDATED)).toEqual(
        ["x:a", "x:b", "file:///home/ada"].map((uri) => ({
          jsonrpc: "2.0",
          method: UPDATED,
          params: { uri, _meta: { [TAG]: id } },
        })),
      );
    },
  );

  onRevisions([STATELESS], "notifies each open call, and none that has ended [SUB-03 SUB-05 SUB-06]", async (open) => {
    const server = serve();
    const client = await open(server);
    const start = (...resourceSubscriptions: string[]) =>
      client.startRequest("subscriptions/listen", { notifications: { resourceSubscriptions } }).id;
    const [one, two, three] = [start("x:a", "x:a"), start("x:a", "x:b"), start("x:b")];
    server.notifyResourceUpdated("x:a");
    await settled();
    const tags = () =>
      client.received(UPDATED).map(({ params }) => ((params as JsonObject)["_meta"] as JsonObject)[TAG]);
    expect(tags()).toEqual([one, two]);
    client.notify("notifications/cancelled", { requestId: one });
    server.notifyResourceUpdated("x:a");
    server.notifyResourceUpdated("x:b");
    await settled();
    // Changes of one resource rest for a moment, so that of the two the second may come first.
    await vi.waitFor(() => expect(tags()).toHaveLength(5));
    expect([one, two, three].map((id) => tags().filter((tag) => tag === id).length)).toEqual([1, 3, 1]);
  });

  onRevisions([STATELESS], "notifies once of a change below several subscribed resources", async (open) => {
    const server = serve();
    const client = await open(server);
    const resourceSubscriptions = ["file:///a", "file:///a/", "file:///a/b"];
    client.startRequest("subscriptions/listen", { notifications: { resourceSubscriptions } });
    server.notifyResourceUpdated("file:///a/b");
    await settled();
    expect(urisOf(client.received(UPDATED))).toEqual(["file:///a/b"]);
  });

  onRevisions(
    [STATELESS],
    "rejects anything but an array of URIs, and more than the limit [SUB-01 SEC-07]",
    async (open) => {
      const client = await open(serve({ limits: { resourceSubscriptions: 2 } }));
      for (const resourceSubscriptions of ["x:a", { uri: "x:a" }, [5], null]) {
        await expect(
          client.request("subscriptions/listen", { notifications: { resourceSubscriptions } as JsonObject }),
        ).rejects.toMatchObject({ code: -32602 });
      }
      const resourceSubscriptions = ["x:a", "x:b", "file:///c"];
      await expect(
        client.request("subscriptions/listen", { notifications: { resourceSubscriptions } }),
      ).rejects.toMatchObject({ code: -32600, data: { limit: "resourceSubscriptions" } });
    },
  );
});
