import type { CommandContext } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { isObject } from "@toolwright/kit/json";
import { NO_CONFIG } from "../config/config.js";
import { isUnconfigured } from "../config/places.js";
import { stateOf } from "./state-folder.js";

/** What the commands of a pack get from the program. What reads a configuration is loaded only if there is one. */
export const createPackContext = (pack: string, version: string): CommandContext => ({
  version,
  loadConfig: async () => {
    const config = isUnconfigured(process.env) ? NO_CONFIG : await loadPackConfig(`packs.${pack}`);
    const settings = config.entries.get(`packs.${pack}`)?.value;
    return { settings: isObject(settings) ? settings : {}, state: stateOf(config) };
  },
  openPack: async () => {
    const config = isUnconfigured(process.env) ? NO_CONFIG : await loadPackConfig(`packs.${pack}`);
    const { commandHost, packSettings } = await import("./pack-environment.js");
    return { settings: await packSettings(pack, config), host: commandHost(config) };
  },
});

/** Reads the configuration that a server started here would have, and validates the settings of this pack only. */
async function loadPackConfig(key: string) {
  const [{ loadConfig }, { readOrigins }, { checkPacks }] = await Promise.all([
    import("../config/load.js"),
    import("./serve-config.js"),
    import("./pack-settings.js"),
  ]);
  const config = await loadConfig(readOrigins([], { env: process.env, folder: currentFolder() }));
  const own = [...config.entries].filter(([name]) => name === key);
  await checkPacks({ ...config, entries: new Map(own) });
  return config;
}
