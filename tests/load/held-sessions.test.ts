import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const SESSIONS = 1000;
const MIB = 1024 * 1024;
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "load", version: "1.0.0" } },
});
const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

interface Measured {
  readonly heap: number;
  readonly sockets: number;
  readonly timers: number;
}

async function ask<Answer>(child: ChildProcess, question: string): Promise<Answer> {
  const answer = once(child, "message");
  child.send(question);
  return ((await answer) as [Answer])[0];
}

/** A client with an open session and stream. */
interface Held {
  readonly id: string;
  readonly socket: Socket;
  heard: string;
}

async function hold(url: URL): Promise<Held> {
  const begun = await fetch(url, { method: "POST", headers, body: initialize });
  await begun.text();
  const id = begun.headers.get("mcp-session-id") as string;
  await (await fetch(url, { method: "POST", headers: { ...headers, "mcp-session-id": id }, body: initialized })).text();
  const socket = connect(Number(url.port), url.hostname);
  const held: Held = { id, socket, heard: "" };
  socket.setEncoding("utf8").on("data", (text: string) => {
    held.heard += text;
  });
  socket.on("error", () => undefined);
  socket.write(`GET /mcp HTTP/1.1\r\nhost: ${url.host}\r\naccept: text/event-stream\r\nmcp-session-id: ${id}\r\n\r\n`);
  while (!held.heard.includes("text/event-stream")) await once(socket, "data");
  return held;
}

async function holdMany(url: URL): Promise<Held[]> {
  const all: Held[] = [];
  while (all.length < SESSIONS) all.push(...(await Promise.all(Array.from({ length: 50 }, () => hold(url)))));
  return all;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Drops every connection without notice, and waits until the sessions have expired. */
async function drop(child: ChildProcess, url: URL, all: readonly Held[]): Promise<Measured> {
  for (const { socket } of all) socket.resetAndDestroy();
  const last = all.at(-1)?.id as string;
  await until(async () => {
    // Reading the count uses the session, so it is read rarely.
    await new Promise((resolve) => setTimeout(resolve, 3500));
    const answer = await fetch(url, { method: "POST", headers: { ...headers, "mcp-session-id": last }, body: "{}" });
    await answer.text();
    return answer.status === 404;
  });
  return ask<Measured>(child, "measure");
}

test(`${SESSIONS} sessions with open streams receive a change notification, and leave nothing behind when all are dropped`, async () => {
  const script = fileURLToPath(new URL("./http-process.mjs", import.meta.url));
  const child = fork(script, { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [address] = (await once(child, "message")) as [string];
  const url = new URL(address);
  // The first round compiles code and fills caches.
  const before = await drop(child, url, await holdMany(url));
  const all = await holdMany(url);
  const held = await ask<Measured>(child, "measure");
  expect(held.sockets).toBeGreaterThanOrEqual(SESSIONS);
  expect((held.heap - before.heap) / SESSIONS).toBeLessThan(20 * 1024);
  await ask(child, "change");
  await until(() => all.every(({ heard }) => heard.includes("notifications/tools/list_changed")));
  const after = await drop(child, url, all);
  expect(after.heap - before.heap).toBeLessThan(MIB);
  // The remaining ones are kept by fetch for its next request.
  expect(after.sockets).toBeLessThan(SESSIONS / 5);
  expect(after.timers).toBeLessThanOrEqual(before.timers);
  child.send("close");
  await once(child, "exit");
  expect(child.exitCode).toBe(0);
}, 120_000);
