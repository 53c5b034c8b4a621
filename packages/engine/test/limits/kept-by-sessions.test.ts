import { createServer, resourceTemplate, tool } from "@toolwright/engine";
import { connectTestClient, type TestClient } from "@toolwright/engine/testing";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { describe, expect, onTestFinished, test, vi } from "vitest";

/** A promise, and what resolves it. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const whoami = tool({
  name: "whoami",
  description: "Returns the caller.",
  run: (_input, { caller }) => caller.info ?? {},
});

interface Response {
  readonly result: { readonly structuredContent?: unknown };
  readonly error?: { readonly message: string };
}

/** Sends `initialize`. */
async function initialize(clientInfo: object, capabilities: object = {}) {
  const responses: string[] = [];
  const server = createServer({ name: "test", version: "1.0.0", tools: [whoami] });
  const connection = await openMemoryConnection(server, (text) => void responses.push(text));
  const send = async (id: number, method: string, params: object): Promise<Response> => {
    connection.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    await vi.waitFor(() => expect(responses).toHaveLength(id));
    return JSON.parse(responses.at(-1) ?? "") as Response;
  };
  const initialized = await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  return {
    initialized,
    send,
    caller: async () => (await send(2, "tools/call", { name: "whoami" })).result.structuredContent,
  };
}

test("a session keeps at most 4 KB of what a client says about itself", async () => {
  const clientInfo = { name: "n".repeat(5000), version: "1", title: "t".repeat(9_000_000), icons: [{ src: "x" }] };
  const { initialized, caller } = await initialize(clientInfo);
  expect(initialized.error).toBeUndefined();
  expect(await caller()).toEqual({ name: "n".repeat(200), version: "1", title: "t".repeat(200) });
});

test("client information of a usual size is kept as it is", async () => {
  const clientInfo = { name: "editor", version: "1.2", icons: [{ src: "https://editor.example/icon.png" }] };
  const { caller } = await initialize(clientInfo);
  expect(await caller()).toEqual(clientInfo);
});

test("capabilities of more than 16 KB are rejected", async () => {
  const { initialized } = await initialize({ name: "n", version: "1" }, { experimental: { x: "x".repeat(17_000) } });
  expect(initialized.error?.message).toBe("Invalid params: capabilities must have at most 16384 characters of JSON");
});

describe("what clients make the server keep", () => {
  const wait = (gate: Promise<void>) =>
    tool({
      name: "wait",
      description: "Waits for the end of the test.",
      input: { type: "object", properties: { text: { type: "string" } } },
      run: async () => {
        await gate;
        return "done";
      },
    });
  const page = resourceTemplate({ uri: "page:{+path}", name: "page", description: "A page.", read: () => "text" });

  /** A server that keeps 1 MB, and what ends its calls. */
  function createSmallServer() {
    const { promise: gate, resolve: open } = withResolvers();
    const server = createServer({
      name: "test",
      version: "1.0.0",
      tools: [wait(gate)],
      resources: [page],
      limits: { keptBytes: 1_000_000 },
      log: () => undefined,
    });
    onTestFinished(open);
    return { server, open };
  }

  test.each(["2026-07-28", "2025-11-25"])(
    "large requests of a client over its budget are refused, and others are served (%s)",
    async (revision) => {
      const { server, open } = createSmallServer();
      const hog = await connectTestClient(server, { principal: "hog", revision });
      const other = await connectTestClient(server, { principal: "other", revision });
      const text = "x".repeat(150_000);
      const calls = [1, 2, 3].map(() => hog.callTool("wait", { text }));
      await expect(hog.callTool("wait", { text })).rejects.toMatchObject({
        code: -32600,
        message: "Invalid request: the server keeps too much for this client; try again when less is open",
        data: { limit: "keptBytes", retryable: true },
      });
      const small = hog.callTool("wait", { text: "small" });
      const others = other.callTool("wait", { text });
      open();
      for (const call of [...calls, small, others]) expect((await call)["isError"]).not.toBe(true);
      // What has ended no longer counts.
      for (let count = 0; count < 10; count += 1) await hog.callTool("wait", { text });
    },
  );

  test("an id of 1 MB counts, and so do many small arrays", async () => {
    const { server } = createSmallServer();
    const responses: string[] = [];
    const connection = await openMemoryConnection(server, (text) => void responses.push(text));
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const request = (id: string | number, more: object) =>
      connection.send(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "wait", arguments: {}, _meta: { ...meta, ...more } },
        }),
      );
    request("x".repeat(1_000_000), {});
    request(2, { x: Array.from({ length: 20_000 }, () => []) });
    await vi.waitFor(() => expect(responses).toHaveLength(2));
    for (const response of responses)
      expect(JSON.parse(response)).toMatchObject({ error: { data: { limit: "keptBytes" } } });
  });

  test("subscriptions of a client over its budget are refused until it ends some", async () => {
    const { server } = createSmallServer();
    const hog = await connectTestClient(server, { principal: "hog", revision: "2025-11-25" });
    const other = await connectTestClient(server, { principal: "other", revision: "2025-11-25" });
    const uri = (number: number) => `page:${"x".repeat(8000)}${number}`;
    const subscribe = async (client: TestClient, number: number) =>
      client.request("resources/subscribe", { uri: uri(number) });
    let count = 0;
    await expect(
      (async () => {
        for (; count < 200; count += 1) await subscribe(hog, count);
      })(),
    ).rejects.toMatchObject({ data: { limit: "keptBytes" } });
    expect(count).toBe(30);
    await subscribe(other, 1);
    for (const number of [0, 1, 2]) await hog.request("resources/unsubscribe", { uri: uri(number) });
    await subscribe(hog, 1000);
    await subscribe(hog, 1001);
    await expect(subscribe(hog, 1002)).rejects.toMatchObject({ data: { limit: "keptBytes" } });
    hog.close();
    const again = await connectTestClient(server, { principal: "hog", revision: "2025-11-25" });
    await subscribe(again, 1);
  });

  test("a subscriptions/listen call over the budget is refused, and its end frees the budget", async () => {
    const { server } = createSmallServer();
    const client = await connectTestClient(server, { principal: "hog", revision: "2026-07-28" });
    const resourceSubscriptions = Array.from({ length: 40 }, (_, number) => `page:${"x".repeat(8000)}${number}`);
    await expect(
      client.request("subscriptions/listen", { notifications: { resourceSubscriptions } }),
    ).rejects.toMatchObject({ data: { limit: "keptBytes" } });
    const few = { notifications: { resourceSubscriptions: resourceSubscriptions.slice(0, 3) } };
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    for (let id = 1000; id < 1050; id += 1) {
      client.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { ...few, _meta: meta } });
      const acknowledged = () => client.received("notifications/subscriptions/acknowledged").length;
      await vi.waitFor(() => expect(acknowledged()).toBe(id - 999));
      client.notify("notifications/cancelled", { requestId: id });
    }
  });

  test("sessions over the budget of their client are refused with the name of the limit", async () => {
    const { server } = createSmallServer();
    const clientInfo = { name: "n", version: "1", title: "t".repeat(3000) };
    let refused: unknown;
    let count = 0;
    while (refused === undefined && count < 200) {
      const responses: string[] = [];
      const connection = await openMemoryConnection(server, (text) => void responses.push(text), "hog");
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      connection.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
      await vi.waitFor(() => expect(responses).toHaveLength(1));
      refused = (JSON.parse(responses[0] as string) as { error?: unknown }).error;
      count += 1;
    }
    expect(refused).toMatchObject({ code: -32600, data: { limit: "keptBytes" } });
    expect(count).toBeGreaterThan(50);
    expect((await connectTestClient(server, { principal: "other", revision: "2025-11-25" })).revision).toBe(
      "2025-11-25",
    );
  });
});
