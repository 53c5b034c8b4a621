import { createServer, type Server as NetServer } from "node:net";
import path from "node:path";
import { refuseUnknown } from "../server/known-members.js";
import type { Server } from "../server/server.js";
import type { Serving } from "./serving.js";
import { cannotListen, isNamedPipe, listen, listenAtFile } from "./socket/place.js";
import { serveClient } from "./socket/serve-client.js";

/** What `serveUnixSocket` takes. */
export interface UnixSocketOptions {
  /** Who may connect, as the mode of the file; 0o600 by default: this user alone. Windows has no modes. */
  readonly mode?: number;
  /** Clients at once, 128 by default; further ones are turned away. */
  readonly connections?: number;
  /** Bytes that may wait for a client that reads slowly, beside one message; 4 MiB by default. One with more is dropped. */
  readonly streamBytes?: number;
}

const DEED = "serve a socket";
const DEFAULTS: Required<UnixSocketOptions> = { mode: 0o600, connections: 128, streamBytes: 4 * 1024 * 1024 };

/** Serves over a Unix domain socket or a Windows named pipe, a message a line, and each client on its own. */
export async function serveUnixSocket(
  server: Server,
  place: string,
  options: UnixSocketOptions = {},
): Promise<Serving> {
  const { mode, connections, streamBytes } = readOptions(options);
  const at = readPlace(place, process.platform);
  await server.start();
  const endings = new Set<() => void>();
  const node = createServer({ allowHalfOpen: true }, (socket) => {
    const end = serveClient(server, socket, streamBytes + server.limits.messageBytes);
    endings.add(end);
    socket.once("close", () => endings.delete(end));
  });
  node.maxConnections = connections;
  node.on("drop", () => server.log({ level: "warning", message: "a connection was closed: there are too many" }));
  const closed = new Promise<void>((resolve) => void node.once("close", () => resolve()));
  const remove = await begin(node, at, mode);
  node.on("error", (error) => server.log({ level: "error", message: "a connection could not be taken", error }));
  let isClosing = false;
  return {
    url: isNamedPipe(at) ? at : `unix:${at}`,
    closed,
    close: () => {
      if (!isClosing) {
        isClosing = true;
        // While it is still ours for certain.
        remove();
        node.close();
        for (const end of endings) end();
      }
      return closed;
    },
  };
}

/** Listens, and gives what removes the traces of it. */
async function begin(node: NetServer, at: string, mode: number): Promise<() => void> {
  try {
    if (!isNamedPipe(at)) return await listenAtFile(node, at, mode);
    await listen(node, at);
    return () => undefined;
  } catch (error) {
    node.close();
    throw error;
  }
}

function readOptions(options: UnixSocketOptions): Required<UnixSocketOptions> {
  refuseUnknown(DEED, options, { mode: true, connections: true, streamBytes: true });
  const settings = { ...DEFAULTS, ...options };
  const { mode, connections, streamBytes } = settings;
  const fault = (reason: string): TypeError => new TypeError(`Cannot ${DEED}: ${reason}`);
  if (!(Number.isInteger(mode) && mode >= 0 && mode <= 0o777)) throw fault("mode must be from 0 to 0o777");
  if (!(connections >= 1)) throw fault("connections must be at least 1");
  if (!(streamBytes > 0)) throw fault("streamBytes must be a positive number");
  return settings;
}

/** The path in full, so that it stays the same whatever folder the process goes to. */
export function readPlace(place: string, platform: NodeJS.Platform): string {
  if (typeof place !== "string" || place === "" || place.includes("\0"))
    throw new TypeError(`Cannot ${DEED}: the path must be a name, and one without NUL`);
  if (platform !== "win32") return path.posix.resolve(place);
  if (isNamedPipe(place)) return place;
  throw cannotListen(place, String.raw`on Windows the path must begin with \\.\pipe\ and a name`);
}
