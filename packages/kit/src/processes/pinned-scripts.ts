import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "../files/file-access.js";
import { findProgram, isProgram } from "./start-program.js";

const PIN = /#sha256=([0-9a-f]{64})$/i;

/** A word of an entry without its pin, the hash that the content of the file which it names must have. */
export const withoutPin = (word: string): string => word.replace(PIN, "");

const pinOf = (word: string | undefined): string | undefined => word && PIN.exec(word)?.[1]?.toLowerCase();

/** A command line whose files are to be checked. */
export interface CheckedCommand {
  readonly setting: string;
  /** The entries that allow it. */
  readonly entries: readonly (readonly string[])[];
  readonly argv: readonly string[];
  /** The absolute path of the program. */
  readonly program: string;
  /** The real path of the folder in which it runs. */
  readonly cwd: string;
}

/**
 * Throws unless an entry pins every file that the command runs and that tools can change, and unless all files that this entry pins
 * have the pinned content. Otherwise whoever can write a file could run anything.
 */
export async function checkPins(access: FileAccess, command: CheckedCommand): Promise<void> {
  const { entries, argv, cwd, program } = command;
  const files = await findScripts(access, command);
  const scripts = [...files.keys()];
  const hashes = new Map<number, string | undefined>();
  const hashAt = async (at: number): Promise<string | undefined> => {
    const file = files.get(at) ?? (at === 0 ? program : path.resolve(cwd, argv[at] ?? ""));
    if (!hashes.has(at)) hashes.set(at, await hashOf(access, file));
    return hashes.get(at);
  };
  for (const entry of entries) {
    const pinned = argv.flatMap((_, at) => (pinOf(entry[at]) === undefined ? [] : [at]));
    const actual = await Promise.all(pinned.map(hashAt));
    const areSame = pinned.every((at, index) => pinOf(entry[at]) === actual[index]);
    if (areSame && scripts.every((at) => pinned.includes(at))) return;
  }
  const isPinned = (at: number): boolean => entries.some((entry) => pinOf(entry[at]) !== undefined);
  const at = scripts.find((each) => !isPinned(each)) ?? argv.findIndex((_, each) => isPinned(each));
  throw rejectedScript(command, at, await hashAt(at), isPinned(at));
}

function rejectedScript(
  { setting, argv }: CheckedCommand,
  at: number,
  hash: string | undefined,
  isPinned: boolean,
): ToolError {
  const file = argv[at] ?? "";
  const reason = isPinned
    ? "its content is not the one that a person has allowed"
    : "the tools of this server can change this file, so running it could run anything";
  const pinned = argv.map((word, each) => (each === at && hash !== undefined ? `${word}#sha256=${hash}` : word));
  return new ToolError(
    `Cannot run ${JSON.stringify(file.slice(0, 300))}: ${reason}. To allow it as it is now, a person reads it and writes into toolwright.config.json: ${setting}: [${JSON.stringify(pinned)}].${isPinned ? "" : " Or files.readOnly protects the file from tools."}`,
    {
      code: "FORBIDDEN_COMMAND",
      details: { file: file.slice(0, 300), setting, ...(hash !== undefined && { hash: `sha256:${hash}` }) },
    },
  );
}

/** Programs that run another one, which their arguments name. */
const LAUNCHER =
  /^(?:env|nice|nohup|setsid|stdbuf|timeout|gtimeout|time|xargs|ionice|chrt|taskset|setarch|numactl|unbuffer|catchsegv|xvfb-run|busybox|toybox|sudo|doas|strace|ltrace|watch|flock|unshare|nsenter|chronic|parallel|npx|bunx|uv|uvx|poetry|pipenv|bundle|winpty)(?:\.exe)?$/i;

/** Programs that run a file which an argument names, and the options after which they take code instead. */
const INTERPRETERS: readonly { readonly name: RegExp; readonly code?: RegExp; readonly isFirstCode?: true }[] = [
  { name: /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish)$/, code: /^-[a-z]*c[a-z]*$/i },
  { name: /^(?:node|nodejs|deno|bun|tsx|ts-node)$/, code: /^(?:-p?e|-p|--(?:eval|print)(?:=.*)?)$/s },
  { name: /^(?:python|pypy)$/, code: /^-[a-z]*c$/i },
  { name: /^(?:perl|ruby)$/, code: /^-[a-z]*e$/i },
  { name: /^php$/, code: /^-r$/ },
  { name: /^(?:pwsh|powershell)$/, code: /^-c(?:ommand)?$/i },
  { name: /^(?:osascript|rscript|groovy)$/, code: /^-e$/ },
  { name: /^(?:lua|luajit|java|dotnet|tclsh|expect)$/ },
  { name: /^(?:[gmn]?awk|g?sed)$/, isFirstCode: true },
];

const interpreterOf = (program: string) => {
  const name = path
    .basename(program)
    .toLowerCase()
    .replace(/\.exe$/, "")
    .replace(/[\d.-]+$/, "");
  return INTERPRETERS.find((each) => each.name.test(name));
};

/** Options that take a file or another value as the next argument. */
const TAKES_VALUE =
  /^(?:-[rIfCWXoO]|-jar|-cp|--(?:require|import|loader|experimental-loader|env-file|conditions|rcfile|init-file|file))$/;

/** Endings that an interpreter adds to a name, and what it runs in a folder. */
const SUFFIXES = ["", ".js", ".cjs", ".mjs", ".ts", ".py", ".class", "/index.js", "/__main__.py"];

/** The files that are run and that tools can change, by the positions of the arguments that name them. */
async function findScripts(
  access: FileAccess,
  { argv, program, cwd }: CheckedCommand,
): Promise<ReadonlyMap<number, string>> {
  const scripts = new Map<number, string>();
  if (await isChangeable(access, program)) scripts.set(0, program);
  let first = 0;
  while (LAUNCHER.test(path.basename(argv[first] ?? ""))) {
    const next = await findLaunched(access, argv, first, cwd);
    if (next === undefined) return scripts;
    first = next;
    const launched = path.resolve(cwd, argv[first] ?? "");
    if (/[\\/]/.test(argv[first] ?? "") && (await isChangeable(access, launched))) scripts.set(first, launched);
  }
  const interpreter = interpreterOf(argv[first] ?? "");
  if (interpreter === undefined) return scripts;
  let hasCode = interpreter.isFirstCode ?? false;
  let areOptions = true;
  for (let at = first + 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    const isOption = areOptions && word.startsWith("-");
    if (isOption && interpreter.code?.test(word)) {
      hasCode = true;
      if (!word.includes("=")) at += 1;
      continue;
    }
    if (word === "--") areOptions = false;
    const isValue = TAKES_VALUE.test(argv[at - 1] ?? "");
    if (!isOption && !isValue && hasCode) break;
    const found = await findFile(
      cwd,
      isOption ? [word.slice(word.indexOf("=") + 1), word.slice(2)] : spellingsOf(word),
    );
    if (found === undefined) continue;
    if (await isChangeable(access, found)) scripts.set(at, found);
    if (!isOption && !isValue) break;
  }
  return scripts;
}

/** A name as it is; the list of arguments that Java reads; and a module as Python and Java name it. */
const spellingsOf = (word: string): readonly string[] => [word, word.replace(/^@/, ""), word.replaceAll(".", "/")];

/** The position of the program that a launcher runs: its first argument that names one. */
async function findLaunched(
  access: FileAccess,
  argv: readonly string[],
  launcher: number,
  cwd: string,
): Promise<number | undefined> {
  for (let at = launcher + 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word.startsWith("-")) continue;
    const isOne = /[\\/]/.test(word)
      ? await isProgram(path.resolve(cwd, word))
      : interpreterOf(word) !== undefined || (await findProgram(word, access.roots)) !== undefined;
    if (isOne) return at;
  }
  return undefined;
}

async function findFile(cwd: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of new Set(names)) {
    if (name === "") continue;
    for (const suffix of SUFFIXES) {
      const place = path.resolve(cwd, name) + suffix;
      const stats = await stat(place).catch(() => undefined);
      if (stats?.isFile()) return place;
    }
  }
  return undefined;
}

async function isChangeable(access: FileAccess, file: string): Promise<boolean> {
  const real = await realpath(file).catch(() => undefined);
  return real !== undefined && access.isChangeable(real);
}

const MAX_SCRIPT_BYTES = 64 * 1024 * 1024;

/** The hash of a file; undefined if it cannot be read. */
async function hashOf(access: FileAccess, name: string): Promise<string | undefined> {
  try {
    const real = await realpath(name);
    await using file = await access.openFileAt(access.displayPath(real), real);
    if (file.stats.size > MAX_SCRIPT_BYTES) return undefined;
    const bytes = await access.withTimeout(name, () => file.handle.readFile());
    return createHash("sha256").update(bytes).digest("hex");
  } catch {
    return undefined;
  }
}
