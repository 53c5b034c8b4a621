import { tmpdir } from "node:os";
import path from "node:path";
import { serveHttp } from "../../packages/engine/dist/http.js";
import { serveUnixSocket, serveWebSocket } from "../../packages/engine/dist/sockets.js";
import { endWithClient } from "./end-with-client.mjs";

// The bucket is asked for every request, but what it holds cannot run out.
const rate = { burst: 1e9, perSecond: 1e9 };

const socketPath = () =>
  process.platform === "win32"
    ? `\\\\.\\pipe\\bench-${process.pid}`
    : path.join(tmpdir(), `toolwright-bench-${process.pid}.sock`);

/** Serves on a channel that listens, and says where in the first line of the output. */
export async function listen(
  /** @type {import("../../packages/engine/dist/index.js").Server} */ server,
  /** @type {string} */ transport,
) {
  endWithClient();
  if (transport === "unix") {
    const socket = socketPath();
    await serveUnixSocket(server, socket);
    process.stdout.write(`${socket}\n`);
    return;
  }
  const serve = transport === "http" ? serveHttp : serveWebSocket;
  const { url } = await serve(server, { port: 0, rate });
  process.stdout.write(`${url}\n`);
}
