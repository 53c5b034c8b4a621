import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createServer, type Server } from "../server/server.js";

// Other tests of this process may have left servers open.
vi.resetModules();
const { surviveLeftBehind } = await import("./left-behind.js");
const { serveHttp, serveUnixSocket, serveWebSocket } = await import("./serve.js");

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;
const logged: string[] = [];
const serverOf = (name: string): Server =>
  createServer({ name, version: "1", log: ({ error }) => void logged.push(`${name}: ${(error as Error).message}`) });

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
])("what is left behind is logged once while servers listen over %s, and no longer", async (_way, open) => {
  const one = await open(serverOf("one"));
  const two = await serveHttp(serverOf("two"), { port: 0 });
  expect(added()).toEqual([[expect.any(Function)], [expect.any(Function)]]);
  for (const [hear] of added()) hear?.(new Error("lost"), "uncaughtException");
  expect(logged).toEqual(["one: lost", "one: lost"]);
  await one.close();
  await turn();
  for (const [hear] of added()) hear?.(new Error("lost"), "uncaughtException");
  expect(logged.slice(2)).toEqual(["two: lost", "two: lost"]);
  await two.close();
  await turn();
  expect(added()).toEqual([[], []]);
});

test("nothing is heard where the server cannot be opened", async () => {
  await expect(serveHttp(serverOf("s"), { port: -1 })).rejects.toThrow("port");
  await turn();
  expect(added()).toEqual([[], []]);
});

test("one server may serve in two ways", () => {
  const server = serverOf("s");
  const [over, alsoOver] = [surviveLeftBehind(server), surviveLeftBehind(server)];
  over();
  expect(added().flat()).toHaveLength(2);
  alsoOver();
  expect(added().flat()).toHaveLength(0);
});
