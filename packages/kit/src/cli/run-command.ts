import { outliveReaders, say } from "../terminal/output.js";
import type { Command, CommandContext } from "./command.js";
import { renderHelp } from "./command-help.js";
import { UsageError } from "./errors.js";
import { parseCommandLine } from "./parse-command-line.js";

/** Parses the words after a command's name and runs the command, or prints its help. Throws `UsageError` for an invalid command line. */
export async function runCommand(
  root: Command,
  argv: readonly string[],
  createContext: (options: { readonly isQuiet: boolean }) => CommandContext & { close?(): void },
): Promise<void> {
  const { command, path, input, wantsHelp, hasInput, problems } = parseCommandLine(root, argv);
  const ctx = createContext({ isQuiet: input["quiet"] === true });
  outliveReaders();
  try {
    if (wantsHelp) {
      const isAnswered = hasInput && problems.length === 0 && (await command.helpFor?.(input, ctx)) === true;
      if (!isAnswered) await say(renderHelp(command, path, ctx.screen));
      return;
    }
    if (problems.length > 0) throw new UsageError(problems.join("\n"));
    await command.run?.(input, ctx);
  } catch (error) {
    if (error instanceof UsageError && error.command === undefined) throw new UsageError(error.message, path.join(" "));
    throw error;
  } finally {
    ctx.close?.();
  }
}
