import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "@toolwright/kit/text";
import { ConfigError, calledIn } from "./config.js";
import { readConfigText } from "./read-file.js";
import type { Table } from "./setting.js";
import type { SettingValue, SettingValues } from "./setting-values.js";
import { isProfileName, PROFILE_KEY } from "./settings.js";

/** What only the configuration itself can say. */
const NOT_IN_PROFILES = new Set([PROFILE_KEY, "packModules"]);

const folder = new URL(import.meta.url.endsWith(".ts") ? "../../profiles/" : "../profiles/", import.meta.url);
const EXTENSION = ".jsonc";

/** The names of the profiles of this program. */
export const profileNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();

/**
 * Reads the profile that was given: one of this program by its name, or a file by its path from the current folder. Throws
 * `ConfigError` if there is none.
 */
export function readProfile(profile: SettingValue, current: string, table: Table): SettingValues {
  const value = profile.value as string;
  const isFile = !isProfileName(value);
  const { text, file } = isFile
    ? readProfileFile(profile, path.resolve(current, value))
    : readShippedProfile(profile, value);
  const name = isFile ? path.basename(file) : value;
  const reading = readConfigText(text, { from: "profile", name }, path.dirname(file), table);
  const misplaced = reading.values.filter(({ key }) => NOT_IN_PROFILES.has(key));
  return {
    values: reading.values.filter(({ key }) => !NOT_IN_PROFILES.has(key)),
    faults: [...reading.faults, ...misplaced.map(({ key, source }) => `${calledIn(key, source)} cannot be set there`)],
  };
}

function readShippedProfile(profile: SettingValue, name: string): { text: string; file: string } {
  const names = profileNames();
  if (!names.includes(name)) {
    const meant = nearest(name, names);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    const known = `the profiles are ${names.join(", ")}; a profile of your own is given by its path, such as ./mine.jsonc`;
    throw new ConfigError([
      `${calledIn(profile.key, profile.source)}: there is no profile "${name}"${hint || `; ${known}`}`,
    ]);
  }
  const file = fileURLToPath(new URL(name + EXTENSION, folder));
  return { text: readFileSync(file, "utf8"), file };
}

function readProfileFile(profile: SettingValue, file: string): { text: string; file: string } {
  try {
    return { text: readFileSync(file, "utf8"), file };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : message;
    throw new ConfigError([`${calledIn(profile.key, profile.source)}: cannot read ${file}: ${reason}`]);
  }
}
