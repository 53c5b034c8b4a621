import { defineCommand, type ParsedCommandLine, parseCommandLine } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import type { Config } from "../config/config.js";
import { loadConfig, type Origins } from "../config/load.js";
import { variableOf } from "../config/setting.js";
import { PACK_NAMES } from "../packs.js";
import { loadOtherPacks } from "./pack-environment.js";
import { checkPacks } from "./pack-settings.js";
import { SETTING_OPTIONS, toFlagValues } from "./setting-options.js";
import { checkToolNames } from "./tool-lists/check-names.js";

/** Where a command runs. */
type Surroundings = Pick<Origins, "env" | "folder">;

/** What a configuration is read from, by the parsed options of a command that takes options of `serve`. */
export const originsOf = (
  input: ParsedCommandLine["input"],
  { env = process.env, folder = currentFolder() }: Partial<Surroundings> = {},
): Origins => ({
  env,
  folder,
  flags: toFlagValues(input),
  flagFaults: [],
  packs: PACK_NAMES,
  loadPacks: loadOtherPacks,
});

/** The same by the words after `serve`. */
export function readOrigins(words: readonly string[], surroundings: Partial<Surroundings> = {}): Origins {
  const serve = defineCommand({ name: "serve", summary: "", options: SETTING_OPTIONS });
  const { input, problems, wantsHelp } = parseCommandLine(serve, words);
  return {
    ...originsOf(input, surroundings),
    flagFaults: wantsHelp ? [...problems, "Unknown option --help"] : problems,
  };
}

/** Reads the configuration of `serve`. Throws `ConfigError` with all that is wrong. */
export const loadServeConfig = (words: readonly string[], surroundings: Surroundings): Promise<Config> =>
  loadOrigins(readOrigins(words, surroundings));

/** The same, from options that have been parsed. */
export async function loadOrigins(origins: Origins): Promise<Config> {
  const config = await loadConfig(origins);
  await checkToolNames(config);
  await checkPacks(config);
  // No program that is started later gets what only we should know.
  for (const [key, setting] of config.table) if (setting.isSecret) delete process.env[variableOf(key, setting)];
  return config;
}
