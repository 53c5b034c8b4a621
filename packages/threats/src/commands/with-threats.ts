import { type JsonObject, ToolError } from "@toolwright/engine";
import { type CommandContext, Failure, terminalSettings } from "@toolwright/kit/cli";
import { createPaint, outliveReaders, visible, wantsColour } from "@toolwright/kit/terminal";
import { SETTINGS, type Settings } from "../settings.js";
import { openThreats } from "../threats-context.js";
import type { Bench, Deed } from "./deed.js";
import type { Options } from "./options.js";
import { forPeople } from "./say.js";

/** What a deed is told, and how it is shown. */
interface Told extends Pick<Bench, "options" | "words" | "format"> {
  readonly deed: Deed;
}

/** Opens the patterns for the time of a deed, and prints what it came to; its faults become those of the command line. */
export async function withThreats(
  { deed, options, words, format }: Told,
  { version, loadConfig }: CommandContext,
): Promise<void> {
  outliveReaders();
  const { settings } = await loadConfig();
  const isForPeople = format === deed.formats[0];
  const progress = deed.takes.includes("--quiet") ? await showProgress(options) : undefined;
  try {
    const { desk, close } = await open(settingsFor(settings, options));
    try {
      const {
        text,
        remarks = [],
        hasFailed,
      } = await deed.run({
        desk,
        call: { signal: new AbortController().signal, supports: () => false, roots: async () => [] },
        options,
        words,
        format,
        version,
        isVerbose: options["--verbose"] !== undefined,
        paint: createPaint(isForPeople && wantsColour(process.stdout, process.env)),
        width: (isForPeople && process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
        onProgress: (done, total) =>
          progress?.tell(done, total === undefined ? `${done} entries seen` : `${done} of ${total} files`, total),
      });
      progress?.end();
      await new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
      for (const remark of remarks) process.stderr.write(`${visible(forPeople(remark))}\n`);
      if (hasFailed === true) process.exitCode = 1;
    } finally {
      close();
    }
  } catch (error) {
    throw error instanceof ToolError ? new Failure(forPeople(error.message).replace(/\.$/, ""), 2, error) : error;
  } finally {
    progress?.end();
  }
}

async function showProgress(options: Options) {
  if (options["--quiet"] !== undefined) return undefined;
  const { Progress } = await import("@toolwright/kit/terminal/progress.js");
  return new Progress(process.stderr);
}

/** A folder that is not there is a word of the command line that cannot be meant so. */
async function open(settings: Settings) {
  try {
    return await openThreats(settings, {
      log: () => undefined,
      notifyResourceUpdated: () => undefined,
      notifyResourceListChanged: () => undefined,
    });
  } catch (error) {
    throw new Failure((error as Error).message.replace(/^settings\.directory: /, ""), 2, error);
  }
}

function settingsFor(configured: JsonObject, options: Options): Settings {
  const told = terminalSettings(SETTINGS, configured);
  return { ...told, directories: [...(options["--patterns"] ?? []), ...(told.directories ?? [])] };
}
