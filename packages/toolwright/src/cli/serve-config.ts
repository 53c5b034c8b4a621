import type { Config } from "../config/config.js";
import { FILE_FLAGS, loadConfig, type Origins } from "../config/load.js";
import { SET_FLAG } from "../config/read-flags.js";
import { type Table, variableOf } from "../config/setting.js";
import { createTable } from "../config/settings.js";
import { checkPacks } from "./pack-settings.js";
import { PACK_NAMES } from "./packs.js";
import { type OptionKind, readWords } from "./words.js";

/** Reads the words of a command that takes the options of `serve`; those that belong to no option go to `plain`, where it is given. */
export function readOrigins(words: readonly string[], surroundings: Surroundings, plain?: string[]): Origins {
  const flagFaults: string[] = [];
  const flags = readWords<string>(words, optionsOf(createTable(PACK_NAMES)), plain, (fault) => flagFaults.push(fault));
  return { ...surroundings, flags, flagFaults, packs: PACK_NAMES };
}

/** Where a command runs. */
type Surroundings = Pick<Origins, "env" | "folder">;

/** Reads the configuration of `serve`. Throws `ConfigError` with all that is wrong. */
export async function loadServeConfig(words: readonly string[], surroundings: Surroundings): Promise<Config> {
  const config = await loadConfig(readOrigins(words, surroundings));
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
