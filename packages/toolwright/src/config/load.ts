import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "@toolwright/kit/json";
import { type Config, ConfigError, createConfig, FILE_VARIABLE, USUAL_FILES } from "./config.js";
import { findNeeds } from "./needs.js";
import { findPackModules } from "./pack-modules.js";
import { readEnvironment } from "./read-environment.js";
import { type FlagValues, readFlags } from "./read-flags.js";
import type { SettingValue, SettingValues } from "./setting-values.js";
import { createTable, PROFILE_KEY } from "./settings.js";

/** The options that say where the configuration file is. */
export const FILE_FLAGS = { file: "--config", none: "--no-config" } as const;

/** All that a configuration is made of. */
export interface Origins {
  /** The folder in which the file is looked for. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: FlagValues;
  /** What was wrong with the command line before anybody asked what it means. */
  readonly flagFaults: readonly string[];
  /** The names of the packs that there are. */
  readonly packs: readonly string[];
  /** Loads packs of others, and gives their names. */
  readonly loadPacks: (modules: readonly string[]) => Promise<readonly string[]>;
}

const NOTHING: SettingValues = { values: [], faults: [] };

/**
 * Reads the profile, the file, the environment and the command line, of rising strength. Throws `ConfigError` with all that is wrong, and an
 * `Error` that names the file that cannot be read.
 */
export async function loadConfig({ folder, env, flags, flagFaults, packs, loadPacks }: Origins): Promise<Config> {
  const file = findFile(folder, env, flags);
  const own = createTable(packs);
  const modules = await findPackModules(file, env, flags, own);
  const table = modules.length === 0 ? own : createTable([...packs, ...(await loadPacks(modules))]);
  const fromFile =
    file === undefined
      ? NOTHING
      : (await import("./read-file.js")).readConfigText(
          file.text,
          { from: "file", name: file.name },
          path.dirname(file.path),
          table,
        );
  const stronger = [fromFile, readEnvironment(env, table), readFlags(flags, table)];
  const profile = stronger.flatMap(({ values }) => values).findLast(({ key }) => key === PROFILE_KEY);
  const fromProfile =
    profile === undefined ? NOTHING : (await import("./profiles.js")).readProfile(profile, folder, table);
  const readings = [fromProfile, ...stronger];
  const config = createConfig(table, file?.path, [
    ...fromProfile.values,
    ...extendObjects(
      fromProfile.values,
      stronger.flatMap(({ values }) => values),
    ),
  ]);
  const faults = [...readings.flatMap(({ faults: some }) => some), ...flagFaults];
  const all = faults.length > 0 ? faults : findNeeds(config);
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

/** Objects of stronger places change single members of those of the profile, such as one setting of a pack. */
function extendObjects(profile: readonly SettingValue[], stronger: readonly SettingValue[]): SettingValue[] {
  const objects = new Map(profile.flatMap(({ key, value }) => (isObject(value) ? [[key, value] as const] : [])));
  return stronger.map((one) => {
    const weaker = objects.get(one.key);
    return weaker !== undefined && isObject(one.value) ? { ...one, value: { ...weaker, ...one.value } } : one;
  });
}

interface FoundFile {
  /** As people call it. */
  readonly name: string;
  /** In full. */
  readonly path: string;
  readonly text: string;
  /** Somebody has said that it is to be read; it was not merely found. */
  readonly isNamed: boolean;
}

function findFile(folder: string, env: NodeJS.ProcessEnv, flags: FlagValues): FoundFile | undefined {
  const byFlag = flags[FILE_FLAGS.file]?.[0];
  if (flags[FILE_FLAGS.none] && byFlag !== undefined)
    throw new ConfigError([`${FILE_FLAGS.file} and ${FILE_FLAGS.none} exclude each other`]);
  if (flags[FILE_FLAGS.none]) return undefined;
  const named = byFlag ?? env[FILE_VARIABLE];
  if (named !== undefined) return readNamed(named, folder, byFlag === undefined ? FILE_VARIABLE : FILE_FLAGS.file);
  const found = USUAL_FILES.flatMap((name) => readUsual(name, folder) ?? []);
  if (found.length > 1) throw new ConfigError([`There are both ${USUAL_FILES.join(" and ")}; keep one of them`]);
  return found[0];
}

function readNamed(name: string, folder: string, option: string): FoundFile {
  const full = path.resolve(folder, name);
  try {
    return { name, path: full, text: readFileSync(full, "utf8"), isNamed: true };
  } catch (error) {
    throw cannotRead(name, option, error);
  }
}

/** Undefined where there is none. */
function readUsual(name: string, folder: string): FoundFile | undefined {
  const full = path.join(folder, name);
  try {
    return { name, path: full, text: readFileSync(full, "utf8"), isNamed: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cannotRead(name, "found in the current folder", error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};

/** Why a file cannot be read, and who named it. */
export function cannotRead(file: string, option: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Error(`Cannot read ${file} (${option}): ${REASONS[code ?? ""] ?? message}`, { cause: error });
}
