import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { nearest } from "@toolwright/kit/text";
import { ConfigError } from "./config-error.js";
import type { Given, Reading } from "./given.js";
import { readConfigText } from "./read-file.js";
import type { Table } from "./setting.js";
import { isProfileName, PROFILE_KEY } from "./settings.js";
import { calledIn } from "./source.js";

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
export function readProfile(given: Given, current: string, table: Table): Reading {
  const value = given.value as string;
  const isFile = !isProfileName(value);
  const { text, file } = isFile
    ? readProfileFile(given, path.resolve(current, value))
    : readShippedProfile(given, value);
  const name = isFile ? path.basename(file) : value;
  const reading = readConfigText(text, { from: "profile", name }, path.dirname(file), table);
  const misplaced = reading.given.filter(({ key }) => NOT_IN_PROFILES.has(key));
  return {
    given: reading.given.filter(({ key }) => !NOT_IN_PROFILES.has(key)),
    faults: [...reading.faults, ...misplaced.map(({ key, source }) => `${calledIn(key, source)} cannot be set there`)],
  };
}

function readShippedProfile(given: Given, name: string): { text: string; file: string } {
  const names = profileNames();
  if (!names.includes(name)) {
    const meant = nearest(name, names);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    const known = `the profiles are ${names.join(", ")}; a profile of your own is given by its path, such as ./mine.jsonc`;
    throw new ConfigError([
      `${calledIn(given.key, given.source)}: there is no profile "${name}"${hint || `; ${known}`}`,
    ]);
  }
  const file = fileURLToPath(new URL(name + EXTENSION, folder));
  return { text: readFileSync(file, "utf8"), file };
}

function readProfileFile(given: Given, file: string): { text: string; file: string } {
  try {
    return { text: readFileSync(file, "utf8"), file };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : message;
    throw new ConfigError([`${calledIn(given.key, given.source)}: cannot read ${file}: ${reason}`]);
  }
}
