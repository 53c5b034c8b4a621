import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createListener } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Server } from "@toolwright/engine";
import { type Client, type ClientOptions, connect, type Target } from "@toolwright/engine/client";
import { createFetchHandler, serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket, serveWebSocket } from "@toolwright/engine/sockets";
import { serveStreams } from "@toolwright/engine/transport";
import { onTestFinished, test } from "vitest";
import { ALL, HANDSHAKE } from "./every-revision.js";

/** A server as it can be reached over one transport. */
interface Reached {
  readonly target: Target;
  readonly access?: Pick<ClientOptions, "fetch">;
}

interface Transport {
  readonly name: string;
  readonly revisions: readonly string[];
  readonly serve: (server: Server) => Promise<Reached>;
}

/** A place for a socket that is gone when the test is over. */
function socketPath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-transport-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return process.platform === "win32" ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, "s");
}

async function overStreams(server: Server): Promise<Reached> {
  const socket = socketPath();
  const listener = createListener((stream) => void serveStreams(server, { input: stream, output: stream }));
  await new Promise<void>((resolve) => listener.listen(socket, resolve));
  onTestFinished(() => new Promise((resolve) => listener.close(() => resolve(undefined))));
  return { target: { socket } };
}

async function overUnixSocket(server: Server): Promise<Reached> {
  const socket = socketPath();
  const serving = await serveUnixSocket(server, socket);
  onTestFinished(() => serving.close());
  return { target: { socket } };
}

async function overWebSocket(server: Server): Promise<Reached> {
  const serving = await serveWebSocket(server, { port: 0 });
  onTestFinished(() => serving.close());
  return { target: { url: serving.url } };
}

async function overHttp(server: Server): Promise<Reached> {
  const serving = await serveHttp(server, { port: 0, sse: true });
  onTestFinished(() => serving.close());
  return { target: { url: serving.url } };
}

async function overHttpSse(server: Server): Promise<Reached> {
  const { target } = await overHttp(server);
  return { target: { sse: new URL("/sse", (target as { url: string }).url) } };
}

async function overFetch(server: Server): Promise<Reached> {
  const handler = createFetchHandler(server);
  const fetch: ClientOptions["fetch"] = (url, init) => handler(new Request(url, init), { remoteAddress: "192.0.2.1" });
  return { target: { url: "https://mcp.example/mcp" }, access: { fetch } };
}

/** Every transport of the engine, and the revisions that can be spoken over it. */
const TRANSPORTS: readonly Transport[] = [
  { name: "memory", revisions: ALL, serve: async (server) => ({ target: { server } }) },
  { name: "streams", revisions: ALL, serve: overStreams },
  { name: "a Unix socket", revisions: ALL, serve: overUnixSocket },
  { name: "HTTP", revisions: ALL, serve: overHttp },
  { name: "a fetch handler", revisions: ALL, serve: overFetch },
  { name: "HTTP+SSE", revisions: HANDSHAKE, serve: overHttpSse },
  { name: "WebSocket", revisions: ALL, serve: overWebSocket },
];

/** Connects one more client, which is closed when the test is over. */
export type Join = (options?: ClientOptions) => Promise<Client>;

/** Runs one behaviour over every transport, in every revision that can be spoken there, with the address alone. */
export function everyTarget(
  fact: string,
  createServer: () => Server,
  body: (reached: Reached, server: Server, revision: string) => Promise<void>,
): void {
  for (const { name, revisions, serve } of TRANSPORTS) {
    for (const revision of revisions) {
      test(`${fact} (${name}, ${revision})`, async () => {
        const server = createServer();
        await body(await serve(server), server, revision);
      });
    }
  }
}

/** Runs one behaviour over every transport, in every revision that can be spoken there. */
export function everyTransport(
  fact: string,
  createServer: () => Server,
  body: (join: Join, server: Server, revision: string) => Promise<void>,
): void {
  everyTarget(fact, createServer, async ({ target, access }, server, revision) => {
    const join: Join = async (options) => {
      const client = await connect(target, { revision, ...access, ...options });
      onTestFinished(() => client.close());
      return client;
    };
    await body(join, server, revision);
  });
}
