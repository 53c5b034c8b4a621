import { clearBeforeOutput } from "../terminal/output.js";
import { ProgressBar } from "../terminal/progress-bar.js";
import { Report } from "../terminal/report.js";
import { createPaint, openScreen, wantsColour } from "../terminal/screen.js";
import type { CommandContext } from "./command.js";
import { Failure } from "./errors.js";

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
