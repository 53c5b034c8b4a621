import os from "node:os";
import path from "node:path";
import type { Server } from "@toolwright/engine";
import { valueOf } from "../../config/config.js";
import type { Origins } from "../../config/load.js";
import { createMemoryServer } from "../memory-server.js";
import { loadOrigins } from "../serve-config.js";
import { stateFolder } from "../state-folder.js";

/** The server that `serve` would be with the same options, inside this process. Throws `ConfigError`. */
export async function openOwn(origins: Origins, version: string): Promise<Server> {
  const config = await loadOrigins(origins);
  const { platform, env } = process;
  const folder = path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
  return createMemoryServer(config, folder, version);
}
