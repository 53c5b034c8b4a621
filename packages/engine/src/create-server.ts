import { isTelemetry, telemetry } from "./observability/middleware.js";
import { atCaller } from "./server/definitions/validation.js";
import type { Middleware } from "./server/middleware.js";
import type { ServerOptions } from "./server/options.js";
import { writeStderr } from "./server/runtime.js";
import { McpServer, type Server } from "./server/server.js";

/**
 * Creates a server. Throws `TypeError` that names the invalid option or tool.
 *
 * @example
 * ```ts
 * import { createServer, serveStdio, tool } from "@toolwright/engine";
 *
 * const greet = tool({
 *   name: "greet",
 *   description: "Greets a person.",
 *   input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
 *   run: ({ name }) => `Hello, ${name}.`,
 * });
 *
 * await serveStdio(createServer({ name: "greeter", version: "1.0.0", tools: [greet] }));
 * ```
 */
export function createServer(options: ServerOptions): Server {
  return atCaller(createServer, () => {
    const middleware: readonly Middleware[] = [options?.middleware ?? []].flat();
    const isTraced = options?.telemetry !== false && !middleware.some(isTelemetry);
    const server = new McpServer(options, isTraced ? [telemetry()] : []);
    warnIfNeverServed(server);
    return server;
  });
}

/** The exit code of Node if the top level of the program awaits a promise that never settles. */
const UNSETTLED_AWAIT = 13;

// Module state, because the end of the program concerns all its servers.
let isWatchingExit = false;

/** A program that ends although no server was ever started most likely forgot to serve it. */
function warnIfNeverServed({ name }: Server): void {
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("beforeExit", () => {
    // Only the exit code tells whether the program has reached its end.
    process.once("exit", () => {
      if (McpServer.hasStarted) return;
      const hint = 'call serveStdio(server), or serveHttp(server) from "@toolwright/engine/http"';
      const reason =
        process.exitCode === UNSETTLED_AWAIT
          ? "the program awaits a promise at its top level that never settles"
          : hint;
      writeStderr(`The server "${name}" was created and never served: ${reason}\n`);
    });
  });
}
