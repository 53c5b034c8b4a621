import { createPaint, wantsColour } from "../terminal/paint.js";
import { ProgressBar } from "../terminal/progress-bar.js";
import { Report } from "../terminal/report.js";
import { openScreen } from "../terminal/screen.js";
import { clearBeforeOutput } from "../terminal/write-stdout.js";
import type { CommandContext } from "./command.js";
import { untilStopped } from "./until-stopped.js";

/** What the program knows beyond the terminal. */
interface ContextParts extends Pick<CommandContext, "version" | "openPack" | "loadConfig" | "loadCommands"> {
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
