import { clearBeforeOutput, outliveReaders, say } from "../terminal/output.js";
import { ProgressBar } from "../terminal/progress-bar.js";
import { Report } from "../terminal/report.js";
import { createPaint, openScreen, wantsColour } from "../terminal/screen.js";
import type { Command, CommandContext } from "./command.js";
import { renderHelp } from "./command-help.js";
import { Failure, UsageError } from "./errors.js";
import { parseCommandLine } from "./parse-command-line.js";

/** What the program knows beyond the terminal. */
interface ContextParts extends Pick<CommandContext, "version" | "openPack" | "loadCommands"> {
  /** `--quiet`: no progress, no notices. */
  readonly isQuiet: boolean;
}

/** Creates the context of a command that runs in this process. The progress bar is removed before output, and by `close`. */
export function createCommandContext({ isQuiet, ...parts }: ContextParts): CommandContext & { close(): void } {
  const report = new Report(process.stderr, isQuiet);
  const bar = new ProgressBar(report, {
    isTerminal: process.stderr.isTTY,
    paint: createPaint(wantsColour(process.stderr, process.env)),
  });
  clearBeforeOutput(() => bar.end());
  let signal: AbortSignal | undefined;
  return {
    ...parts,
    now: () => new Date(),
    screen: openScreen(),
    // Commands that do not use the signal end at once when they are interrupted.
    get signal() {
      signal ??= untilStopped();
      return signal;
    },
    onProgress: (progress) => bar.update(progress),
    notice: (text) => report.aside(text),
    close: () => bar.end(),
  };
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

/** Aborted by the first signal, with the code that the process ends with; with the second the process goes at once. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const [name, number] of Object.entries(SIGNALS))
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + number);
      stop.abort(new Failure("Cancelled", 128 + number));
    });
  return stop.signal;
}

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
