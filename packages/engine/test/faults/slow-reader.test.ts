import { describe, expect, test } from "vitest";
import { SLACK } from "../../../../tests/load/memory-allowance.js";
import { modern } from "../http/stateless-request.js";
import { postText, Wire } from "../http/wire.js";
import { type Child, call, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, type Faulty, openHttp, openStdio, until } from "./fault-server.js";

const MIB = 1024 * 1024;

async function mostMemory(faulty: Faulty): Promise<number> {
  const { structuredContent } = (await faulty.call("memory"))["result"] as { structuredContent: { most: number } };
  return structuredContent.most;
}

const chatter = (steps: number): Message => ({
  jsonrpc: "2.0",
  id: "chatter",
  method: "tools/call",
  params: { name: "chatter", arguments: { steps }, _meta: { progressToken: 1 } },
});

/** Sends a message, and does not read the responses. */
async function unread(child: Child, message: Message, expected: string): Promise<void> {
  child.process.stdout.pause();
  child.send(message);
  await child.until(() => child.stderr.includes(expected), expected);
}

describe("a client on stdio that never reads", () => {
  test("loses progress notifications, and the server does not run out of memory", async () => {
    const { child, leave } = await openStdio({ LIMITS: '{"notificationBurst":100000,"drainMs":200}' });
    await unread(child, chatter(500), "logged all\n");
    child.process.stdout.resume();
    child.send(ping("p"));
    await child.answer("p");
    const bytes = child.lines.reduce((sum, line) => sum + line.length, 0);
    // 50 MB were reported; a pipe holds 64 KiB.
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(10 * MIB);
    expect(await leave()).toEqual(cleanExit);
  });

  test("does not delay the exit after SIGTERM beyond the limit", async () => {
    const { child } = await openStdio({ LIMITS: '{"drainMs":200}' });
    await unread(child, call(1, "hang"), "hanging\n");
    child.send(call(2, "return_megabyte"), call(3, "return_megabyte"), call(4, "hang"));
    child.process.kill("SIGTERM");
    await until(() => child.process.exitCode !== null);
    expect(child.process.exitCode).toBe(0);
  });

  test("does not keep the process alive when it closes stdin", async () => {
    const { child } = await openStdio({ LIMITS: '{"drainMs":200}' });
    await unread(child, call(1, "return_megabyte"), "");
    child.process.stdin.end();
    await until(() => child.process.exitCode !== null);
    expect(child.process.exitCode).toBe(0);
  });

  test("does not keep the process alive when a tool exits it", async () => {
    const { child } = await openStdio();
    await unread(child, call(1, "return_megabyte"), "");
    child.send(call(2, "exit", { code: 3 }));
    await until(() => child.process.exitCode !== null);
    expect(child.process.exitCode).toBe(3);
  });
});

describe("a client on stdio that sends 100 MB in one line", () => {
  test("is rejected with the size, without buffering it, and the next message is processed", async () => {
    const faulty = await openStdio();
    const { child } = faulty;
    const before = await mostMemory(faulty);
    const { stdin } = child.process;
    stdin.write('{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"echo","arguments":{"text":"');
    const piece = Buffer.alloc(1_000_000, "x");
    for (let at = 0; at < 100; at += 1)
      if (!stdin.write(piece)) await new Promise((resolve) => stdin.once("drain", resolve));
    child.write('"}}}\n');
    const { error } = await child.answer("huge");
    expect(error).toEqual({
      code: -32600,
      message: "Invalid request: the message has 100000100 bytes; the limit is 10485760",
      data: { limit: "messageBytes", bytes: 100_000_100, max: 10_485_760 },
    });
    expect((await mostMemory(faulty)) - before).toBeLessThan(80 * SLACK * MIB);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("and disconnects in the middle leaves nothing behind", async () => {
    const { child, leave } = await openStdio();
    child.write(Buffer.alloc(20_000_000, "x"));
    expect(await leave()).toEqual(cleanExit);
    expect(child.messages.slice(1)).toEqual([
      {
        jsonrpc: "2.0",
        error: {
          code: -32600,
          message: "Invalid request: the message has 20000000 bytes; the limit is 10485760",
          data: { limit: "messageBytes", bytes: 20_000_000, max: 10_485_760 },
        },
      },
    ]);
  });
});

describe("a client over HTTP that never reads", () => {
  test("loses its stream, and its call is aborted, before much is buffered", async () => {
    const site = await openHttp({ LIMITS: '{"notificationBurst":100000}' });
    const before = await mostMemory(site);
    const { body, headers } = modern(
      "tools/call",
      { name: "chatter", arguments: { steps: 2000 } },
      { progressToken: 1 },
    );
    const wire = new Wire(site.port);
    wire.socket.pause();
    wire.write(postText(body, headers));
    await site.child.until(() => site.child.stderr.includes("stopped\n"), "the end of the call");
    // 200 MB were reported.
    expect((await mostMemory(site)) - before).toBeLessThan(120 * MIB);
    expect(textOf(await site.call("echo", { text: "well" }))).toBe("well");
    expect(await site.leave()).toEqual(cleanExit);
  });

  test("its large responses is disconnected when it has read nothing for a while", async () => {
    const site = await openHttp({ HTTP_LIMITS: '{"stalledMs":300}' });
    const before = await mostMemory(site);
    const { body, headers } = modern("tools/call", { name: "return_megabyte" });
    const wire = new Wire(site.port);
    wire.socket.pause();
    wire.write(postText(body, headers).repeat(1000));
    // A client that does not read does not notice the end; one that writes does.
    const probing = setInterval(() => wire.socket.write(" "), 50);
    await wire.closed;
    clearInterval(probing);
    // A thousand were requested.
    expect((await mostMemory(site)) - before).toBeLessThan(500 * SLACK * MIB);
    expect(textOf(await site.call("echo", { text: "well" }))).toBe("well");
    expect(await site.leave()).toEqual(cleanExit);
  });

  test("a body of 100 MB is rejected while it is being sent", async () => {
    const site = await openHttp();
    const wire = new Wire(site.port);
    wire.write(postText("", { "content-length": "100000000", "mcp-protocol-version": "2026-07-28" }));
    expect((await wire.answer()).status).toBe(413);
    const chunked = new Wire(site.port);
    chunked.write(
      "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    const piece = Buffer.concat([Buffer.from("f4240\r\n"), Buffer.alloc(1_000_000, " "), Buffer.from("\r\n")]);
    for (let at = 0; at < 20 && !chunked.socket.destroyed; at += 1) chunked.write(piece);
    expect((await chunked.answer()).status).toBe(413);
    await chunked.closed;
    expect(textOf(await site.call("echo", { text: "well" }))).toBe("well");
    expect(await site.leave()).toEqual(cleanExit);
  });
});
