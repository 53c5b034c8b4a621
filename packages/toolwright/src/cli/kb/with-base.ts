import { openBase } from "@toolwright/knowledge/open-base.js";
import { SETTINGS } from "@toolwright/knowledge/settings.js";
import { Failure } from "../failure.js";
import { isMissing } from "../missing-database.js";
import { stateOf } from "../state-folder.js";
import { openScreen } from "../terminal/screen.js";
import { readIfTold, settingsAtTerminal } from "../told-settings.js";
import { withOpened } from "../with-opened.js";
import type { Deed } from "./bench.js";
import type { Options } from "./options.js";
import { forPeople } from "./words.js";

/** Opens the knowledge base for the time of a deed. One that somebody has named and that is not there is made only where `isFirst`. */
export async function withBase(options: Options, words: readonly string[], run: Deed, isFirst = false): Promise<void> {
  const config = await readIfTold(async () => (await import("../task/told.js")).readTold("packs.knowledge"));
  const [database] = options["--database"] ?? [];
  const settings = {
    ...settingsAtTerminal(config, "packs.knowledge", SETTINGS),
    ...(database !== undefined && { database }),
  };
  if (!isFirst && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There is no knowledge base ${JSON.stringify(settings.database)}; "toolwright kb ingest" makes one`,
      1,
    );
  const base = openBase(settings, stateOf(config), { log: () => undefined });
  await withOpened(base, () => run({ base, options, words, now: new Date(), screen: openScreen() }), forPeople);
}
