import { type OptionKind, readWords } from "@toolwright/kit/cli";
import type { Config } from "../config/config.js";
import { FILE_FLAGS, loadConfig, type Origins } from "../config/load.js";
import { SET_FLAG } from "../config/read-flags.js";
import { type Table, variableOf } from "../config/setting.js";
import { createTable } from "../config/settings.js";
import { PACK_NAMES } from "../packs.js";
import { loadOtherPacks } from "./pack-environment.js";
import { checkPacks } from "./pack-settings.js";
import { checkToolNames } from "./tool-lists/check-names.js";

/**
 * Reads the words of a command that takes the options of `serve`, and perhaps more; those that belong to no option go to `plain`,
 * where it is given.
 */
export function readOrigins(
  words: readonly string[],
  surroundings: Surroundings,
  plain?: string[],
  more: Readonly<Record<string, OptionKind>> = {},
): Origins {
  const flagFaults: string[] = [];
  const kinds = { ...optionsOf(createTable(PACK_NAMES)), ...more };
  const flags = readWords<string>(words, kinds, plain, (fault) => flagFaults.push(fault));
  return { ...surroundings, flags, flagFaults, packs: PACK_NAMES, loadPacks: loadOtherPacks };
}

/** Where a command runs. */
type Surroundings = Pick<Origins, "env" | "folder">;

/** Reads the configuration of `serve`. Throws `ConfigError` with all that is wrong. */
export const loadServeConfig = (words: readonly string[], surroundings: Surroundings): Promise<Config> =>
  loadOrigins(readOrigins(words, surroundings));

/** The same, from words that have been read. */
export async function loadOrigins(origins: Origins): Promise<Config> {
  const config = await loadConfig(origins);
  await checkToolNames(config);
  await checkPacks(config);
  // No program that is started later gets what only we should know.
  for (const [key, setting] of config.table) if (setting.isSecret) delete process.env[variableOf(key, setting)];
  return config;
}

/** The options of the command line that the settings have. */
function optionsOf(table: Table): Readonly<Record<string, OptionKind>> {
  const options = [...table.values()].flatMap(({ flag, kind }): [string, OptionKind][] => {
    if (flag === undefined) return [];
    const { name: value, isSwitch, isBare, isList } = kind;
    return [[flag, { ...(!isSwitch && { value }), ...(isBare && { isBare }), ...(isList && { isList }) }]];
  });
  return {
    ...Object.fromEntries(options),
    [FILE_FLAGS.file]: { value: "a file" },
    [FILE_FLAGS.none]: {},
    [SET_FLAG]: { value: "KEY=VALUE", isList: true },
  };
}
