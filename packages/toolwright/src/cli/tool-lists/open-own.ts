import type { Server } from "@toolwright/engine";
import type { Origins } from "../../config/load.js";
import { createMemoryServer } from "../memory-server.js";
import { loadOrigins } from "../serve-config.js";
import { stateOf } from "../state-folder.js";

/** The server that `serve` would be with the same options, inside this process. Throws `ConfigError`. */
export async function openOwn(origins: Origins, version: string): Promise<Server> {
  const config = await loadOrigins(origins);
  return createMemoryServer(config, stateOf(config), version);
}
