import { createServer as createPlainServer, type Server } from "../server/server.js";
import type { ServerOptions } from "../server/server-options.js";
import { isTelemetry, telemetry } from "./layers.js";

/** Creates a server. Throws `TypeError` that names what is wrong with the options or with a tool. */
export function createServer(options: ServerOptions): Server {
  const isLeftOut = options.telemetry === false || options.layers?.some(isTelemetry) === true;
  return createPlainServer(options, isLeftOut ? [] : [telemetry()]);
}
