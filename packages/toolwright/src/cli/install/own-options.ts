import { statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@toolwright/kit/cli";
import { type Config, valueOf } from "../../config/config.js";
import { fromFolder } from "../../config/from-folder.js";
import { FILE_FLAGS } from "../../config/load.js";
import { FILE_VARIABLE } from "../../config/places.js";
import { SET_FLAG } from "../../config/read-flags.js";
import { keysByVariable, type Table } from "../../config/setting.js";
import { loadServeConfig } from "../serve-config.js";
import { createServeOptions } from "../serve-options.js";

/** Options of `serve` that a client can start it with. */
interface OwnOptions {
  /** With whole paths: nobody knows in which folder a client starts a server. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly hasRoots: boolean;
}

/** Reads options as `serve` itself will. Throws `UsageError` or `ConfigError` for those with which no client gets a server. */
export async function readOwnOptions(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<OwnOptions> {
  const isFileSaid = words.some((word) => /^--(?:no-)?config(?:=|$)/.test(word)) || env[FILE_VARIABLE] !== undefined;
  // A file that lies here is not found from where a client starts the server.
  const config = await loadServeConfig(isFileSaid ? words : [...words, FILE_FLAGS.none], { env, folder });
  refuseListening(config);
  const roots = valueOf(config, "files.roots");
  for (const root of roots ?? [])
    if (!statSync(path.resolve(folder, root), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${root} is no folder, and the server would not start with it as its root`);
  const { table } = config;
  return {
    words: withWholePaths(words, folder, table),
    env: wholeVariables(env, folder, table),
    hasRoots: roots !== undefined,
  };
}

function refuseListening(config: Config): void {
  const { stdio, http, ws, socket } = createServeOptions(config);
  if (!stdio || http !== undefined || ws !== undefined || socket !== undefined)
    throw new UsageError(
      "A client that starts a server speaks to it over stdin and stdout; use --url for one that listens",
    );
}

function withWholePaths(words: readonly string[], folder: string, table: Table): readonly string[] {
  let option = "";
  return words.map((word) => {
    if (!word.startsWith("--")) return wholeValue(option, word, folder, table);
    const at = word.indexOf("=");
    option = at === -1 ? word : word.slice(0, at);
    return at === -1 ? word : `${option}=${wholeValue(option, word.slice(at + 1), folder, table)}`;
  });
}

function wholeVariables(env: Readonly<Record<string, string>>, folder: string, table: Table): Record<string, string> {
  const keys = keysByVariable(table);
  const whole = Object.entries(env).map(([name, value]) => {
    const key = keys.get(name);
    if (name === FILE_VARIABLE) return [name, path.resolve(folder, value)];
    return [name, key === undefined ? value : wholePair(`${key}=${value}`, folder, table).slice(key.length + 1)];
  });
  return Object.fromEntries(whole) as Record<string, string>;
}

function wholeValue(option: string, text: string, folder: string, table: Table): string {
  if (option === FILE_FLAGS.file) return path.resolve(folder, text);
  if (option === SET_FLAG) return wholePair(text, folder, table);
  const kind = [...table.values()].find(({ flag }) => flag === option)?.kind;
  return fromFolder(text, folder, kind ?? {}) as string;
}

function wholePair(text: string, folder: string, table: Table): string {
  const key = text.slice(0, text.indexOf("="));
  const kind = table.get(key)?.kind;
  const value = kind?.parse(text.slice(key.length + 1));
  if (kind === undefined || value === undefined) return text;
  const whole = fromFolder(value, folder, kind);
  if (isDeepStrictEqual(whole, value)) return text;
  return `${key}=${typeof whole === "string" ? whole : JSON.stringify(whole)}`;
}
