// Serves tools over stdio, with `--http` at a free port, or with `--socket` at a Unix socket, in the way that `toolwright serve`
// does.
import { createServer, serveHttp, serveStdio, serveUnixSocket } from "@toolwright/engine";

const given = (name) => JSON.parse(process.env[name] ?? "{}");

/** Makes a server of these tools, with the limits that the environment has. */
export const createFaulty = (tools, options = {}) =>
  createServer({ name: "faulty", version: "1.0.0", tools, limits: given("LIMITS"), ...options });

/** Serves until the client is gone, or where others could still come, until the process is told to stop. */
export async function serve(server) {
  const [, , way, path] = process.argv;
  if (way === undefined) return serveStdio(server);
  const limits = given("HTTP_LIMITS");
  const serving =
    way === "--socket"
      ? await serveUnixSocket(server, path)
      : await serveHttp(server, { port: 0, webSocket: true, rate: false, limits });
  const stop = async () => {
    await serving.close();
    await server.close();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop());
  process.stderr.write(`at ${serving.url}\n`);
}
