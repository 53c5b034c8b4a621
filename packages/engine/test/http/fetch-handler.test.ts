import { gzipSync } from "node:zlib";
import { createServer, type LogEntry, pack, type ServerOptions, tool } from "@toolwright/engine";
import { createFetchHandler, type EndpointOptions, type PageResponse } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { Events } from "./events.js";
import { createExampleOptions, createHeld } from "./example-server.js";
import { initialize, type Message, PLAIN, pause, textOf, until } from "./serve.js";
import { modern } from "./stateless-request.js";

const URL_OF_IT = "https://mcp.example/mcp";

function open(options: EndpointOptions = {}, serverOptions: Partial<ServerOptions> = {}) {
  const entries: LogEntry[] = [];
  const log = (entry: LogEntry): void => void entries.push(entry);
  const server = createServer({
    name: "test",
    version: "1.0.0",
    dynamic: true,
    log,
    ...createExampleOptions(),
    ...serverOptions,
  });
  const handle = createFetchHandler(server, options);
  const post = (body: unknown, headers: Record<string, string> = {}, more: RequestInit = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return handle(new Request(URL_OF_IT, { method: "POST", headers: { ...PLAIN, ...headers }, body: text, ...more }));
  };
  const call = (name: string, args: Message = {}, meta: Message = {}, more: RequestInit = {}) => {
    const { body, headers } = modern("tools/call", { name, arguments: args }, meta);
    return post(body, headers, more);
  };
  return { server, handle, post, call, entries };
}

describe("a fetch handler", () => {
  test("responds to a stateless request with JSON or a stream", async () => {
    const { call } = open();
    const answer = await call("echo", { text: "hi" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(textOf((await answer.json()) as Message)).toBe("hi");
    const stream = Events.of(await call("steps", {}, { progressToken: 1 }));
    expect((await stream.messages()).map(({ method, id }) => method ?? id)).toEqual([
      "notifications/progress",
      "notifications/progress",
      1,
    ]);
  });

  test("serves sessions, their streams and their end", async () => {
    const { server, handle, post } = open();
    const begun = await post(initialize("2025-06-18"));
    const headers = { ...PLAIN, "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)).status).toBe(202);
    const stream = Events.of(await handle(new Request(URL_OF_IT, { headers })));
    server.notifyResourceListChanged();
    expect((await stream.nextEvent())?.id).toBe("s-1");
    const deleted = await handle(new Request(URL_OF_IT, { method: "DELETE", headers }));
    expect(deleted.status).toBe(204);
    expect(await stream.rest()).toEqual([]);
  });

  test("treats an aborted request and a cancelled body as a disconnect", async () => {
    const held = createHeld();
    const { call } = open({}, { tools: [held.tool] });
    const abort = new AbortController();
    const waiting = call("held", {}, {}, { signal: abort.signal });
    await until(() => held.waiting === 1, "the call");
    abort.abort();
    expect((await waiting).status).toBe(499);
    await until(() => held.stopped.length === 1, "the end of the call");
    const stream = Events.of(await call("held", { reportProgress: true }, { progressToken: 1 }));
    await stream.next();
    await stream.leave();
    await until(() => held.stopped.length === 2, "the end of the other call");
    const third = new AbortController();
    const open3 = Events.of(
      await call("held", { reportProgress: true }, { progressToken: 1 }, { signal: third.signal }),
    );
    await open3.next();
    third.abort();
    await until(() => held.stopped.length === 3, "the end of the third call");
    await open3.rest().catch(() => undefined);
  });

  test("drops a stream that is not read, with a log entry", async () => {
    const { server, handle, post, entries } = open({ limits: { streamBytes: 500 } });
    const begun = await post(initialize("2025-06-18"));
    const headers = { ...PLAIN, "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers);
    for (let at = 1; at <= 20; at += 1)
      await post({ jsonrpc: "2.0", id: at, method: "resources/subscribe", params: { uri: `note://${at}` } }, headers);
    const answer = await handle(new Request(URL_OF_IT, { headers }));
    for (let at = 1; at <= 20; at += 1) server.notifyResourceUpdated(`note://${at}`);
    await until(() => entries.length > 0, "the line in the log");
    expect(entries.map(({ message }) => message)).toEqual(["an event stream was closed: the client reads too slowly"]);
    await expect(answer.text()).rejects.toThrow("reads too slowly");
  });

  test("sends a large response in any script after the messages before it", async () => {
    const text = "漢".repeat(3_300_000);
    const large = tool({
      name: "large",
      description: "Says much.",
      run: (_input, call) => {
        call.progress(1);
        return text;
      },
    });
    const { call, entries } = open({}, { tools: [large] });
    const messages = await Events.of(await call("large", {}, { progressToken: 1 })).messages();
    expect(textOf(messages.at(-1) as Message) === text).toBe(true);
    expect(entries).toEqual([]);
  });

  test("rejects a body over the limit, by its length or while it is read, and one that is not UTF-8", async () => {
    const { handle, post } = open({}, { limits: { messageBytes: 1000 } });
    expect((await post("x".repeat(1001), { "content-length": "1001" })).status).toBe(413);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(400).fill(0x20));
      },
    });
    const init = { method: "POST", headers: PLAIN, body: endless, duplex: "half" } as RequestInit;
    expect((await handle(new Request(URL_OF_IT, init))).status).toBe(413);
    expect(pulled).toBeLessThan(10);
    const odd = await handle(
      new Request(URL_OF_IT, { method: "POST", headers: PLAIN, body: new Uint8Array([0xff, 0xfe]) }),
    );
    expect(odd.status).toBe(400);
  });

  test("logs that a body was already read, and rejects a compressed one", async () => {
    const { handle, entries } = open();
    const { body, headers } = modern("tools/list");
    const init = { method: "POST", headers: { ...PLAIN, ...headers }, body: JSON.stringify(body) };
    const used = new Request(URL_OF_IT, init);
    await used.text();
    const locked = new Request(URL_OF_IT, init);
    locked.body?.getReader();
    for (const request of [used, locked]) {
      const answer = await handle(request);
      expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: -32603 } }]);
    }
    expect(entries.map(({ error }) => String(error))).toEqual(
      Array(2).fill("TypeError: the request body has already been read"),
    );
    const zipped = { ...init, headers: { ...init.headers, "content-encoding": "gzip" }, body: gzipSync(init.body) };
    const answer = await handle(new Request(URL_OF_IT, zipped));
    expect([answer.status, answer.headers.get("accept-encoding")]).toEqual([415, "identity"]);
  });

  test("responds with an event stream to a client that accepts nothing else", async () => {
    const { post } = open();
    const { body, headers } = modern("tools/list");
    const answer = await post(body, { ...headers, accept: "text/event-stream" });
    expect(await Events.of(answer).messages()).toMatchObject([
      { id: 1, result: { tools: expect.any(Array) as unknown } },
    ]);
    const begun = await post(initialize("2025-06-18"), { accept: "text/event-stream" });
    expect(begun.headers.get("mcp-session-id")).not.toBeNull();
    expect(await Events.of(begun).messages()).toMatchObject([{ id: 0, result: { protocolVersion: "2025-06-18" } }]);
  });

  test("survives an incomplete body", async () => {
    const { handle, call } = open();
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"jsonrpc"'));
        controller.error(new Error("connection reset"));
      },
    });
    const init = { method: "POST", headers: PLAIN, body: broken, duplex: "half" } as RequestInit;
    expect((await handle(new Request(URL_OF_IT, init))).status).toBe(499);
    expect((await call("echo", { text: "well" })).status).toBe(200);
  });

  test("validates Host only if hosts are configured, and Origin always", async () => {
    const evil = { origin: "https://evil.example" };
    const { body, headers } = modern("tools/list");
    expect((await open().post(body, headers)).status).toBe(200);
    expect((await open().post(body, { ...headers, ...evil })).status).toBe(403);
    expect((await open().post(body, { ...headers, origin: "https://mcp.example" })).status).toBe(200);
    expect((await open({ allowedHosts: ["other.example"] }).post(body, headers)).status).toBe(403);
    expect((await open({ publicUrl: URL_OF_IT }).post(body, headers)).status).toBe(200);
  });

  test("distinguishes clients by the address from its host", async () => {
    const { handle } = open({ rate: { burst: 1, perSecond: 0.01 } });
    const { body, headers } = modern("tools/list");
    const from = async (peer: string) => {
      const init = { method: "POST", headers: { ...PLAIN, ...headers }, body: JSON.stringify(body) };
      return (await handle(new Request(URL_OF_IT, init), { remoteAddress: peer })).status;
    };
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([200, 429, 200]);
  });

  test("serves health, preflights, HEAD and unknown paths like serveHttp", async () => {
    const { handle } = open();
    const send = async (path: string, init: RequestInit = {}) => {
      const answer = await handle(new Request(`https://mcp.example${path}`, init));
      return [answer.status, await answer.text()];
    };
    expect(await send("/health")).toEqual([200, '{"status":"ok"}']);
    expect(await send("/health", { method: "HEAD" })).toEqual([200, ""]);
    expect(await send("/mcp", { method: "OPTIONS", headers: { origin: "https://mcp.example" } })).toEqual([204, ""]);
    expect((await send("/nope"))[0]).toBe(404);
  });

  test.each([
    [{ path: "mcp" }, "path must start with /"],
    [{ prot: 3000 }, "prot"],
    [{ auth: { apiKeys: [] } }, "auth needs at least one of issuer, apiKeys and authenticate"],
  ])("rejects the options %j when it is created", (options, message) => {
    expect(() => open(options as EndpointOptions)).toThrow(message);
  });

  test("reports a server that cannot start with each request, and nowhere else", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    onTestFinished(() => void process.off("unhandledRejection", onUnhandled));
    const broken = pack({ name: "broken", open: () => Promise.reject(new Error("no disk")) });
    const { call } = open({}, { packs: [broken()] });
    await pause(50);
    await expect(call("echo")).rejects.toThrow('Cannot open pack "broken": no disk');
    expect(unhandled).toEqual([]);
  });

  test("does not serve a client that has already disconnected", async () => {
    const held = createHeld();
    const { call } = open({}, { tools: [held.tool] });
    expect((await call("held", {}, {}, { signal: AbortSignal.abort() })).status).toBe(499);
    await pause(50);
    expect(held.stopped.length).toBe(held.waiting);
  });

  test.each<[PageResponse, number]>([
    [{ status: 99, headers: {}, body: "x" }, 500],
    [{ status: 200, headers: { "x-own": "a\nb" }, body: "x" }, 500],
    [{ status: 204, headers: {}, body: "x" }, 204],
    [{ status: 304, headers: {}, body: "x" }, 304],
  ])("responds if a page returns %j", async (answer, status) => {
    const { handle } = open({ pages: { matches: () => true, serve: () => answer } });
    expect((await handle(new Request("https://mcp.example/p"))).status).toBe(status);
  });
});
