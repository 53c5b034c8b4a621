import path from "node:path";
import { choiceOf, type Given, type OptionKind, readWords, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import type { Scope } from "../../clients/client.js";
import { CLIENTS } from "../../clients/client-list.js";

const SHARED = {
  "--scope": { value: "user or project" },
  "--name": { value: "a name" },
  "--all": {},
  "--yes": {},
  "--dry-run": {},
  "--json": {},
} as const satisfies Record<string, OptionKind>;

const INSTALLING = {
  ...SHARED,
  "--url": { value: "an address" },
  "--env": { value: "NAME=VALUE, or the NAME of a variable that is set", isList: true },
  "--list": {},
} as const satisfies Record<string, OptionKind>;

/** The id of what is printed, not written. */
export const PLAIN_JSON = "json";

/** What the words after `install` and `uninstall` ask for. */
export interface Wish {
  /** The clients by their ids; empty = those that are found. */
  readonly clients: readonly string[];
  readonly isAll: boolean;
  readonly scope: Scope;
  readonly name: string;
  readonly isAgreed: boolean;
  readonly isRehearsal: boolean;
  readonly json: boolean;
  readonly isList: boolean;
  readonly url: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** What stands behind `--`: options of serve, or another program with its arguments. */
  readonly rest: readonly string[];
}

/** Reads the words after `install`. Throws `UsageError`. */
export function readInstallWords(words: readonly string[], env: NodeJS.ProcessEnv): Wish {
  const end = words.indexOf("--");
  const rest = end === -1 ? [] : words.slice(end + 1);
  const plain: string[] = [];
  const given = readWords(inFull(end === -1 ? words : words.slice(0, end)), INSTALLING, plain);
  const url = given["--url"]?.[0];
  if (url !== undefined && !/^https?:\/\/./i.test(url))
    throw new UsageError("--url needs an address with http or https");
  if (url !== undefined && rest.length > 0) throw new UsageError("--url and what follows -- cannot both be meant");
  const isOther = url !== undefined || (rest[0] !== undefined && !rest[0].startsWith("-"));
  if (rest[0]?.startsWith("-") === false && given["--name"] === undefined)
    throw new UsageError("A program of your own needs --name");
  if (url !== undefined && given["--env"]) throw new UsageError("--env is for programs, and --url names none");
  return {
    ...wishOf(given, plain, [...CLIENTS.map(({ id }) => id), PLAIN_JSON]),
    isList: given["--list"] !== undefined,
    url,
    env: variablesOf(given["--env"] ?? [], env),
    rest: isOther ? rest.map((word, at) => (at === 0 ? toCommand(word) : word)) : rest,
  };
}

/** Reads the words after `uninstall`. Throws `UsageError`. */
export function readUninstallWords(words: readonly string[]): Wish {
  const plain: string[] = [];
  const given = readWords(inFull(words), SHARED, plain);
  const wish = wishOf(
    given,
    plain,
    CLIENTS.map(({ id }) => id),
  );
  return { ...wish, isList: false, url: undefined, env: {}, rest: [] };
}

const inFull = (words: readonly string[]): readonly string[] => words.map((word) => (word === "-y" ? "--yes" : word));

function wishOf(
  given: Given<keyof typeof SHARED>,
  plain: readonly string[],
  known: readonly string[],
): Omit<Wish, "isList" | "url" | "env" | "rest"> {
  const name = given["--name"]?.[0] ?? "toolwright";
  if (!/^[\w.-]{1,64}$/.test(name) || name === "__proto__")
    throw new UsageError("--name needs 1 to 64 letters, digits, dots, dashes or underscores");
  const isAll = given["--all"] !== undefined;
  if (isAll && plain.length > 0) throw new UsageError("--all and the names of clients cannot both be meant");
  return {
    clients: [...new Set(plain.map((word) => clientOf(word, known)))],
    isAll,
    scope: choiceOf(given, "--scope", ["user", "project"]) ?? "user",
    name,
    isAgreed: given["--yes"] !== undefined,
    isRehearsal: given["--dry-run"] !== undefined,
    json: given["--json"] !== undefined,
  };
}

/** What people type who mean one of them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "gemini-cli": "gemini",
  code: "vscode",
  "vs-code": "vscode",
  "codex-cli": "codex",
};

function clientOf(word: string, known: readonly string[]): string {
  const id = SYNONYMS[word] ?? word;
  if (known.includes(id)) return id;
  const meant = nearest(word, known);
  throw new UsageError(
    `"${word}" is no client${meant === undefined ? `; there are ${known.join(", ")}` : `; did you mean ${meant}?`}`,
  );
}

/** A program by its path is meant from here; a client starts it from elsewhere. */
const toCommand = (word: string): string => (/^\.{1,2}[\\/]/.test(word) ? path.resolve(word) : word);

function variablesOf(words: readonly string[], env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name = word, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      const known = value ?? env[name];
      if (known === undefined) throw new UsageError(`--env ${name} names a variable that is not set`);
      return [name, known];
    }),
  );
}
