import { existsSync, realpathSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@toolwright/kit/cli";
import type { Target } from "../../clients/client.js";
import { type Config, FILE_VARIABLE, valueOf } from "../../config/config.js";
import { fromFolder } from "../../config/kind.js";
import { FILE_FLAGS } from "../../config/load.js";
import { SET_FLAG } from "../../config/read-flags.js";
import { keysByVariable, type Table } from "../../config/setting.js";
import { loadServeConfig } from "../serve-config.js";
import { createServeOptions } from "../serve-options.js";
import { toolsetOptions } from "./ask-toolsets.js";
import type { InstallOptions } from "./options.js";

/** The program that runs: by what, and from which file. */
export interface Running {
  /** The path of Node. */
  readonly node: string;
  /** The path of the command's script. */
  readonly script: string;
}

/** This process, by paths that are still there after the next update where such are known. */
export function findRunning(): Running {
  return { node: lastingNode(process.execPath), script: realpathSync(process.argv[1] ?? "") };
}

/** Homebrew has a path for each release and a link to the newest; fnm has a folder for each shell that is removed with it. */
function lastingNode(node: string): string {
  const brew = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node);
  const linked = brew && `${brew[1]}/opt/${brew[2]}/bin/node`;
  if (linked && existsSync(linked)) return linked;
  return node.includes("fnm_multishells") ? realpathSync(node) : node;
}

/**
 * What a client should connect to: our own server, another program, or a URL. `chooseToolsets` is asked if no option says which tools
 * are listed. Throws for options that no client can use.
 */
export async function targetOf(
  { url, rest, env, scope, toolsets }: InstallOptions,
  { node, script }: Running,
  folder: string,
  chooseToolsets?: (config: Config) => Promise<readonly string[]>,
): Promise<Target> {
  if (url !== undefined) return { url, transport: "http" };
  const [command, ...args] = rest;
  const hasVariables = Object.keys(env).length > 0;
  if (command !== undefined && !command.startsWith("-")) return { command, args, ...(hasVariables && { env }) };
  const { config, words, env: whole } = await readOwnOptions([...toolsetOptions(toolsets), ...rest], env, folder);
  const root = scope === "project" && valueOf(config, "files.roots") === undefined ? ["--root", folder] : [];
  const isChosen =
    toolsets.length > 0 ||
    [...config.entries].some(([key, { source }]) => key.startsWith("tools.") && source.from !== "default");
  const chosen = isChosen ? [] : toolsetOptions((await chooseToolsets?.(config)) ?? []);
  return { command: node, args: [script, "serve", ...root, ...chosen, ...words], ...(hasVariables && { env: whole }) };
}

/** What may take the server away from under the clients later, and what to do about it. */
export function warningsOf({ node, script }: Running): readonly string[] {
  const warnings: string[] = [];
  if (/[\\/](?:_npx|dlx-[^\\/]*|bunx-[^\\/]*|dlx)[\\/]/.test(script))
    warnings.push(
      "This toolwright lies in a cache of npx, which may be emptied at any time. " +
        "Run `npm install --global toolwright`, then `toolwright install` again.",
    );
  if (isBelow(node, os.tmpdir()))
    warnings.push(`Node lies in a folder for temporary files (${node}). Use one that stays, then install again.`);
  const owner = /[\\/]\.?(nvm|fnm|volta|asdf|mise|nodenv|nvs)[\\/]/.exec(node)?.[1];
  if (owner !== undefined)
    warnings.push(`This Node belongs to ${owner}. Install again when you have removed that version of it.`);
  return warnings;
}

function isBelow(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== "" && !way.startsWith("..") && !path.isAbsolute(way);
}

/** Options of `serve` that a client can start it with. */
interface OwnOptions {
  readonly config: Config;
  /** With absolute paths, because clients start servers in any folder. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Reads options as `serve` itself will. Throws `UsageError` or `ConfigError` for those with which no client gets a server. */
async function readOwnOptions(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<OwnOptions> {
  const isFileSaid = words.some((word) => /^--(?:no-)?config(?:=|$)/.test(word)) || env[FILE_VARIABLE] !== undefined;
  // A relative path would not be found from the folder in which a client starts the server.
  const config = await loadServeConfig(isFileSaid ? words : [...words, FILE_FLAGS.none], { env, folder });
  refuseListening(config);
  const roots = valueOf(config, "files.roots");
  for (const root of roots ?? [])
    if (!statSync(path.resolve(folder, root), { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${root} is no folder, and the server would not start with it as its root`);
  const { table } = config;
  return {
    config,
    words: withWholePaths(words, folder, table),
    env: wholeVariables(env, folder, table),
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
