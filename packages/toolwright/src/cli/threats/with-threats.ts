import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type Config, NO_CONFIG } from "../../config/config.js";
import { currentFolder, isToldNothing } from "../../config/places.js";
import { openThreats } from "../../packs/threats/open-threats.js";
import { SETTINGS, type Settings } from "../../packs/threats/settings.js";
import { Failure } from "../failure.js";
import { createPaint, wantsColour } from "../terminal/paint.js";
import { visible } from "../terminal/visible.js";
import type { Bench, Deed } from "./deed.js";
import type { Options } from "./options.js";
import { forPeople } from "./say.js";

/** Reads and checks the configuration. */
export type ReadTold = () => Promise<Config>;

/** What a deed is told, and how it is shown. */
interface Told extends Pick<Bench, "options" | "words" | "format"> {
  readonly deed: Deed;
}

/** Opens the patterns for the time of a deed, and prints what it came to; its faults become those of the command line. */
export async function withThreats({ deed, options, words, format }: Told, readTold: ReadTold): Promise<void> {
  // Who reads our output may go before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // What reads and checks a configuration stays on the disk where there is none.
  const config = isToldNothing(process.env) ? NO_CONFIG : await readTold();
  const isForPeople = format === deed.formats[0];
  const progress = deed.takes.includes("--quiet") ? await showProgress(options) : undefined;
  try {
    const { desk, close } = await open(settingsOf(config, options));
    try {
      const {
        text,
        remarks = [],
        hasFailed,
      } = await deed.run({
        desk,
        call: { signal: new AbortController().signal, can: () => false, roots: async () => [] },
        options,
        words,
        format,
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
      resourceChanged: () => undefined,
      resourceListChanged: () => undefined,
    });
  } catch (error) {
    throw new Failure((error as Error).message.replace(/^settings\.directory: /, ""), 2, error);
  }
}

function settingsOf({ entries }: Config, options: Options): Settings {
  const told = entries.get("packs.threats")?.value;
  const known = { ...DEFAULTS, ...((typeof told === "object" ? told : {}) as Partial<Settings>) };
  const folder = currentFolder();
  return {
    ...known,
    directories: [...(options["--patterns"] ?? []), ...(known.directories ?? [])],
    // A person at a terminal may look at whatever the system lets them.
    roots: [folder, path.parse(folder).root],
    client_roots: false,
  };
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  ),
) as unknown as Settings;
