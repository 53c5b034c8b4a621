import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { modern } from "../http/stateless-request.js";
import { postText, Wire } from "../http/wire.js";
import { call, initialize, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, isThere, type Listening, openHttp, openStdio, start, until } from "./fault-server.js";

/** Checks that the server still works, and can be stopped. */
async function expectWell(site: Listening): Promise<void> {
  expect(textOf(await site.call("echo", { text: "well" }))).toBe("well");
  expect(await site.leave()).toEqual(cleanExit);
  expect(site.child.stderr).not.toContain("[ERROR]");
}

function callText(name: string, args: Message = {}, meta: Message = {}): string {
  const { body, headers } = modern("tools/call", { name, arguments: args }, meta);
  return postText(body, headers);
}

describe("a client on stdio that is killed", () => {
  test("in the middle of a message makes the server and its children exit", async () => {
    const client = start("client");
    const said = (pattern: RegExp): number[] => (pattern.exec(client.stderr)?.[1] ?? "").split(" ").map(Number);
    await client.until(() => /family: .*\n/.test(client.stderr), "a running call");
    const pids = [...said(/server: (.*)\n/), ...said(/family: (.*)\n/)];
    expect(pids.map(isThere)).toEqual([true, true, true]);
    client.process.kill("SIGKILL");
    await until(() => !pids.some(isThere));
  });

  test("while another process holds the pipes open makes the server exit too", async () => {
    const client = start("client", ["shared"]);
    client.send(initialize(0), call(1, "leak_interval"));
    expect(textOf(await client.answer(1))).toBe("left");
    const pid = Number(/server: (\d+)\n/.exec(client.stderr)?.[1]);
    // Only a parent that lived for a while counts.
    client.send(call(2, "block"), call(3, "block"));
    await client.answer(3);
    client.process.kill("SIGKILL");
    await until(() => !isThere(pid));
  });
});

describe("a client on stdio that disconnects", () => {
  test.each([
    ["half a message", '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"na'],
    ["half a character", Buffer.from([0x7b, 0x22, 0xc3])],
    ["half a batch", '[{"jsonrpc":"2.0","id":2,"method":"ping"},'],
  ])("with %s gets an error for it and responses to all before", async (_what, half) => {
    const { child, leave } = await openStdio();
    child.send(call(1, "echo", { text: "before" }));
    child.write(half);
    expect(await leave()).toEqual(cleanExit);
    const codes = child.messages.map(({ id, error }) => [id, (error as { code?: number } | undefined)?.code]);
    expect(codes).toEqual([
      [0, undefined],
      [1, undefined],
      [undefined, -32700],
    ]);
  });

  test("after closing only stdin still gets every response before the process exits", async () => {
    const { child, leave } = await openStdio();
    child.send(call(1, "block"), call(2, "echo", { text: "x".repeat(1_000_000) }), call(3, "block_in_turns"));
    expect(await leave()).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
  });
});

describe("a client over HTTP that disconnects", () => {
  const whole = callText("echo", { text: "half" });

  test.each([
    ["half of the first line", 8],
    ["half of the headers", 60],
    ["all headers and no body", whole.indexOf("\r\n\r\n") + 4],
    ["all but the last byte", whole.length - 1],
  ])("after %s leaves nothing behind", async (_what, keep) => {
    const site = await openHttp();
    for (const end of ["end", "destroy", "resetAndDestroy"] as const) {
      const wire = new Wire(site.port);
      await new Promise<void>((resolve) => void wire.socket.write(whole.slice(0, keep), () => resolve()));
      wire.socket[end]();
      await wire.closed;
      expect(wire.text).not.toContain('"result"');
    }
    await expectWell(site);
  });

  test("never, but stalls, is disconnected after its timeout", async () => {
    const site = await openHttp({ HTTP_LIMITS: '{"headersMs":300,"requestMs":600}' });
    const wires = [8, 60, whole.length - 1].map((keep) => new Wire(site.port).write(whole.slice(0, keep)));
    await Promise.all(wires.map(({ closed }) => closed));
    for (const { text } of wires) expect(text).toMatch(/^HTTP\/1\.1 408 /);
    await expectWell(site);
  });

  test("in the middle of an event stream aborts its call", async () => {
    const site = await openHttp();
    for (const end of ["destroy", "resetAndDestroy"] as const) {
      const wire = new Wire(site.port).write(callText("told_when_stopped", { text: end }, { progressToken: 1 }));
      await until(() => wire.text.includes("notifications/progress"));
      wire.socket[end]();
      await site.child.until(() => site.child.stderr.includes(`stopped: ${end}\n`), "the end of the call");
    }
    await expectWell(site);
  });

  test("while its call blocks the event loop is not waited for", async () => {
    const site = await openHttp();
    const wire = new Wire(site.port).write(callText("block"));
    await site.child.until(() => site.child.stderr.includes("blocking\n"), "the call");
    wire.socket.resetAndDestroy();
    await expectWell(site);
  });
});

describe("a WebSocket client that disconnects", () => {
  const handshake = [
    "GET /mcp HTTP/1.1",
    "host: 127.0.0.1",
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol: mcp",
    "\r\n",
  ].join("\r\n");
  const payload = Buffer.from(JSON.stringify(initialize(1)));
  const frame = Buffer.concat([
    Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]),
    payload,
  ]);

  test("leaves nothing behind, in the middle of the handshake, of a frame header or of its payload", async () => {
    const site = await openHttp();
    for (const [upTo, end] of [
      [0, "destroy"],
      [1, "end"],
      [3, "destroy"],
      [20, "resetAndDestroy"],
      [frame.length - 1, "destroy"],
    ] as const) {
      const wire = new Wire(site.port).write(upTo === 0 ? handshake.slice(0, 90) : handshake);
      if (upTo > 0) await until(() => wire.text.startsWith("HTTP/1.1 101 "));
      await new Promise<void>((resolve) => void wire.socket.write(frame.subarray(0, upTo), () => resolve()));
      wire.socket[end]();
      await wire.closed;
      expect(wire.text).not.toContain('"result"');
    }
    const wire = new Wire(site.port).write(handshake);
    await until(() => wire.text.startsWith("HTTP/1.1 101 "));
    wire.write(frame);
    await until(() => wire.text.includes('"serverInfo"'));
    wire.socket.destroy();
    await expectWell(site);
  });
});

describe("a Unix socket client that disconnects", () => {
  test("in the middle of a message has its calls aborted, and others are served", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "toolwright-faults-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const address = path.join(folder, "s");
    const child = start("faulty", ["--socket", address], { LIMITS: '{"drainMs":200}' });
    await child.until(() => /^at .*\n/m.test(child.stderr), "its address");
    const open = async (): Promise<Socket> => {
      const socket = connect(address);
      socket.on("error", () => undefined);
      onTestFinished(() => void socket.destroy());
      await new Promise((resolve) => socket.once("connect", resolve));
      return socket;
    };
    for (const end of ["end", "destroy"] as const) {
      const socket = await open();
      const lines = [initialize(0), call(1, "told_when_stopped", { text: end })].map(
        (one) => `${JSON.stringify(one)}\n`,
      );
      socket.write(`${lines.join("")}{"jsonrpc":"2.0","id":2,"meth`);
      await child.until(() => child.stderr.includes(`running: ${end}\n`), "the call");
      if (end === "end") socket.end();
      else socket.destroy();
      await child.until(() => child.stderr.includes(`stopped: ${end}\n`), "the end of the call");
    }
    const socket = await open();
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    socket.write(`${JSON.stringify(ping(7))}\n`);
    await until(() => received === '{"jsonrpc":"2.0","id":7,"result":{}}\n');
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual(cleanExit);
  });
});
