import { readFileSync } from "node:fs";
import { UsageError } from "@toolwright/kit/cli/errors.js";
import { type DeclaredCommand, resolveCommands } from "./command.js";
import { COMMANDS, loadCommands } from "./command-table.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const HELP_WORDS = ["--help", "-h"];

/** Runs a command line. Throws `UsageError` if it is invalid. */
async function run([first, ...rest]: readonly string[]): Promise<void> {
  const command = first === undefined ? undefined : commandOf(first);
  if (command !== undefined && "load" in command) return runDeclared(command, rest);
  // What follows -- is the command line of another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const wantsHelp = own.some((word) => HELP_WORDS.includes(word));
  if (command !== undefined && (!wantsHelp || command.hasOwnHelp))
    return command.run(rest, version, needsAll(first) ? await resolveCommands(COMMANDS) : {});
  const { say } = await import("@toolwright/kit/terminal/say.js");
  if (command !== undefined) await say(await command.help());
  else if (first === "--version" || first === "-v") await say(version);
  else if (first === "help" && rest[0] !== undefined) await say(await helpOn(rest));
  else if (first === undefined || wantsHelp || ["help", ...HELP_WORDS].includes(first)) {
    const { writeHelp } = await import("./write-help.js");
    await say(writeHelp(await resolveCommands(COMMANDS)));
  } else throw new UsageError(await unknownCommand(first));
}

const commandOf = (word: string) => (Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined);

const needsAll = (name: string | undefined): boolean => name === "man" || name === "completion";

async function runDeclared({ pack, load }: DeclaredCommand, words: readonly string[]): Promise<void> {
  const { runCommand } = await import("@toolwright/kit/cli");
  const { createPackContext } = await import("./pack-context.js");
  await runCommand(await load(), words, (options) => createPackContext(pack, version, { ...options, loadCommands }));
}

async function helpOn([first = "", ...rest]: readonly string[]): Promise<string> {
  const command = commandOf(first);
  if (command === undefined) throw new UsageError(await unknownCommand(first));
  if (!("load" in command)) return command.help();
  const { parseCommandLine, renderHelp } = await import("@toolwright/kit/cli");
  const { path, ...parsed } = parseCommandLine(await command.load(), [...rest, "--help"]);
  return renderHelp(parsed.command, path);
}

async function unknownCommand(word: string): Promise<string> {
  const { nearest } = await import("@toolwright/kit/text/nearest.js");
  const meant = nearest(word, Object.keys(COMMANDS));
  return `Unknown command "${word}"${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

const words = process.argv.slice(2);
// The program is built as CommonJS, which has no top-level await.
run(words).catch(async (error: unknown) => {
  const [{ describeError }, { visible }] = await Promise.all([
    import("@toolwright/kit/cli"),
    import("@toolwright/kit/terminal/visible.js"),
  ]);
  const [first = ""] = words;
  if (error instanceof Error && error.name === "ConfigError" && commandOf(first) !== undefined)
    Object.assign(error, { command: first });
  if (error instanceof UsageError && error.command === undefined && commandOf(first) !== undefined)
    Object.assign(error, { command: first });
  const { message, exitCode } = await describeError(error, loadCommands);
  process.stderr.write(`toolwright: ${visible(message)}\n`, () => process.exit(exitCode));
});
