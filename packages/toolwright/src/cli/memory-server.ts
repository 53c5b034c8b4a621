import { createLogger, createServer, type Server } from "@toolwright/engine";
import type { Config } from "../config/config.js";
import { LivePack } from "./live-pack.js";
import { packsOf } from "./pack-environment.js";
import { readServerOptions } from "./server-options.js";
import { chooserFor } from "./tool-lists/choose-tools.js";

/** The server of this build inside this process, with the tools that `serve` would offer; it keeps what it must in `folder`. */
export async function createMemoryServer(config: Config, folder: string, version: string): Promise<Server> {
  const loaders = Object.entries(await packsOf(config));
  const packs = loaders.map(([name, load]) => new LivePack(name, load, config, folder));
  const server: Server = createServer({
    ...readServerOptions(config, version),
    // Only errors: for example, a replay repeats rejected calls on purpose.
    log: createLogger({ level: "error" }),
    packs: [...packs, chooserFor(config, packs, () => server)],
    dynamic: true,
  });
  return server;
}
