import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { McpServer, type Server } from "../../src/server/server.js";

// Other tests of this process may have left servers open.
vi.resetModules();
const { logUncaughtErrors: surviveLeftBehind } = await import("../../src/transports/running-server.js");
const { serveHttp } = await import("../../src/http.js");
const { serveUnixSocket, serveWebSocket } = await import("../../src/sockets.js");

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;
const logged: string[] = [];
const serverOf = (name: string): Server =>
  new McpServer({ name, version: "1", log: ({ error }) => void logged.push(`${name}: ${(error as Error).message}`) });

const listeners = () => EVENTS.map((event) => process.listeners(event as "uncaughtException"));
const before = listeners();
const added = () => listeners().map((each, at) => each.filter((one) => !before[at]?.includes(one)));
afterEach(() => void logged.splice(0));

const socket =
  process.platform === "win32"
    ? String.raw`\\.\pipe\left-behind`
    : path.join(mkdtempSync(path.join(tmpdir(), "left-")), "s");

test.each([
  ["HTTP", (server: Server) => serveHttp(server, { port: 0 })],
  ["WebSocket", (server: Server) => serveWebSocket(server, { port: 0 })],
  ["a socket", (server: Server) => serveUnixSocket(server, socket)],
])("an uncaught error is logged once while servers listen over %s, and not afterwards", async (_way, open) => {
  const one = await open(serverOf("one"));
  const two = await serveHttp(serverOf("two"), { port: 0 });
  expect(added()).toEqual([[expect.any(Function)], [expect.any(Function)]]);
  for (const [receive] of added()) receive?.(new Error("lost"), "uncaughtException");
  expect(logged).toEqual(["one: lost", "one: lost"]);
  await one.close();
  await turn();
  for (const [receive] of added()) receive?.(new Error("lost"), "uncaughtException");
  expect(logged.slice(2)).toEqual(["two: lost", "two: lost"]);
  await two.close();
  await turn();
  expect(added()).toEqual([[], []]);
});

test("no listener is left if the server cannot start", async () => {
  await expect(serveHttp(serverOf("s"), { port: -1 })).rejects.toThrow("port");
  await turn();
  expect(added()).toEqual([[], []]);
});

test("one server may use two transports", () => {
  const server = serverOf("s");
  const [over, alsoOver] = [surviveLeftBehind(server), surviveLeftBehind(server)];
  over();
  expect(added().flat()).toHaveLength(2);
  alsoOver();
  expect(added().flat()).toHaveLength(0);
});
