import os from "node:os";
import { openDesk } from "@toolwright/todo/open-desk.js";
import { SETTINGS } from "@toolwright/todo/settings.js";
import { Failure } from "../failure.js";
import { isMissing } from "../missing-database.js";
import { stateOf } from "../state-folder.js";
import { openScreen } from "../terminal/screen.js";
import { type ReadTold, readIfTold, settingsAtTerminal } from "../told-settings.js";
import { withOpened } from "../with-opened.js";
import type { Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Opens the tasks for the time of a deed. A file that somebody has named and that is not there is made only where `isFirst`. */
export async function withDesk(
  options: Options,
  words: readonly string[],
  run: Deed,
  readTold: ReadTold,
  isFirst = false,
): Promise<void> {
  const config = await readIfTold(readTold);
  const [database] = options["--database"] ?? [];
  const [by] = options["--actor"] ?? [];
  const settings = {
    ...settingsAtTerminal(config, "packs.todo", SETTINGS),
    ...(database !== undefined && { database }),
    ...(by !== undefined && { actor: by }),
  };
  if (!isFirst && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There are no tasks in ${JSON.stringify(settings.database)}: there is no such file; "toolwright task add" makes one`,
      1,
    );
  const { actor = userName() } = settings;
  const desk = openDesk(settings, stateOf(config), { log: () => undefined });
  await withOpened(desk, () => run({ desk, options, words, actor, now: new Date(), screen: openScreen() }), forPeople);
}

/** Some systems know their users by number alone. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return process.env["USER"] ?? "somebody";
  }
}
