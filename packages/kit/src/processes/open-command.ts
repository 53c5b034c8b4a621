import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { notFound } from "../files/errors.js";
import type { FileAccess } from "../files/file-access.js";
import type { OpenFolder } from "../files/file-handles.js";
import { checkPins, withoutPin } from "./pinned-scripts.js";
import { cleanEnvironment, findProgram, isProgram } from "./start-program.js";

/** A command of a caller: one of `argv` and `command`. */
export interface CommandRequest {
  readonly argv?: readonly string[] | undefined;
  readonly command?: string | undefined;
  readonly cwd: string;
}

/** A command that may be run, with its folder held open. */
export interface OpenCommand extends AsyncDisposable {
  readonly command: string;
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What a caller who thinks of a shell should know. */
  readonly note: string | undefined;
}

/** The longest command, in characters. */
const MOST_CHARACTERS = 32_768;

/** Reads a command, and finds its program and folder. Throws a `ToolError` unless an entry of the setting allows it. */
export async function openCommand(
  setting: string,
  entries: readonly (readonly string[])[],
  access: FileAccess,
  request: CommandRequest,
): Promise<OpenCommand> {
  const { argv, shellWords } = readCommand(request);
  const allowing = entries.filter((entry) => isAllowed(entry, argv));
  if (allowing.length === 0) throw unlisted(setting, entries, argv, shellWords);
  const folder = await access.openFolder(request.cwd);
  try {
    const program = await findAllowed(argv[0] ?? "", folder, access);
    await checkPins(access, { setting, entries: allowing, argv, program, cwd: folder.realPath });
    return {
      command: showCommand(argv),
      program,
      args: argv.slice(1),
      cwd: folder.path,
      env: cleanEnvironment(process.env),
      note:
        shellWords.length === 0
          ? undefined
          : `There is no shell: ${shellWords.slice(0, 5).join(" ")} was given to the program as plain text.`,
      [Symbol.asyncDispose]: () => folder.close(),
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function readCommand({ argv, command }: CommandRequest): ReturnType<typeof splitCommand> {
  if ((argv === undefined) === (command === undefined))
    throw invalidCommand("Give either argv or command, and not both.");
  const line = command === undefined ? { argv: argv ?? [], shellWords: [] } : splitCommand(command);
  if (line.argv[0] === undefined || line.argv[0] === "")
    throw invalidCommand("The command is empty: it needs a program.");
  if (line.argv.some((word) => word.includes("\0"))) throw invalidCommand("A command has no NUL characters in it.");
  if (line.argv.join(" ").length > MOST_CHARACTERS)
    throw invalidCommand(`The command is longer than ${MOST_CHARACTERS} characters. Put what is long into a file.`);
  return line;
}

const invalidCommand = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENT" });

/** A bare name is found on the PATH; a path, which an entry has named, from the folder of the command on. */
async function findAllowed(name: string, folder: OpenFolder, access: FileAccess): Promise<string> {
  if (!/[\\/]/.test(name)) {
    const found = await findProgram(name, access.roots);
    if (found !== undefined) return found;
    throw new ToolError(
      `Cannot run ${name}: it is not installed, or not on the PATH of this server outside of the allowed folders.`,
      {
        code: "UNAVAILABLE",
        details: { program: name },
      },
    );
  }
  const place = path.isAbsolute(name) ? name : (await access.stat(path.resolve(folder.realPath, name)))?.realPath;
  if (place !== undefined && (await isProgram(place))) return place;
  throw notFound(name);
}

/** One allowed command: a pattern for each argument, each maybe with the hash of a file, and maybe a last `**`. */
type Entry = readonly string[];

/** Whether a command is one that an entry allows. A program that is given as a path needs an entry that names this very path. */
export function isAllowed(entry: Entry, argv: readonly string[]): boolean {
  const fixed = fixedWords(entry);
  const isLongEnough = fixed.length < entry.length ? argv.length >= fixed.length : argv.length === fixed.length;
  return isLongEnough && countFitting(fixed, argv) === fixed.length;
}

const fixedWords = (entry: Entry): Entry =>
  (entry.length > 1 && entry.at(-1) === "**" ? entry.slice(0, -1) : entry).map(withoutPin);

/** How many of the first arguments fit. */
function countFitting(fixed: Entry, argv: readonly string[]): number {
  const mismatch = fixed.findIndex((pattern, at) => !fits(pattern, argv[at], at === 0));
  return mismatch < 0 ? fixed.length : mismatch;
}

function fits(pattern: string, word: string | undefined, isFirst: boolean): boolean {
  if (word === undefined) return false;
  // A bare name is looked up on the PATH; a path could lead to anything, so no star matches a part of one.
  if (isFirst && /[\\/]/.test(pattern + word)) return pattern === word;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === word;
  if (isOption(word) && !isOption(first)) return false;
  if (ASSIGNMENT.test(word) && !pattern.includes("=")) return false;
  let at = first.length;
  for (const part of rest) {
    const found = word.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return word.startsWith(first) && word.endsWith(last) && word.length - last.length >= at;
}

/** An option can make a program write files or run others, so a star must not stand for one by accident. */
const isOption = (word: string): boolean =>
  word.startsWith("-") || (process.platform === "win32" && word.startsWith("/"));

/** What make and env take for a variable; make runs commands in its name and its value. */
const ASSIGNMENT = /^[^\s=]*\s*=|\$[({].*=/s;

/** No entry of a setting allows a command: the error names the most similar entry and what to add. */
function unlisted(
  setting: string,
  entries: readonly Entry[],
  argv: readonly string[],
  shellWords: readonly string[],
): ToolError {
  const nearest = entries
    .map((entry) => ({ entry, fitting: countFitting(fixedWords(entry), argv) }))
    .filter(({ fitting }) => fitting > 0)
    .sort((a, b) => b.fitting - a.fitting)[0]?.entry;
  const addition = `${setting}: [${JSON.stringify(argv)}]`;
  const shell =
    shellWords.length === 0
      ? ""
      : ` There is no shell: ${shellWords.slice(0, 5).join(" ")} would be plain text. Run one program at a time.`;
  return new ToolError(
    `Cannot run ${showCommand(argv).slice(0, 300)}: no entry of ${setting} allows it.` +
      (nearest === undefined ? "" : ` The nearest one is ${JSON.stringify(nearest)}.`) +
      shell +
      ` To allow it, a person adds to toolwright.config.json: ${addition.slice(0, 600)}`,
    {
      code: "FORBIDDEN_COMMAND",
      details: {
        argv: argv.slice(0, 50).map((word) => word.slice(0, 200)),
        setting,
        allowed: entries.slice(0, 20).map((entry) => [...entry]),
        ...(nearest !== undefined && { nearest: [...nearest] }),
      },
    },
  );
}

/** A command line that was taken apart. */
export interface CommandLine {
  readonly argv: readonly string[];
  /** Words outside of quotes that a shell would have acted on, such as `|` or `$(date)`; here they are plain text. */
  readonly shellWords: readonly string[];
}

const SHELL_WORD = /^(?:\d*(?:>>?|<<?<?)(?:&\d)?.*|&>.*|&&?|\|\|?|;;?|.*;)$|\$\(|`|\$\{?\w|^\(.*\)$/;

/**
 * Splits a command line into arguments. Spaces, tabs and newlines separate them. Inside '…' every character is itself. Inside "…" a
 * backslash before " or \ stands for that character, and before any other for itself. Outside of quotes a backslash makes the next
 * character plain. '' and "" are empty arguments. Nothing is expanded: there is no shell.
 */
export function splitCommand(command: string): CommandLine {
  const argv: string[] = [];
  const shellWords: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  const finish = (): void => {
    if (word === undefined) return;
    argv.push(word);
    if (!isQuoted && SHELL_WORD.test(word)) shellWords.push(word);
    word = undefined;
    isQuoted = false;
  };
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (/\s/.test(character)) finish();
    else if (character === "'" || character === '"') {
      const { text, end } = readQuoted(command, at);
      word = (word ?? "") + text;
      isQuoted = true;
      at = end;
    } else if (character === "\\") {
      at += 1;
      if (at === command.length)
        throw wrongCommand(command, "it ends in a backslash. Write \\\\ for one, or leave it out");
      word = (word ?? "") + command.charAt(at);
      isQuoted = true;
    } else word = (word ?? "") + character;
  }
  finish();
  if (argv.length === 0) throw wrongCommand(command, "it is empty");
  return { argv, shellWords };
}

function readQuoted(command: string, start: number): { readonly text: string; readonly end: number } {
  const quote = command.charAt(start);
  let text = "";
  for (let at = start + 1; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === quote) return { text, end: at };
    const next = command.charAt(at + 1);
    if (quote === '"' && character === "\\" && (next === '"' || next === "\\")) {
      text += next;
      at += 1;
    } else text += character;
  }
  throw wrongCommand(command, `the quote ${quote} at character ${start + 1} is never closed`);
}

const wrongCommand = (command: string, reason: string): ToolError =>
  new ToolError(`Cannot read the command ${JSON.stringify(command.slice(0, 300))}: ${reason}.`, {
    code: "INVALID_ARGUMENT",
    details: { command: command.slice(0, 1000) },
  });

/** Writes arguments as one line, quoted so that `splitCommand` reads the same arguments from it. */
export function showCommand(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(" ");
}

const quoted = (word: string): string => (word.includes("'") ? `"${word.replaceAll(/["\\]/g, "\\$&")}"` : `'${word}'`);
