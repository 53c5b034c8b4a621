import path from "node:path";
import { suggestion, UsageError } from "@toolwright/kit/cli";
import type { Scope } from "../../clients/client.js";
import { CLIENTS } from "../../clients/client-list.js";
import { splitNames } from "./ask-toolsets.js";

/** The client id for which the entry is printed, not written. */
export const PLAIN_JSON = "json";

/** The parsed options of `uninstall`. */
export interface UninstallInput {
  readonly clients: readonly string[];
  readonly all: boolean;
  readonly scope: Scope;
  readonly name: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** The parsed options of `install`. */
export interface InstallInput extends UninstallInput {
  readonly list: boolean;
  readonly url: string | undefined;
  readonly profile: string | undefined;
  readonly env: readonly string[];
  readonly toolsets: readonly string[];
  readonly trailing?: readonly string[];
}

/** What to install or uninstall, and where. */
export interface InstallOptions {
  /** The clients by their ids; empty = those that are found. */
  readonly clients: readonly string[];
  readonly all: boolean;
  readonly scope: Scope;
  readonly name: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** The toolsets that our own server lists; empty = not given. */
  readonly toolsets: readonly string[];
  /** What follows `--`: options of `serve`, or another program with its arguments. */
  readonly rest: readonly string[];
}

/** Checks the options of `install`. Throws `UsageError`. */
export function readInstallOptions(input: InstallInput, env: NodeJS.ProcessEnv): InstallOptions {
  const { url, profile, trailing = [] } = input;
  const rest = profile === undefined ? trailing : ["--profile", profile, ...trailing];
  if (url !== undefined && !/^https?:\/\/./i.test(url))
    throw new UsageError("--url must begin with http:// or https://");
  if (profile !== undefined && (url !== undefined || /^[^-]/.test(trailing[0] ?? "")))
    throw new UsageError("--profile is for this server, and cannot be used with another one");
  if (url !== undefined && rest.length > 0)
    throw new UsageError("--url cannot be used together with a command after --");
  const isProgram = rest[0] !== undefined && !rest[0].startsWith("-");
  if (isProgram && input.name === OWN_NAME) throw new UsageError("A server of your own needs --name");
  const toolsets = splitNames(input.toolsets);
  if (toolsets.length > 0 && (url !== undefined || isProgram))
    throw new UsageError("--toolsets is for this server, and cannot be used with another one");
  if (url !== undefined && input.env.length > 0)
    throw new UsageError("--env is for programs, and cannot be used with --url");
  return {
    ...readOptions(input, [...CLIENTS.map(({ id }) => id), PLAIN_JSON]),
    url,
    env: readVariables(input.env, env),
    toolsets,
    rest: url !== undefined || isProgram ? rest.map((word, at) => (at === 0 ? toCommand(word) : word)) : rest,
  };
}

/** Checks the options of `uninstall`. Throws `UsageError`. */
export const readUninstallOptions = (input: UninstallInput): InstallOptions => ({
  ...readOptions(
    input,
    CLIENTS.map(({ id }) => id),
  ),
  url: undefined,
  env: {},
  toolsets: [],
  rest: [],
});

const OWN_NAME = "toolwright";

function readOptions(
  { clients, all, scope, name, yes, dryRun, json }: UninstallInput,
  known: readonly string[],
): Omit<InstallOptions, "url" | "env" | "toolsets" | "rest"> {
  if (!/^[\w.-]{1,64}$/.test(name) || name === "__proto__")
    throw new UsageError("--name must have 1 to 64 letters, digits, dots, dashes or underscores");
  if (all && clients.length > 0) throw new UsageError("--all cannot be used together with the names of clients");
  return { clients: [...new Set(clients.map((word) => clientOf(word, known)))], all, scope, name, yes, dryRun, json };
}

/** Other names of clients. */
const ALIASES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "gemini-cli": "gemini",
  code: "vscode",
  "vs-code": "vscode",
  "codex-cli": "codex",
};

function clientOf(word: string, known: readonly string[]): string {
  const id = ALIASES[word] ?? word;
  if (known.includes(id)) return id;
  throw new UsageError(`Unknown client "${word}"${suggestion(word, known) || `; known are ${known.join(", ")}`}`);
}

/** The path of a program is relative to the current folder; a client starts it from another one. */
const toCommand = (word: string): string => (/^\.{1,2}[\\/]/.test(word) ? path.resolve(word) : word);

function readVariables(words: readonly string[], env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = word, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      const known = value ?? env[name];
      if (known === undefined) throw new UsageError(`--env ${name}: the environment variable is not set`);
      return [name, known];
    }),
  );
}
