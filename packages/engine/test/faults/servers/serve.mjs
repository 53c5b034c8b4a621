// Serves tools over stdio, with `--http` on a free port, or with `--socket` at a Unix socket, in the way that `toolwright serve`
// does.
import { createServer, serveStdio } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket } from "@toolwright/engine/sockets";

const parseEnv = (name) => JSON.parse(process.env[name] ?? "{}");

/** Creates a server with these tools and the limits in the environment. */
export const createFaulty = (tools, options = {}) =>
  createServer({ name: "faulty", version: "1.0.0", tools, limits: parseEnv("LIMITS"), ...options });

/** Serves until the client disconnects (stdio) or the process receives SIGTERM. */
export async function serve(server) {
  const [, , way, path] = process.argv;
  if (way === undefined) return serveStdio(server);
  const limits = parseEnv("HTTP_LIMITS");
  const running =
    way === "--socket"
      ? await serveUnixSocket(server, path)
      : await serveHttp(server, { port: 0, webSocket: true, rate: false, limits });
  const stop = async () => {
    await running.close();
    await server.close();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop());
  process.stderr.write(`at ${running.url}\n`);
}
