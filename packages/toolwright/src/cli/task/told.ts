import type { Config } from "../../config/config.js";
import { loadConfig } from "../../config/load.js";
import { currentFolder } from "../../config/places.js";
import { checkPacks } from "../pack-settings.js";
import { readOrigins } from "../serve-config.js";

/** Reads the configuration that a server started here would have, and checks what it says of one pack. Throws `ConfigError`. */
export async function readTold(pack: "packs.knowledge" | "packs.threats" | "packs.todo"): Promise<Config> {
  const config = await loadConfig(readOrigins([], { env: process.env, folder: currentFolder() }));
  const own = [...config.entries].filter(([key]) => key === pack);
  // What other packs are told is none of our business, and reading them takes time.
  await checkPacks({ ...config, entries: new Map(own) });
  return config;
}
