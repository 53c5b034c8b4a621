import { describeError, runCommand, suggestion, UsageError } from "@toolwright/kit/cli";
import { openScreen, say, visible } from "@toolwright/kit/terminal";
import { loadCommands, locateCommand } from "./command-table.js";
import { createPackContext } from "./pack-context.js";

const HELP: ReadonlySet<string> = new Set(["help", "--help", "-h"]);

/** Runs a command line. Throws `UsageError` if it is invalid. */
export async function runProgram(argv: readonly string[], version: string): Promise<void> {
  const [name, ...rest] = takePacks(argv);
  if (name === "--version" || name === "-v") return say(version);
  if (name === undefined || (HELP.has(name) && (rest[0] === undefined || HELP.has(rest[0])))) {
    const { renderProgramHelp } = await import("./program-help.js");
    return say(renderProgramHelp(await loadCommands(), openScreen()));
  }
  if (name === "help") return runProgram([...rest, "--help"], version);
  const located = await locateCommand(name);
  if (located === undefined) {
    const names = (await loadCommands()).flatMap((command) => (command.hidden ? [] : [command.name]));
    throw new UsageError(`Unknown command "${name}"${suggestion(name, names)}`);
  }
  const { command, pack } = located;
  await runCommand(command, rest, (options) => createPackContext(pack, version, { ...options, loadCommands }));
}

/**
 * Takes the options `--pack FILE` before the command. They are passed on as the setting `packModules`, so that the command is looked up in
 * these packs, and gets its settings from the configuration with them.
 */
function takePacks(argv: readonly string[]): readonly string[] {
  const words = [...argv];
  const files: string[] = [];
  for (let word = words[0]; word === "--pack" || word?.startsWith("--pack="); word = words[0]) {
    words.shift();
    const file = word === "--pack" ? words.shift() : word.slice("--pack=".length);
    if (file === undefined || file === "") throw new UsageError("--pack needs a file");
    files.push(file);
  }
  if (files.length > 0) process.env["TOOLWRIGHT_PACK_MODULES"] = JSON.stringify(files);
  return words;
}

/** Prints an error for a person, and ends the process with its exit code. */
export async function reportError(error: unknown, name: string | undefined): Promise<void> {
  // The errors of a configuration do not know which command has read it.
  const isOpen = error instanceof Error && ["ConfigError", "UsageError"].includes(error.name);
  if (isOpen && name !== undefined && !("command" in error && error.command) && (await isCommand(name)))
    Object.assign(error, { command: name });
  const { message, exitCode } = await describeError(error, loadCommands);
  process.stderr.write(`toolwright: ${visible(message)}\n`, () => process.exit(exitCode));
}

const isCommand = async (name: string): Promise<boolean> => (await locateCommand(name)) !== undefined;
