import { connect } from "node:net";
import { tool } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Headers } from "../http/serve.js";
import { modern } from "../http/stateless-request.js";
import { postText } from "../http/wire.js";
import { createLogged, until } from "./wire.js";

const slow = (onRun: () => void, onStop: () => void) =>
  tool({
    name: "slow",
    description: "Takes its time.",
    input: { type: "object", properties: { ms: { type: "number" } }, required: ["ms"] },
    run: ({ ms }, { signal }) =>
      new Promise<string>((resolve, reject) => {
        onRun();
        setTimeout(() => resolve("done"), ms);
        signal.addEventListener("abort", () => {
          onStop();
          reject(signal.reason as Error);
        });
      }),
  });

const H2C = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQ" };
const KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const get = (path = "/mcp") =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${KEY}\r\n`;

/** A call that takes some milliseconds, and stops when its client disconnects. */
function post(id: number, more: Headers = {}, ms = 30): string {
  const { body, headers } = modern("tools/call", { name: "slow", arguments: { ms } });
  return postText({ ...body, id }, { ...headers, ...more });
}

/** A server with HTTP and WebSocket, and a client that has written all of this at once. */
async function write(text: string, options: HttpOptions = {}) {
  let calls = 0;
  let stopped = 0;
  const counted = slow(
    () => void (calls += 1),
    () => void (stopped += 1),
  );
  const { server, log } = createLogged({ tools: [counted], limits: { drainMs: 100 } });
  const running = await serveHttp(server, { port: 0, webSocket: true, ...options });
  const socket = connect(Number(new URL(running.url).port), "127.0.0.1");
  onTestFinished(async () => {
    socket.destroy();
    await running.close();
  });
  let received = "";
  let isOver = false;
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOver = true;
  });
  socket.write(text);
  /** The statuses and ids of the responses. */
  const answers = () =>
    [...received.matchAll(/HTTP\/1\.1 (\d+)|"id":(\d+)/g)].map(([, status, id]) => Number(status ?? id));
  return { running, socket, log, answers, isOver: () => isOver, calls: () => calls, stopped: () => stopped };
}

describe("a pipelined upgrade request", () => {
  test("is served as a normal request after the earlier ones, and so is what follows", async () => {
    const { answers, socket } = await write(post(1) + post(2) + post(3, H2C) + post(4));
    await until(() => answers().length === 8);
    socket.write(post(5, H2C) + post(6));
    await until(() => answers().length === 12);
    expect(answers()).toEqual([200, 1, 200, 2, 200, 3, 200, 4, 200, 5, 200, 6]);
  });

  test("opens a WebSocket or is rejected after the earlier responses", async () => {
    const opened = await write(post(1) + post(2) + get());
    await until(() => opened.answers().length === 5);
    expect(opened.answers()).toEqual([200, 1, 200, 2, 101]);
    const refused = await write(post(1) + get("/other"));
    await until(refused.isOver);
    expect(refused.answers()).toEqual([200, 1, 404]);
  });

  test("may be repeated on one connection without a warning", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { answers } = await write((post(1) + post(2, H2C)).repeat(20));
    await until(() => answers().length === 80);
    expect(warnings).toEqual([]);
  });

  test("may wait longer than the idle timeout", async () => {
    const { answers } = await write(post(1) + post(2, H2C, 1500), { limits: { idleConnectionMs: 1 } });
    await until(() => answers().length === 4);
    expect(answers()).toEqual([200, 1, 200, 2]);
  });

  test("is not served if the response before it closes the connection", async () => {
    for (const last of [post(2, H2C), get()]) {
      const { isOver, answers, calls, running } = await write(post(1, {}, 60_000) + last);
      await until(() => calls() === 1);
      await running.close();
      await until(isOver);
      expect([answers(), calls()]).toEqual([[503, 1], 1]);
    }
  });

  test.each(["destroy", "resetAndDestroy", "end"] as const)(
    "is dropped with its client, and running calls are aborted (%s)",
    async (leave) => {
      for (const last of [post(2, H2C), get()]) {
        const { socket, calls, stopped, log } = await write(post(1, {}, 60_000) + last);
        await until(() => calls() === 1);
        socket[leave]();
        await until(() => stopped() === 1);
        expect([calls(), log]).toEqual([1, []]);
      }
    },
  );
});
