import { readFileSync } from "node:fs";
import { type Failure, UsageError } from "@toolwright/kit/cli";
import { COMMANDS } from "./command-table.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const HELP_WORDS = ["--help", "-h"];

/** Does what the words say. Throws `UsageError` for words that say nothing. */
async function run([first, ...rest]: readonly string[]): Promise<void> {
  const command = first === undefined ? undefined : commandOf(first);
  // What follows -- is the command line of another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const wantsHelp = own.some((word) => HELP_WORDS.includes(word));
  if (command !== undefined && (!wantsHelp || command.hasOwnHelp)) return command.run(rest, version, COMMANDS);
  const { say } = await import("@toolwright/kit/terminal/say.js");
  if (command !== undefined) await say(await command.help());
  else if (first === "--version" || first === "-v") await say(version);
  else if (first === "help" && rest[0] !== undefined) await say(await helpOn(rest[0]));
  else if (first === undefined || wantsHelp || ["help", ...HELP_WORDS].includes(first)) {
    const { writeHelp } = await import("./write-help.js");
    await say(writeHelp(COMMANDS));
  } else throw new UsageError(await unknownCommand(first));
}

const commandOf = (word: string) => (Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined);

async function helpOn(word: string): Promise<string> {
  const command = commandOf(word);
  if (command === undefined) throw new UsageError(await unknownCommand(word));
  return command.help();
}

async function unknownCommand(word: string): Promise<string> {
  const { nearest } = await import("@toolwright/kit/text/nearest.js");
  const meant = nearest(word, Object.keys(COMMANDS));
  return `"${word}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

const words = process.argv.slice(2);
// The program is built as CommonJS, which has no top-level await.
run(words).catch(async (error: unknown) => {
  const { message, code } = toFailure(error);
  const { visible } = await import("@toolwright/kit/terminal/visible.js");
  process.stderr.write(`toolwright: ${visible(message)}\n`, () => process.exit(code));
});

/** What went wrong in words, and the code that the process ends with. Errors go by their names: some commands are built apart, with classes of their own. */
function toFailure(error: unknown): { readonly message: string; readonly code: number } {
  const { message, name, syscall }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  if (syscall === "uv_cwd")
    return { message: "The folder that this was started in does not exist any more; go to another one", code: 1 };
  if (name !== "UsageError" && name !== "ConfigError")
    return { message, code: name === "Failure" ? (error as Failure).code : 1 };
  const [command = ""] = words;
  const help = commandOf(command) === undefined ? "toolwright --help" : `toolwright ${command} --help`;
  const hint = `Run "${help}" for what there is.`;
  if (message.includes("\n")) return { message: `${message}\n${hint}`, code: 2 };
  return { message: `${message}${message.endsWith("?") ? "" : "."} ${hint}`, code: 2 };
}
