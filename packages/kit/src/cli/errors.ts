import { type JsonObject, ToolError } from "@toolwright/engine";
import type { ErrorHint } from "@toolwright/engine/types";
import { type Command, flagOf } from "./command.js";

const PLAIN = /^[\w@%+:,./~=-]+$/;

/** A word for a shell, quoted if necessary. */
export function shellWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** What the program prints for an error, and the code that it ends with. */
export interface ErrorReport {
  readonly message: string;
  readonly exitCode: number;
}

/**
 * Describes an error for a person at a terminal. Errors are recognized by name, because parts of the program are bundled
 * separately and have classes of their own.
 */
export async function describeError(
  error: unknown,
  loadCommands: () => Promise<readonly Command[]>,
): Promise<ErrorReport> {
  const { name, message, syscall }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  if (syscall === "uv_cwd")
    return { message: "The current folder does not exist any more; go to another one", exitCode: EXIT_CODES.failed };
  if (name === "UsageError" || name === "ConfigError") {
    const { command } = error as { readonly command?: string };
    return { message: withHelp(message, command), exitCode: EXIT_CODES.usage };
  }
  if (name === "Failure") return { message, exitCode: (error as { readonly code: number }).code };
  const suffix = error instanceof ToolError && error.hint ? describeHint(error.hint, await loadCommands()) : "";
  const end = suffix === "" || /[.!?:]$/.test(message) ? "" : ".";
  return { message: `${message}${end}${suffix}`, exitCode: EXIT_CODES.failed };
}

function withHelp(message: string, command: string | undefined): string {
  const hint = `Run "${["toolwright", command, "--help"].filter((word) => word !== undefined).join(" ")}" for usage.`;
  if (message.includes("\n")) return `${message}\n${hint}`;
  return `${message}${/[?.]$/.test(message) ? "" : "."} ${hint}`;
}

/** ` To list the open tasks, run: toolwright task list`; empty if no command does what the tool does. */
function describeHint({ action, tool, arguments: given = {} }: ErrorHint, commands: readonly Command[]): string {
  if (tool === undefined) return ` ${action.charAt(0).toUpperCase()}${action.slice(1)}.`;
  const found = findByTool(commands, tool);
  if (found === undefined) return "";
  return ` To ${action}, run: ${["toolwright", ...found.path, ...wordsFor(found.command, given)].join(" ")}`;
}

function findByTool(
  commands: readonly Command[],
  tool: string,
  path: readonly string[] = [],
): { readonly command: Command; readonly path: readonly string[] } | undefined {
  for (const command of commands) {
    const own = [...path, command.name];
    if (command.tool === tool) return { command, path: own };
    const below = findByTool(command.subcommands, tool, own);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** The arguments of a tool as words of the command, as far as it has arguments and options of the same names. */
function wordsFor({ args, options }: Command, given: JsonObject): string[] {
  const camel = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
  const isPlain = (value: unknown): value is string | number => ["string", "number"].includes(typeof value);
  const words = Object.keys(args).flatMap((name) => (isPlain(camel[name]) ? [shellWord(String(camel[name]))] : []));
  const flags = Object.entries(options).flatMap(([key, { type }]) => {
    const value = camel[key];
    if (type === "boolean") return value === true ? [flagOf(key)] : [];
    return isPlain(value) ? [flagOf(key), shellWord(String(value))] : [];
  });
  return [...words, ...flags];
}

/** The exit codes of the program; a signal ends it with 128 and its number. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** An invalid command line; ends the program with code 2. */
export class UsageError extends Error {
  /** The command whose help explains the problem, such as `task add`. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.name = "UsageError";
    this.command = command;
  }
}

/** A failure that ends the program with an exit code of its own. */
export class Failure extends Error {
  /** One of `EXIT_CODES`, or 128 + n for signal n. */
  readonly code: number;

  constructor(message: string, code: number = EXIT_CODES.failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.code = code;
  }
}
