import { type BigIntStats, chmodSync, lstatSync, statSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server as NetServer, type Socket } from "node:net";
import path from "node:path";
import type { Writable } from "node:stream";
import { isMainThread } from "node:worker_threads";
import * as check from "../server/definitions/checks.js";
import { rejectAtCaller, requireServer } from "../server/definitions/validation.js";
import type { Server } from "../server/server.js";
import { LineWriter } from "./line-framing.js";
import { logUncaughtUntilClosed, type RunningServer } from "./running-server.js";
import { StreamConnection } from "./streams.js";

/** Options of `serveUnixSocket`. */
export interface UnixSocketOptions {
  /** The file mode of the socket, which decides who may connect; default: 0o600, this user only. Ignored on Windows. */
  readonly mode?: number;
  /** The limit of concurrent connections; default: 128. Further ones are rejected. */
  readonly connections?: number;
  /** Bytes that may be buffered for a slow client, besides one message; default: 4 MiB. With more it is disconnected. */
  readonly streamBytes?: number;
}

const ACTION = "serve over a Unix socket";
const MAX_MODE = 0o777;
const OPTION_CHECKS: check.Checks<UnixSocketOptions> = {
  mode: check.optional(
    (mode) => Number.isInteger(mode) && (mode as number) >= 0 && (mode as number) <= MAX_MODE,
    "must be from 0 to 0o777",
  ),
  connections: check.optional((count) => typeof count === "number" && count >= 1, "must be at least 1"),
  streamBytes: check.positiveNumber,
};

/**
 * Serves over a Unix domain socket or a Windows named pipe, one message per line. Each client has its own session. Rejects with a
 * `TypeError` for invalid options, and with an `Error` if it cannot listen.
 *
 * @example
 * ```ts
 * import { serveUnixSocket } from "@toolwright/engine/sockets";
 *
 * const running = await serveUnixSocket(server, "/run/user/1000/tools.sock");
 * ```
 */
export function serveUnixSocket(
  server: Server,
  socketPath: string,
  options: UnixSocketOptions = {},
): Promise<RunningServer> {
  return rejectAtCaller(serveUnixSocket, async () => {
    requireServer(ACTION, server);
    check.validate(ACTION, options, OPTION_CHECKS);
    const address = resolveSocketPath(socketPath, process.platform);
    return logUncaughtUntilClosed(server, listenForClients(server, address, options));
  });
}

async function listenForClients(
  server: Server,
  address: string,
  { mode = 0o600, connections = 128, streamBytes = 4 * 1024 * 1024 }: UnixSocketOptions,
): Promise<RunningServer> {
  await server.start();
  const endCallbacks = new Set<() => void>();
  const netServer = createServer({ allowHalfOpen: true }, (socket) => {
    const end = serveClient(server, socket, streamBytes + server.limits.messageBytes);
    endCallbacks.add(end);
    socket.once("close", () => endCallbacks.delete(end));
  });
  netServer.maxConnections = connections;
  netServer.on("drop", () => server.log({ level: "warning", message: "connection rejected: too many connections" }));
  const closed = new Promise<void>((resolve) => void netServer.once("close", () => resolve()));
  await (isNamedPipe(address) ? listen(netServer, address) : listenAtSocketFile(netServer, address, mode));
  netServer.on("error", (error) => server.log({ level: "error", message: "failed to accept a connection", error }));
  return {
    url: isNamedPipe(address) ? address : `unix:${address}`,
    closed,
    close: () => {
      // Removes the socket file, too.
      netServer.close();
      for (const end of endCallbacks) end();
      return closed;
    },
  };
}

/** The absolute path, so that it stays valid when the working directory changes. */
export function resolveSocketPath(socketPath: string, platform: NodeJS.Platform): string {
  if (typeof socketPath !== "string" || socketPath === "" || socketPath.includes("\0"))
    throw new TypeError(`Cannot ${ACTION}: the path must be a non-empty string without NUL`);
  if (platform !== "win32") return path.posix.resolve(socketPath);
  if (isNamedPipe(socketPath)) return socketPath;
  throw listenError(socketPath, String.raw`on Windows the path must be \\.\pipe\ followed by a name`);
}

/** How long the last bytes may take to be sent. */
const FLUSH_TIMEOUT_MS = 1000;

/**
 * Serves the client at the other end of a socket, and disconnects it if more than `maxBufferedBytes` wait for it. Returns a function
 * that stops reading and closes the socket when every request is answered.
 */
function serveClient(server: Server, socket: Socket, maxBufferedBytes: number): () => void {
  const write: Writable["write"] = (text: string, ...rest: never[]): boolean => {
    if (socket.writableLength > maxBufferedBytes && !socket.destroyed) {
      server.log({ level: "warning", message: "connection dropped: the client reads too slowly" });
      socket.destroy();
    }
    return socket.write(text, ...rest);
  };
  const streams = { input: socket, output: socket };
  const connection = new StreamConnection(
    server,
    streams,
    new LineWriter(socket, server.limits.outputBytes, write),
    "unix",
  );
  void connection.run().then(() => {
    socket.destroySoon();
    // A client that does not read its last bytes must not keep the socket open.
    setTimeout(() => socket.destroy(), FLUSH_TIMEOUT_MS).unref();
  });
  return () => connection.drain();
}

/** The longest socket path of the system. */
const MAX_PATH_BYTES = process.platform === "linux" ? 107 : 103;

const listenError = (address: string, reason: string, cause?: unknown): Error =>
  new Error(`Cannot listen at ${address}: ${reason}`, { cause });

/** Whether a path is a Windows named pipe, which is no file. */
const isNamedPipe = (address: string): boolean => /^\\\\[.?]\\pipe\\./i.test(address);

/** Listens at a socket file that has its mode from the first moment on. */
async function listenAtSocketFile(netServer: NetServer, file: string, mode: number): Promise<void> {
  const bytes = Buffer.byteLength(file);
  if (bytes > MAX_PATH_BYTES)
    throw listenError(file, `the path has ${bytes} bytes and the limit is ${MAX_PATH_BYTES}; choose a shorter path`);
  const folder = path.dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw listenError(file, `the folder ${folder} does not exist; create it first`);
  await removeStaleSocket(file);
  const umask = isMainThread ? process.umask(MAX_MODE & ~mode) : undefined;
  const listening = listen(netServer, file);
  if (umask !== undefined) process.umask(umask);
  await listening;
  // A worker has no umask of its own.
  chmodSync(file, mode);
}

function listen(netServer: NetServer, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    netServer.once("error", (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === "EADDRINUSE";
      reject(listenError(address, isInUse ? "another server is listening there" : error.message, error));
    });
    netServer.listen(address, resolve);
  });
}

/** Removes a socket that no server listens at any more. Rejects if the path is anything else. */
async function removeStaleSocket(file: string): Promise<void> {
  const stale = statSocket(file);
  if (stale === undefined) return;
  if (!stale.isSocket()) throw listenError(file, "the path exists and is not a socket; choose another path");
  if (await isListening(file))
    throw listenError(file, "another server is listening there; stop it or choose another path");
  const current = statSocket(file);
  // Another server may have replaced it meanwhile. The inode of a removed file is reused, so the time counts too.
  if (current?.ino === stale.ino && current.mtimeNs === stale.mtimeNs) unlinkSync(file);
}

const statSocket = (file: string): BigIntStats | undefined => lstatSync(file, { bigint: true, throwIfNoEntry: false });

function isListening(file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = connect(file, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", (error: NodeJS.ErrnoException) => {
      const { code } = error;
      if (code === "ECONNREFUSED" || code === "ENOENT") resolve(false);
      // The backlog is full, so a server is listening.
      else if (code === "EAGAIN") resolve(true);
      else reject(listenError(file, `cannot find out whether the existing socket is in use (${code})`, error));
    });
  });
}
