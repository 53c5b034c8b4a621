#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Failure } from "./failure.js";
import { HELP, SERVE_HELP } from "./help.js";
import { readServeOptions } from "./serve-options.js";
import { UsageError } from "./usage-error.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Does what the words say. Throws `UsageError` for words that say nothing. */
async function run([command, ...rest]: readonly string[]): Promise<void> {
  // What follows -- is the command line of another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const wantsHelp = own.some((word) => word === "--help" || word === "-h");
  if (command === "serve" && !wantsHelp) {
    const options = readServeOptions(rest);
    const { serve } = await import("./commands/serve.js");
    await serve(options, version);
  } else if (command === "serve") process.stdout.write(SERVE_HELP);
  else if (command === "key" && !wantsHelp) {
    const { makeKey } = await import("./commands/key.js");
    makeKey(rest);
  } else if (command === "call" || command === "tools") await runClient(command, rest, wantsHelp);
  else if (command === "--version" || command === "-v") process.stdout.write(`${version}\n`);
  else if (command === undefined || wantsHelp || ["--help", "-h", "help"].includes(command)) process.stdout.write(HELP);
  else throw new UsageError(`"${command}" is unknown`);
}

/** What talks to servers; those who serve do not load it. */
async function runClient(command: "call" | "tools", rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) {
    const { CALL_HELP, TOOLS_HELP } = await import("./client-help.js");
    process.stdout.write(command === "call" ? CALL_HELP : TOOLS_HELP);
  } else if (command === "call") await (await import("./commands/call.js")).callTool(rest, version);
  else await (await import("./commands/tools.js")).listTools(rest, version);
}

const words = process.argv.slice(2);
try {
  await run(words);
} catch (error) {
  const { message, code } = toFailure(error);
  process.stderr.write(`toolwright: ${message}\n`, () => process.exit(code));
}

/** What went wrong in one line, and the code that the process ends with. */
function toFailure(error: unknown): { readonly message: string; readonly code: number } {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof UsageError)) return { message, code: error instanceof Failure ? error.code : 1 };
  const [command = ""] = words;
  const help = ["serve", "call", "tools"].includes(command) ? `toolwright ${command} --help` : "toolwright --help";
  return { message: `${message}. Run "${help}" for what there is.`, code: 2 };
}
