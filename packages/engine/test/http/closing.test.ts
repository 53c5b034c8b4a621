import { once } from "node:events";
import { connect } from "node:tls";
import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { engineUrl, startProgram } from "../lifecycle/program.js";
import { certificate } from "../transports/certificate.js";
import { Events } from "./events.js";
import { createHeld } from "./example-server.js";
import { type Message, pause, serve, textOf, until } from "./serve.js";
import { callModern, modern } from "./stateless-request.js";
import { openWire, postText } from "./wire.js";

describe("a closing server", () => {
  test("finishes running calls, with and without sessions and streams", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const client = await site.open();
    const plain = callModern(site, "held");
    const stream = Events.of(await client.call("held", { reportProgress: true }));
    await until(() => held.waiting === 2, "two calls");
    const closed = site.serving.close();
    await pause(50);
    held.release();
    expect(textOf((await (await plain).json()) as Message)).toBe("released");
    const messages = await stream.messages();
    expect(textOf(messages.at(-1) as Message)).toBe("released");
    await closed;
    expect(held.stopped).toEqual([]);
  });

  test("finishes a call that has just arrived", async () => {
    let close = (): void => undefined;
    const last = tool({
      name: "last",
      description: "Has the server closed.",
      run: async () => {
        process.nextTick(close);
        await pause(50);
        return "done";
      },
    });
    const site = await serve({}, { tools: [last] });
    const client = await site.open();
    close = () => void site.serving.close();
    const answer = await client.request("tools/call", { name: "last" });
    expect(textOf((await answer.json()) as Message)).toBe("done");
  });

  test("rejects new requests on open connections with 503, and is alive but not healthy", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const wires = [openWire(site), openWire(site), openWire(site)] as const;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
    for (const wire of wires) await wire.write(get("/health")).answer();
    const call = modern("tools/call", { name: "held" });
    const running = callModern(site, "held");
    await until(() => held.waiting === 1, "the call");
    // In the middle of a request, so that none of the three connections is idle.
    wires[0].write(postText(call.body, call.headers).slice(0, 60));
    wires[1].write("GET /health HT");
    wires[2].write("GET /alive HT");
    await pause(50);
    const closed = site.serving.close();
    wires[0].write(postText(call.body, call.headers).slice(60));
    wires[1].write("TP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    wires[2].write("TP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    const [post, health, alive] = await Promise.all(wires.map(async (wire) => (await wire.answers(2))[1]));
    expect([post?.status, post?.headers["retry-after"], post?.headers["connection"]]).toEqual([503, "5", "close"]);
    expect([health?.status, health?.body]).toEqual([503, '{"status":"closing"}']);
    expect(alive?.status).toBe(200);
    held.release();
    expect((await running).status).toBe(200);
    await closed;
  });

  test("aborts calls that exceed the drain timeout, with 503 or an error on the stream, and logs it [ERA-11]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool], limits: { drainMs: 50 } });
    const client = await site.open();
    const plain = [callModern(site, "held"), client.request("tools/call", { name: "held" })];
    const stream = Events.of(await client.call("held", { reportProgress: true }));
    await until(() => held.waiting === 3, "three calls");
    await site.serving.close();
    const error = { data: { limit: "drainMs" } };
    for (const [at, answer] of (await Promise.all(plain)).entries()) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, null]);
      expect(await answer.json()).toMatchObject({ id: [1, 101][at], error });
    }
    expect(await stream.messages()).toMatchObject([{ method: "notifications/progress" }, { id: 102, error }]);
    expect(held.stopped).toHaveLength(3);
    const said = site.entries.map(({ message }) => message).filter((message) => message.startsWith("aborted"));
    expect(said.map((message) => message.slice(0, 25))).toEqual(Array(3).fill('aborted tools/call "held"'));
  });

  test("waits for pages, and for slow tokens and bodies, which get 503", async () => {
    const pages = {
      matches: (path: string) => path === "/page",
      serve: async () => {
        await pause(1200);
        return { status: 200, headers: {}, body: "page" };
      },
    };
    let requests = 0;
    const authenticate = async (request: { header(name: string): string | undefined }) => {
      requests += 1;
      if (request.header("authorization")) await pause(1200);
      return { principal: "ada" };
    };
    const site = await serve({ pages, auth: { authenticate, selfCheck: "off" } }, { limits: { drainMs: 10_000 } });
    const page = fetch(site.at("/page"));
    const checked = callModern(site, "echo", { text: "hi" }, {}, { authorization: "Bearer slow" });
    const call = modern("tools/call", { name: "echo", arguments: { text: "hi" } });
    const text = postText(call.body, call.headers);
    const wire = openWire(site).write(text.slice(0, -5));
    await until(() => requests === 3, "all requests");
    const closed = site.serving.close();
    expect(await (await page).text()).toBe("page");
    wire.write(text.slice(-5));
    expect([(await wire.answer()).status, (await checked).status]).toEqual([503, 503]);
    await closed;
  });

  test("opens no new streams", async () => {
    let release = (): void => undefined;
    let isAsked = false;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const pages = {
      matches: (path: string) => path === "/page",
      serve: async () => {
        isAsked = true;
        await released;
        return { open: () => () => undefined };
      },
    };
    const site = await serve({ pages }, { limits: { drainMs: 60_000 } });
    const page = fetch(site.at("/page"));
    await until(() => isAsked, "the page");
    const closed = site.serving.close();
    await pause(50);
    release();
    expect((await page).status).toBe(503);
    await closed;
  });

  test("cancels pending input requests with a reason", async () => {
    const site = await serve();
    const client = await site.open("2025-11-25", {}, { elicitation: {} });
    const stream = Events.of(await client.call("greet"));
    expect(await stream.next()).toMatchObject({ method: "elicitation/create" });
    await site.serving.close();
    expect(textOf((await stream.next()) as Message)).toBe("The input request failed: the server is shutting down.");
  });

  test("ends all streams, resolves closed, accepts no connections, and can be closed twice", async () => {
    const site = await serve({ sse: true });
    const client = await site.open();
    const streams = [
      await client.listen(),
      Events.of(await fetch(site.at("/sse"), { headers: { accept: "text/event-stream" } })),
    ];
    await Promise.all([site.serving.close(), site.serving.close()]);
    await site.serving.closed;
    for (const stream of streams) expect((await stream.rest()).length).toBe(1);
    await expect(fetch(site.at("/health"))).rejects.toThrow();
  }, 10_000);

  test("does not wait for TLS connections without a request", async () => {
    const site = await serve({ tls: certificate }, { limits: { drainMs: 60_000 } });
    const socket = connect({ port: site.port, host: "127.0.0.1", ca: certificate.cert });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    await site.serving.close();
    await once(socket, "close");
  });

  test("finishes a running call over TLS", async () => {
    const held = createHeld();
    const site = await serve({ tls: certificate }, { tools: [held.tool] });
    const socket = connect({ port: site.port, host: "127.0.0.1", ca: certificate.cert });
    let text = "";
    socket.setEncoding("latin1").on("data", (more: string) => {
      text += more;
    });
    const call = modern("tools/call", { name: "held" });
    socket.write(postText(call.body, call.headers));
    await until(() => held.waiting === 1, "the call");
    const closed = site.serving.close();
    await pause(50);
    held.release();
    await Promise.all([closed, once(socket, "close")]);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK[^]*"released"/);
  });

  test("does not exceed the drain timeout for an incomplete TLS handshake", async () => {
    const limits = { headersMs: 60_000, requestMs: 60_000 };
    const site = await serve({ tls: certificate, limits }, { limits: { drainMs: 100 } });
    const wire = openWire(site).write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
    await pause(50);
    await site.serving.close();
    await wire.closed;
  });

  test("does not exceed the drain timeout for a WebSocket whose token is being verified", async () => {
    let isAsked = false;
    const authenticate = () => {
      isAsked = true;
      return new Promise<undefined>(() => undefined);
    };
    const options = { webSocket: true, auth: { authenticate, selfCheck: "off" } } as const;
    const site = await serve(options, { limits: { drainMs: 100 } });
    const wire = openWire(site).write(
      "GET /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
    );
    await until(() => isAsked, "the token");
    await site.serving.close();
    await wire.closed;
    expect(wire.text).toBe("");
  });

  test("leaves no open handle, so that the process can exit", async () => {
    const child = startProgram({
      "main.mjs": `
        import { createServer } from ${JSON.stringify(engineUrl("index"))};
        import { serveHttp } from ${JSON.stringify(engineUrl("http"))};
        const server = createServer({ name: "test", version: "1.0.0", log: () => undefined });
        const serving = await serveHttp(server, { port: 0, sse: true });
        const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
        const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
        const begun = await fetch(serving.url, { method: "POST", headers, body });
        const id = begun.headers.get("mcp-session-id");
        await begun.text();
        const stream = await fetch(serving.url, { headers: { ...headers, "mcp-session-id": id } });
        await serving.close();
        await stream.text();
        const left = process.getActiveResourcesInfo().filter((name) => /Server|Timeout/.test(name));
        console.log(JSON.stringify({ left }));
      `,
    });
    expect((await child.ended).code).toBe(0);
    expect(child.messages).toEqual([{ left: [] }]);
  });
});
