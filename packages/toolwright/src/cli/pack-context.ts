import type { JsonObject } from "@toolwright/engine";
import { type Command, type CommandContext, createCommandContext } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { isObject } from "@toolwright/kit/json";
import { NO_CONFIG } from "../config/config.js";
import { isUnconfigured } from "../config/places.js";
import { stateOf } from "./state-folder.js";

interface ContextOptions {
  readonly isQuiet?: boolean;
  readonly loadCommands?: () => Promise<readonly Command[]>;
}

/** The context of a command; `pack` is the pack that it belongs to. A configuration is read only if there is one. */
export function createPackContext(
  pack: string,
  version: string,
  { isQuiet = false, loadCommands = async () => [] }: ContextOptions = {},
): CommandContext & { close(): void } {
  const loadPackConfig = async () => {
    const config = isUnconfigured(process.env) ? NO_CONFIG : await loadOwnConfig(`packs.${pack}`);
    const settings = config.entries.get(`packs.${pack}`)?.value;
    return { settings: isObject(settings) ? settings : {}, state: stateOf(config) };
  };
  return createCommandContext({
    version,
    isQuiet,
    loadCommands,
    loadConfig: loadPackConfig,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the command knows the settings of its pack
    openPack: async <Settings = JsonObject>() => {
      const config = isUnconfigured(process.env) ? NO_CONFIG : await loadOwnConfig(`packs.${pack}`);
      const { commandHost, packSettings } = await import("./pack-environment.js");
      return { settings: (await packSettings(pack, config)) as Settings, host: commandHost(config) };
    },
  });
}

/** Reads the configuration that a server started here would have, and validates the settings of this pack only. */
async function loadOwnConfig(key: string) {
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
