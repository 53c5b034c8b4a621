import path from "node:path";
import { ConfigError, FILE_VARIABLE } from "./config.js";
import { readEnvironment } from "./read-environment.js";
import { type FlagValues, readFlags, SET_FLAG } from "./read-flags.js";
import { type Table, variableOf } from "./setting.js";
import type { SettingValue } from "./setting-values.js";

/** The setting that names modules with packs of others. */
const KEY = "packModules";

/** A configuration file that is there. */
interface ConfigFile {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Somebody has said that it is to be read; it was not merely found. */
  readonly isNamed: boolean;
}

/**
 * The modules with packs of others, which have to be known before the settings of those packs can be read. A file that merely
 * lies in a folder must not get code to run: then throws `ConfigError`.
 */
export async function findPackModules(
  file: ConfigFile | undefined,
  env: NodeJS.ProcessEnv,
  flags: FlagValues,
  table: Table,
): Promise<readonly string[]> {
  const setting = table.get(KEY);
  if (setting === undefined) return [];
  const isInFile = file?.text.includes(KEY) === true;
  const isInFlags = flags[setting.flag ?? ""] ?? flags[SET_FLAG]?.some((text) => text.startsWith(`${KEY}=`));
  if (!isInFile && !isInFlags && env[variableOf(KEY, setting)] === undefined) return [];
  const readings = [
    ...(isInFile
      ? [
          (await import("./read-file.js")).readConfigText(
            file.text,
            { from: "file", name: file.name },
            path.dirname(file.path),
            table,
          ),
        ]
      : []),
    readEnvironment(env, table),
    readFlags(flags, table),
  ];
  const found = readings.flatMap((reading) => reading.values).findLast(({ key }) => key === KEY);
  if (found === undefined) return [];
  if (found.source.from === "file" && file?.isNamed !== true) throw new ConfigError([refusal(found, file?.name)]);
  return found.value as string[];
}

const refusal = ({ source }: SettingValue, file = ""): string =>
  `${KEY} in ${source.at} would run code, and ${file} was only found in this folder; if you trust it, start with --config ${file}, or set ${FILE_VARIABLE} to it`;
