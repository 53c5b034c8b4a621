import { once } from "node:events";
import { connect } from "node:tls";
import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { ENGINE, startProgram } from "../lifecycle/program.js";
import { certificate } from "../transports/certificate.js";
import { Events } from "./events.js";
import { callModern, modern } from "./modern.js";
import { type Message, pause, serve, textOf, until } from "./served.js";
import { openWire, postText } from "./wire.js";
import { createHeld } from "./workshop.js";

describe("a server that closes", () => {
  test("finishes the calls that run, of both eras, with a stream and without", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool] });
    const visitor = await site.open();
    const plain = callModern(site, "held");
    const stream = Events.of(await visitor.call("held", { tell: true }));
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

  test("finishes the call that has just come", async () => {
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
    const visitor = await site.open();
    close = () => void site.serving.close();
    const answer = await visitor.request("tools/call", { name: "last" });
    expect(textOf((await answer.json()) as Message)).toBe("done");
  });

  test("refuses what comes meanwhile on an open connection with 503, and is alive but not healthy", async () => {
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

  test("stops what does not end in time: its client hears it, by 503 or on its stream, and so does the log [ERA-11]", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool], limits: { drainMs: 50 } });
    const visitor = await site.open();
    const plain = [callModern(site, "held"), visitor.request("tools/call", { name: "held" })];
    const stream = Events.of(await visitor.call("held", { tell: true }));
    await until(() => held.waiting === 3, "three calls");
    await site.serving.close();
    const error = { data: { limit: "drainMs" } };
    for (const [at, answer] of (await Promise.all(plain)).entries()) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, null]);
      expect(await answer.json()).toMatchObject({ id: [1, 101][at], error });
    }
    expect(await stream.messages()).toMatchObject([{ method: "notifications/progress" }, { id: 102, error }]);
    expect(held.stopped).toHaveLength(3);
    const said = site.entries.map(({ message }) => message).filter((message) => message.startsWith("cut off"));
    expect(said.map((message) => message.slice(0, 25))).toEqual(Array(3).fill('cut off tools/call "held"'));
  });

  test("waits for what is no call yet: a page, and a token or a body that takes its time and gets 503", async () => {
    const pages = {
      isAt: (path: string) => path === "/page",
      serve: async () => {
        await pause(1200);
        return { status: 200, headers: {}, body: "page" };
      },
    };
    const authenticate = async (request: { header(name: string): string | undefined }) => {
      if (request.header("authorization")) await pause(1200);
      return { principal: "ada" };
    };
    const site = await serve({ pages, auth: { authenticate, selfCheck: "off" } }, { limits: { drainMs: 10_000 } });
    const page = fetch(site.at("/page"));
    const checked = callModern(site, "echo", { text: "hi" }, {}, { authorization: "Bearer slow" });
    const call = modern("tools/call", { name: "echo", arguments: { text: "hi" } });
    const text = postText(call.body, call.headers);
    const wire = openWire(site).write(text.slice(0, -5));
    await pause(50);
    const closed = site.serving.close();
    expect(await (await page).text()).toBe("page");
    wire.write(text.slice(-5));
    expect([(await wire.answer()).status, (await checked).status]).toEqual([503, 503]);
    await closed;
  });

  test("lets no stream begin that it would have to wait for", async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const pages = {
      isAt: (path: string) => path === "/page",
      serve: async () => {
        await asked;
        return { open: () => () => undefined };
      },
    };
    const site = await serve({ pages }, { limits: { drainMs: 60_000 } });
    const page = fetch(site.at("/page"));
    await pause(50);
    const closed = site.serving.close();
    await pause(50);
    answer();
    expect((await page).status).toBe(503);
    await closed;
  });

  test("gives up what it has asked, and says why", async () => {
    const site = await serve();
    const visitor = await site.open("2025-11-25", {}, { elicitation: {} });
    const stream = Events.of(await visitor.call("greet"));
    expect(await stream.next()).toMatchObject({ method: "elicitation/create" });
    await site.serving.close();
    expect(textOf((await stream.next()) as Message)).toBe("The question was not answered: the server stops.");
  });

  test("ends every stream, resolves closed, takes no connection any more, and may be closed twice", async () => {
    const site = await serve({ sse: true });
    const visitor = await site.open();
    const streams = [
      await visitor.listen(),
      Events.of(await fetch(site.at("/sse"), { headers: { accept: "text/event-stream" } })),
    ];
    await Promise.all([site.serving.close(), site.serving.close()]);
    await site.serving.closed;
    for (const stream of streams) expect((await stream.rest()).length).toBe(1);
    await expect(fetch(site.at("/health"))).rejects.toThrow();
  }, 10_000);

  test("waits for no connection over TLS that has asked nothing yet", async () => {
    const site = await serve({ tls: certificate }, { limits: { drainMs: 60_000 } });
    const socket = connect({ port: site.port, host: "127.0.0.1", ca: certificate.cert });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    await site.serving.close();
    await once(socket, "close");
  });

  test("finishes the call that runs over TLS", async () => {
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

  test("does not wait longer than it may for half a handshake of TLS", async () => {
    const limits = { headersMs: 60_000, requestMs: 60_000 };
    const site = await serve({ tls: certificate, limits }, { limits: { drainMs: 100 } });
    const wire = openWire(site).write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
    await pause(50);
    await site.serving.close();
    await wire.closed;
  });

  test("does not wait longer than it may for a WebSocket whose token takes its time", async () => {
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

  test("leaves no handle behind: the process can end", async () => {
    const child = startProgram({
      "main.mjs": `
        import { createServer, serveHttp } from ${JSON.stringify(ENGINE)};
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
