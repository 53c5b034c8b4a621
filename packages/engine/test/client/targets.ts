import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Server } from "@toolwright/engine";
import { type Client, type ClientOptions, connect, type Target } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket, serveWebSocket } from "@toolwright/engine/sockets";
import { onTestFinished } from "vitest";
import { ALL, HANDSHAKE } from "../support/every-revision.js";

/** A transport, and the revisions that it supports. */
export interface Way {
  readonly name: string;
  readonly revisions: readonly string[];
  readonly open: (server: Server) => Promise<Target> | Target;
}

async function serveSocket(server: Server): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-client-"));
  const socket = process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, "s");
  const serving = await serveUnixSocket(server, socket);
  onTestFinished(async () => {
    await serving.close();
    rmSync(folder, { recursive: true });
  });
  return { socket };
}

async function serveOverWebSocket(server: Server): Promise<Target> {
  const serving = await serveWebSocket(server, { port: 0 });
  onTestFinished(() => serving.close());
  return { url: serving.url };
}

async function serveOverHttp(server: Server, sse = false): Promise<string> {
  const serving = await serveHttp(server, { port: 0, sse });
  onTestFinished(() => serving.close());
  return serving.url;
}

/** Every transport to a server of this engine. */
export const WAYS: readonly Way[] = [
  { name: "memory", revisions: ALL, open: (server) => ({ server }) },
  { name: "HTTP", revisions: ALL, open: async (server) => ({ url: await serveOverHttp(server) }) },
  {
    name: "HTTP+SSE",
    revisions: HANDSHAKE,
    open: async (server) => ({ sse: new URL("/sse", await serveOverHttp(server, true)) }),
  },
  { name: "a socket", revisions: ALL, open: serveSocket },
  { name: "WebSocket", revisions: ALL, open: serveOverWebSocket },
];

/** Every transport with every revision that it supports. */
export const WAYS_AND_REVISIONS: readonly [way: string, revision: string, open: Way["open"]][] = WAYS.flatMap(
  ({ name, revisions, open }) => revisions.map((revision): [string, string, Way["open"]] => [name, revision, open]),
);

/** Connects a client that is closed when the test ends. */
export async function connected(target: Target, options?: ClientOptions): Promise<Client> {
  const client = await connect(target, options);
  onTestFinished(() => client.close());
  return client;
}

/** Waits until a condition is true. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
