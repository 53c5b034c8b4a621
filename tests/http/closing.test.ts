import { tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { ENGINE, startProgram } from "../lifecycle/program.js";
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

  test("stops what does not end in time: 503, and its stream ends", async () => {
    const held = createHeld();
    const site = await serve({}, { tools: [held.tool], limits: { drainMs: 50 } });
    const visitor = await site.open();
    const plain = [callModern(site, "held"), visitor.request("tools/call", { name: "held" })];
    const stream = Events.of(await visitor.call("held", { tell: true }));
    await until(() => held.waiting === 3, "three calls");
    await site.serving.close();
    for (const answer of await Promise.all(plain)) expect(answer.status).toBe(503);
    expect((await stream.messages()).map(({ method }) => method)).toEqual(["notifications/progress"]);
    expect(held.stopped).toHaveLength(3);
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
