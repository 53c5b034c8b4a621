import { ToolError } from "@toolwright/engine";
import { openThreats } from "@toolwright/threats/open-threats.js";
import { SETTINGS, type Settings } from "@toolwright/threats/settings.js";
import type { Config } from "../../config/config.js";
import { Failure } from "../failure.js";
import { outliveReaders } from "../terminal/outlive-readers.js";
import { createPaint, wantsColour } from "../terminal/paint.js";
import { visible } from "../terminal/visible.js";
import { type ReadTold, readIfTold, settingsAtTerminal } from "../told-settings.js";
import type { Bench, Deed } from "./deed.js";
import type { Options } from "./options.js";
import { forPeople } from "./say.js";

/** What a deed is told, and how it is shown. */
interface Told extends Pick<Bench, "options" | "words" | "format" | "version"> {
  readonly deed: Deed;
}

/** Opens the patterns for the time of a deed, and prints what it came to; its faults become those of the command line. */
export async function withThreats({ deed, options, words, format, version }: Told, readTold: ReadTold): Promise<void> {
  outliveReaders();
  const config = await readIfTold(readTold);
  const isForPeople = format === deed.formats[0];
  const progress = deed.takes.includes("--quiet") ? await showProgress(options) : undefined;
  try {
    const { desk, close } = await open(settingsFor(config, options));
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
        hear: (done, total) =>
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
  const { Progress } = await import("../analyze/progress.js");
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

function settingsFor(config: Config, options: Options): Settings {
  const told = settingsAtTerminal(config, "packs.threats", SETTINGS);
  return { ...told, directories: [...(options["--patterns"] ?? []), ...(told.directories ?? [])] };
}
