import os from "node:os";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type Config, NO_CONFIG, valueOf } from "../../config/config.js";
import { currentFolder, isToldNothing } from "../../config/places.js";
import { openDesk } from "../../packs/todo/open-desk.js";
import { SETTINGS, type Settings } from "../../packs/todo/settings.js";
import { Failure } from "../failure.js";
import { stateFolder } from "../state-folder.js";
import { createPaint, wantsColour } from "../terminal/paint.js";
import type { Bench, Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Reads and checks the configuration. */
export type ReadTold = () => Promise<Config>;

/** Opens the tasks for the time of a deed; its faults become those of the command line. */
export async function withDesk(
  options: Options,
  words: readonly string[],
  run: Deed,
  readTold: ReadTold,
): Promise<void> {
  // Who reads our output may go before we do.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // What reads and checks a configuration stays on the disk where there is none.
  const config = isToldNothing(process.env) ? NO_CONFIG : await readTold();
  const settings = settingsOf(config, options);
  const { platform, env } = process;
  const state = path.resolve(valueOf(config, "state") ?? stateFolder({ platform, env, home: os.homedir() }));
  const desk = openDesk(settings, state, { log: () => undefined });
  const bench: Bench = {
    desk,
    options,
    words,
    actor: settings.actor ?? userName(),
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
    await desk.close();
  }
}

function settingsOf({ entries }: Config, options: Options): Settings {
  const told = entries.get("packs.todo")?.value;
  const folder = currentFolder();
  const [database] = options["--database"] ?? [];
  const [actor] = options["--actor"] ?? [];
  return {
    ...DEFAULTS,
    ...((typeof told === "object" ? told : {}) as Partial<Settings>),
    // A person at a terminal may look at whatever the system lets them.
    roots: [folder, path.parse(folder).root],
    client_roots: false,
    ...(database !== undefined && { database }),
    ...(actor !== undefined && { actor }),
  };
}

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS.properties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  ),
) as unknown as Settings;

/** Some systems know their users by number alone. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return process.env["USER"] ?? "somebody";
  }
}
