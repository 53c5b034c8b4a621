import os from "node:os";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type Config, NO_CONFIG, valueOf } from "../../config/config.js";
import { currentFolder, isToldNothing } from "../../config/places.js";
import { openBase } from "../../packs/knowledge/open-base.js";
import { SETTINGS, type Settings } from "../../packs/knowledge/settings.js";
import { Failure } from "../failure.js";
import { stateFolder } from "../state-folder.js";
import { createPaint, wantsColour } from "../terminal/paint.js";
import type { Bench, Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Opens the knowledge base for the time of a deed; its faults become those of the command line. */
export async function withBase(options: Options, words: readonly string[], run: Deed): Promise<void> {
  // Who reads our output may go before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const { platform, env } = process;
  const config = isToldNothing(env) ? NO_CONFIG : await (await import("../task/told.js")).readTold("packs.knowledge");
  const state = path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
  const base = openBase(settingsOf(config, options), state, { log: () => undefined });
  const bench: Bench = {
    base,
    options,
    words,
    now: new Date(),
    screen: {
      paint: createPaint(wantsColour(process.stdout, env)),
      width: (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
    },
  };
  try {
    await run(bench);
  } catch (error) {
    throw error instanceof ToolError ? new Failure(forPeople(error.message), 1, error) : error;
  } finally {
    await base.close();
  }
}

function settingsOf({ entries }: Config, options: Options): Settings {
  const told = entries.get("packs.knowledge")?.value;
  const folder = currentFolder();
  const [database] = options["--database"] ?? [];
  return {
    ...DEFAULTS,
    ...((typeof told === "object" ? told : {}) as Partial<Settings>),
    // A person at a terminal may look at whatever the system lets them.
    roots: [folder, path.parse(folder).root],
    client_roots: false,
    ...(database !== undefined && { database }),
  };
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  ),
) as unknown as Settings;
