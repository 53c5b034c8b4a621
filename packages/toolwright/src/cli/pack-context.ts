import type { JsonObject } from "@toolwright/engine";
import { type Command, type CommandContext, createCommandContext } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { type Config, isUnconfigured, NO_CONFIG } from "../config/config.js";

interface ContextOptions {
  readonly isQuiet?: boolean;
  readonly loadCommands?: () => Promise<readonly Command[]>;
}

/** Creates the context of a command; `pack` is the pack that it belongs to. */
export function createPackContext(
  pack: string | undefined,
  version: string,
  { isQuiet = false, loadCommands = async () => [] }: ContextOptions = {},
): CommandContext & { close(): void } {
  return createCommandContext({
    version,
    isQuiet,
    loadCommands,
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the command knows the settings of its pack
    openPack: async <Settings = JsonObject>() => {
      if (pack === undefined) throw new TypeError("This command belongs to no pack");
      const config = await loadOwnConfig(pack);
      const { commandHost, packSettings } = await import("./pack-environment.js");
      return { settings: (await packSettings(pack, config)) as Settings, host: commandHost(config) };
    },
  });
}

/**
 * Reads the configuration that a server started here would have, and validates the settings of one pack. What reads a configuration is
 * loaded only if there is one.
 */
export async function loadOwnConfig(pack?: string): Promise<Config> {
  if (isUnconfigured(process.env)) return NO_CONFIG;
  const [{ loadConfig }, { readOrigins }, { checkPacks }] = await Promise.all([
    import("../config/load.js"),
    import("./serve-config.js"),
    import("./pack-settings.js"),
  ]);
  const config = await loadConfig(readOrigins([], { env: process.env, folder: currentFolder() }));
  const own = [...config.entries].filter(([name]) => name === `packs.${pack}`);
  await checkPacks({ ...config, entries: new Map(own) });
  return config;
}
